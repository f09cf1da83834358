import { z } from 'zod';
import type { Finding, StaleSuppression } from '../../shared/findings';
import { message } from '../../shared/message';

/**
 * SHA-256 of a text's UTF-8 form, in hexadecimal: what a silencing is bound to. Without a byte order mark and with `\n` at
 * the ends of lines, so that an editor that hides the one and unifies the other gets the same as a reader of bytes.
 */
export async function contentHash(text: string): Promise<string> {
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(plain));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * A silencing that the user recorded; nothing in a file can make one. For a `file` it holds while the content has the
 * `hash`; for the `workspace` it holds for a check everywhere, but never for an error: those are silenced file by file.
 */
export const Suppression = z.discriminatedUnion('scope', [
  z.object({ scope: z.literal('file'), id: z.string(), file: z.string(), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  z.object({ scope: z.literal('workspace'), id: z.string() }),
]);
export type Suppression = z.infer<typeof Suppression>;

/** The workspace file that holds them. */
export const SuppressionFile = z.object({ version: z.literal(1), suppressions: z.array(Suppression) });
export type SuppressionFile = z.infer<typeof SuppressionFile>;

/** Findings after silencing. */
export interface Suppressed {
  readonly open: readonly Finding[];
  readonly suppressed: readonly Finding[];
  readonly stale: readonly StaleSuppression[];
}

/**
 * Parts findings into open and silenced ones.
 * @param hash {@link contentHash} of the text that was checked.
 * @param made ids of the checks that were made: only of those can it be said that they no longer find anything.
 * @param known ids that the catalog has: an entry of another id, also of one in other letters or with a wildcard, silences nothing, and is told of.
 */
export function applySuppressions(
  findings: readonly Finding[], suppressions: readonly Suppression[],
  { file, hash, made, known }: { readonly file: string; readonly hash: string; readonly made: (id: string) => boolean; readonly known: (id: string) => boolean },
): Suppressed {
  const here = suppressions.filter((entry) => entry.scope === 'workspace' || entry.hash === hash);
  const silenced = (finding: Finding): boolean => here.some((entry) => entry.id === finding.id && (entry.scope === 'file' || finding.severity !== 'error'));
  const stale = suppressions.flatMap((entry): StaleSuppression[] => {
    const { id } = entry;
    const ofThisFile = entry.scope === 'workspace' || entry.file === file || entry.hash === hash;
    if (!known(id)) return ofThisFile ? [{ id, reason: message('There is no check {id}: nothing is silenced by that name. Correct it, or take it back.', { id }) }] : [];
    if (entry.scope === 'workspace') {
      const isError = findings.some((finding) => finding.id === id && finding.severity === 'error');
      return isError ? [{ id, reason: message('{id} is an error here: errors are silenced file by file, not for the whole workspace.', { id }) }] : [];
    }
    if (entry.hash !== hash) return entry.file === file ? [{ id, reason: message('The file has changed since {id} was silenced.', { id }) }] : [];
    return findings.some((finding) => finding.id === id) || !made(id) ? [] : [{ id, reason: message('{id} no longer finds anything in this file.', { id }) }];
  });
  return { open: findings.filter((finding) => !silenced(finding)), suppressed: findings.filter(silenced), stale };
}
