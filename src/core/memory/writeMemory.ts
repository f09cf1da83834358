import { pythonFloat, RawNumber, writePythonJson, type Writable } from '../pythonJson';
import { firstCodePoints } from '../pythonText';
import { DEFAULT_CAPACITY } from './sampling';

/** Code points of a game that the designer reads. */
export const DEFAULT_SNIPPET_CHARS = 2000;

/** What becomes a record. `metadata` may hold numbers spelled as they came ({@link Writable}). */
export interface NewRecord {
  readonly game_file: string;
  readonly skill: string;
  readonly code: string;
  readonly actor_win_rate: number;
  readonly regret?: number;
  readonly rollout_id?: number;
  readonly metadata?: ReadonlyMap<string, Writable> | { readonly [key: string]: Writable } | null;
}

/** The text of a record in the file, as the run's own `add` and `save` would write it: cut, with defaults filled in. */
export function recordText(input: NewRecord, snippetChars = DEFAULT_SNIPPET_CHARS): string {
  return writePythonJson({
    game_file: input.game_file,
    skill: input.skill,
    code_snippet: firstCodePoints(input.code, snippetChars),
    actor_win_rate: new RawNumber(pythonFloat(input.actor_win_rate)),
    regret: new RawNumber(pythonFloat(input.regret ?? 0)),
    rollout_id: input.rollout_id ?? 0,
    metadata: input.metadata ?? {},
  }, 1);
}

/** A memory file of these records; each is the text of one, to the letter. */
export function memoryText(records: readonly string[]): string {
  return records.length === 0 ? '[]' : `[\n  ${records.join(',\n  ')}\n]`;
}

/** The records after an add: the oldest leave when there are more than the capacity, also those that were too many before. */
export function added(records: readonly string[], record: string, capacity = DEFAULT_CAPACITY): string[] {
  const all = [...records, record];
  return all.length > capacity ? all.slice(-capacity) : all;
}
