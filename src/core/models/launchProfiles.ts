/** Model profiles as a training run's launch flags give them: the run samples its designer, agent, hint writer and screen each in its own way. */
import type { LaunchFlag } from '../../shared/launch';
import { RoleProfile, type RoleProfiles } from '../../shared/modelProfile';
import { message, type Message } from '../../shared/message';
import type { ModelRole } from '../ports';
import { flagNumber } from '../run/runSettings';

type Field = 'temperature' | 'topP' | 'topK' | 'maxTokens';

/** Flag of each field; where a launcher leaves one out, `fallback` is the run's own default. */
const FLAGS: Readonly<Record<ModelRole, Partial<Record<Field, { readonly flag: string; readonly fallback: number | null }>>>> = {
  designer: {
    temperature: { flag: 'spade-env-temperature', fallback: 0.7 }, topP: { flag: 'spade-env-top-p', fallback: 0.95 },
    topK: { flag: 'spade-env-top-k', fallback: 20 }, maxTokens: { flag: 'spade-env-max-tokens', fallback: 8192 },
  },
  agent: {
    temperature: { flag: 'spade-actor-temperature', fallback: 1 }, topP: { flag: 'spade-actor-top-p', fallback: 0.95 },
    topK: { flag: 'spade-actor-top-k', fallback: 20 }, maxTokens: { flag: 'spade-actor-max-tokens', fallback: 8192 },
  },
  hint: { temperature: { flag: 'spade-hint-temperature', fallback: 0.3 }, maxTokens: { flag: 'spade-hint-max-tokens', fallback: null } },
  screen: { temperature: { flag: 'spade-self-judge-temperature', fallback: null }, maxTokens: { flag: 'spade-self-judge-max-tokens', fallback: null } },
};
const THINKING: Partial<Record<ModelRole, string>> = { designer: 'spade-env-enable-thinking', agent: 'spade-actor-enable-thinking' };

/** What was read, and what of it stands on shaky ground: values that are only known when the script runs, or that no setting can hold. */
export interface LaunchProfiles {
  readonly profiles: RoleProfiles;
  readonly notes: readonly Message[];
}

/** Reads sampling and thinking of each role out of a launch line. Only Slime's flags name them: others give no profile. */
export function profilesOfLaunch(flags: Readonly<Record<string, LaunchFlag>>): LaunchProfiles {
  const notes: Message[] = [];
  if (!Object.keys(flags).some((name) => name.startsWith('spade-'))) return { profiles: {}, notes };
  const profiles: RoleProfiles = {};
  for (const role of Object.keys(FLAGS) as ModelRole[]) {
    const read = profileOf(role, flags, notes);
    if (Object.keys(read).length > 0) profiles[role] = read;
  }
  return { profiles, notes };
}

function profileOf(role: ModelRole, flags: Readonly<Record<string, LaunchFlag>>, notes: Message[]): RoleProfile {
  const read: RoleProfile = {};
  for (const [field, known] of Object.entries(FLAGS[role]) as [Field, { flag: string; fallback: number | null }][]) {
    const flag = flags[known.flag];
    const value = flag === undefined ? known.fallback : flagNumber(flag);
    // vLLM and SGLang take -1 for "no top-k": the parameter is then left out.
    const wanted = field === 'topK' && value !== null && value < 1 ? null : value;
    if (flag !== undefined && value === null) notes.push(message('--{flag} is {value}: its value is only known when the script runs.', { flag: known.flag, value: flag.values.join(' ') }));
    else if (field === 'topK' && value !== null) read[field] = wanted;
    else if (value !== null && RoleProfile.shape[field].safeParse(value).success) read[field] = value;
    else if (value !== null) notes.push(message('--{flag} is {value}, which no setting can hold.', { flag: known.flag, value }));
  }
  const name = THINKING[role];
  if (name !== undefined) {
    read.thinking = flags[name] !== undefined;
    if (flags[name]?.notes.includes('conditional')) notes.push(message('--{flag} is only given under a condition of the script.', { flag: name }));
  }
  return read;
}
