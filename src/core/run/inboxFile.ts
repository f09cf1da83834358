/** The texts of inbox files: records written the way the memory file has them, so that every number keeps its spelling. */
import { parsePythonJson, toWritable, writePythonJson, type Writable } from '../pythonJson';

const ENTRIES = (value: Writable | undefined): Map<string, Writable> => (value instanceof Map ? new Map(value as ReadonlyMap<string, Writable>) : new Map<string, Writable>());

/** The record with the push named in its metadata, by which the link module and later saves know it. What stood in `envwright` stays. */
export function markRecord(record: string, id: string): string {
  const members = ENTRIES(toWritable(parsePythonJson(record)));
  const metadata = ENTRIES(members.get('metadata'));
  const before = metadata.get('envwright');
  const mark = ENTRIES(before);
  if (before !== undefined && !(before instanceof Map)) mark.set('given', before);
  mark.set('push', id);
  metadata.set('envwright', mark);
  members.set('metadata', metadata);
  return writePythonJson(members, 1);
}

/** Brings a marked record in. The buffer's `add` takes the code under another name than the file. */
export function addText(record: string, id: string): string {
  const members = [...ENTRIES(toWritable(parsePythonJson(record)))].map(([key, value]): [string, Writable] => [key === 'code_snippet' ? 'game_code' : key, value]);
  return writePythonJson(new Map<string, Writable>([['version', 1], ['id', id], ['action', 'add'], ['record', new Map(members)]]));
}

/** Takes the record of a push back. */
export function removeText(id: string): string {
  return writePythonJson(new Map<string, Writable>([['version', 1], ['id', id], ['action', 'remove']]));
}
