import type { Profile, Severity } from '../../../shared/findings';
import { catalog } from '../../checks/catalog';
import type { Suppression } from '../../checks/suppression';
import type { Sandbox } from '../../ports';
import { hashOf } from '../../design/provenance';

/** Raised when a check judges otherwise than before without a change of its id or severity: earlier judgements no longer count then. */
const CHECK_REVISION = 3;

/** How files are judged, as far as it changes what is found. */
export interface JudgedBy {
  readonly staticOnly: boolean;
  /** What runs the files; null without a run. */
  readonly sandbox: Pick<Sandbox, 'backend' | 'python' | 'packages'> | null;
  readonly severities: Readonly<Record<string, Severity>>;
}

/** Names the way that files are judged: the same for the same checks, interpreter and choices. */
export async function stampOf({ staticOnly, sandbox, severities }: JudgedBy): Promise<string> {
  const checks = catalog.map(({ id, severity }) => `${id} ${severity}`);
  const chosen = Object.entries(severities).sort(([a], [b]) => (a < b ? -1 : 1));
  const runs = sandbox && [sandbox.backend, sandbox.python, Object.entries(sandbox.packages).sort(([a], [b]) => (a < b ? -1 : 1))];
  return (await hashOf(JSON.stringify([CHECK_REVISION, checks, staticOnly, runs, chosen]))).slice(0, 16);
}

/** Key of one content under a stamp and what the user decided about it. */
export async function keyOf(stamp: string, hash: string, decided: { readonly profile: Profile | null; readonly suppressions: readonly Suppression[] }): Promise<string> {
  const own = decided.suppressions.filter((entry) => entry.scope === 'workspace' || entry.hash === hash).map(({ scope, id }) => `${scope} ${id}`).sort();
  const how = own.length === 0 && decided.profile === null ? stamp : (await hashOf(JSON.stringify([stamp, decided.profile, own]))).slice(0, 16);
  return `${hash} ${how}`;
}
