import type { Provider, RoleProfile } from '../../shared/modelProfile';
import type { ModelRole, Sampling } from '../ports';

/** Where the model of a role is, and how it is asked. */
export interface ModelProfile {
  readonly provider: Provider;
  readonly endpoint: string;
  readonly model: string;
  readonly sampling: Sampling;
  readonly thinking: boolean;
  /** Fields put into every request body as they are. */
  readonly extraBody: Readonly<Record<string, unknown>>;
}

/** The settings of all roles: nothing is left out. */
export type CommonProfile = { readonly [K in keyof RoleProfile]-?: Exclude<RoleProfile[K], undefined> };

const SAMPLED = ['temperature', 'topP', 'topK', 'minP', 'maxTokens'] as const;
/** What a hint and a screen have values of their own for (run contract §2.7, §5): the common setting does not reach them. */
const OWN: Readonly<Record<ModelRole, readonly string[]>> = { designer: [], agent: [], hint: ['temperature', 'maxTokens'], screen: ['temperature', 'maxTokens'] };

/** The profile of a role: its own values over those of all roles. `null` leaves a sampling parameter to the server. */
export function resolveProfile(role: ModelRole, common: CommonProfile, own: RoleProfile = {}): ModelProfile {
  const sampling: Record<string, number> = {};
  for (const key of SAMPLED) {
    const value = own[key] !== undefined ? own[key] : OWN[role].includes(key) ? null : common[key];
    if (value !== null) sampling[key] = value;
  }
  return {
    provider: own.provider ?? common.provider,
    endpoint: own.endpoint ?? common.endpoint,
    model: own.model ?? common.model,
    sampling,
    thinking: own.thinking ?? common.thinking,
    extraBody: { ...common.extraBody, ...own.extraBody },
  };
}
