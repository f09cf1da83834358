import { message, type Message } from '../../shared/message';
import { EnvwrightError } from '../errors';
import { JsonSyntaxError, parsePythonJson, toPlain, type JsonNode, type PlainJson } from '../pythonJson';

/** What is wrong with a record, or with the way the run would meet it. */
export type MemoryProblemId =
  | 'not-an-object' | 'missing-key' | 'default-key-missing' | 'extra-key' | 'duplicate-key' | 'not-text' | 'not-a-number' | 'null-number' | 'non-finite-number'
  | 'not-an-object-metadata';

/** A finding on one record. `error`: the run refuses the file or fails when it samples; the record itself is kept as it is. */
export interface MemoryProblem {
  readonly id: MemoryProblemId;
  readonly severity: 'error' | 'warning' | 'info';
  readonly index: number;
  readonly line: number;
  readonly message: Message;
}

/** One entry of the file, as far as it can be read; what cannot be read is null. `source` is its text in the file, to the letter. */
export interface MemoryEntry {
  readonly index: number;
  readonly source: string;
  readonly gameFile: string | null;
  readonly skill: string | null;
  readonly snippet: string | null;
  readonly winRate: number | null;
  readonly regret: number | null;
  readonly rolloutId: number | null;
  readonly metadata: PlainJson;
}

/** The buffer as the file holds it, oldest first. */
export interface MemoryFile {
  readonly entries: readonly MemoryEntry[];
  readonly problems: readonly MemoryProblem[];
}

const REQUIRED = ['game_file', 'skill', 'code_snippet', 'actor_win_rate'] as const;
/** Keys that the run fills in when they are missing, with their values. */
const DEFAULTS = { regret: 0, rollout_id: 0, metadata: {} } as const;
const KEYS: readonly string[] = [...REQUIRED, ...Object.keys(DEFAULTS)];
const NUMBERS = ['actor_win_rate', 'regret', 'rollout_id'] as const;
const TEXTS = ['game_file', 'skill', 'code_snippet'] as const;

type Report = (id: MemoryProblemId, severity: MemoryProblem['severity'], text: Message) => void;

function checkKeys(keys: readonly string[], report: Report): void {
  for (const key of REQUIRED) if (!keys.includes(key)) report('missing-key', 'error', message('The key {key} is missing: the run refuses the whole file.', { key }));
  for (const key of Object.keys(DEFAULTS)) if (!keys.includes(key)) report('default-key-missing', 'info', message('The key {key} is missing; the run takes its default.', { key }));
  for (const key of new Set(keys)) {
    if (!KEYS.includes(key)) report('extra-key', 'error', message('The key {key} is not one of the seven: the run refuses the whole file.', { key }));
    if (keys.indexOf(key) !== keys.lastIndexOf(key)) report('duplicate-key', 'warning', message('The key {key} stands twice; the last one counts.', { key }));
  }
}

function numberOf(node: JsonNode | undefined, key: string, report: Report): number | null {
  if (node === undefined) return key in DEFAULTS ? 0 : null;
  if (node.kind === 'boolean') return node.value ? 1 : 0;
  if (node.kind === 'null') report('null-number', 'error', message('{key} is null: the run fails when it samples this skill.', { key }));
  else if (node.kind !== 'number') report('not-a-number', 'error', message('{key} is no number: the run fails when it samples this skill.', { key }));
  else if (!Number.isFinite(node.value)) report('non-finite-number', 'warning', message('{key} is {value}: the run compares it with nothing, so rank and odds are uncertain.', { key, value: node.raw }));
  return node.kind === 'number' ? node.value : null;
}

function textOf(node: JsonNode | undefined, key: string, report: Report): string | null {
  if (node === undefined) return null;
  if (node.kind === 'string') return node.value;
  report('not-text', 'error', message('{key} is no text.', { key }));
  return null;
}

function readEntry(node: JsonNode, index: number, text: string, report: Report): MemoryEntry {
  const source = text.slice(node.start, node.end);
  if (node.kind !== 'object') {
    report('not-an-object', 'error', message('This entry is no record: the run refuses the whole file.'));
    return { index, source, gameFile: null, skill: null, snippet: null, winRate: null, regret: null, rolloutId: null, metadata: null };
  }
  checkKeys(node.members.map(({ key }) => key), report);
  const members = new Map(node.members.map(({ key, value }) => [key, value]));
  const [gameFile = null, skill = null, snippet = null] = TEXTS.map((key) => textOf(members.get(key), key, report));
  const [winRate = null, regret = null, rolloutId = null] = NUMBERS.map((key) => numberOf(members.get(key), key, report));
  const metadata = members.get('metadata');
  if (metadata && metadata.kind !== 'object') report('not-an-object-metadata', 'warning', message('metadata is no object.'));
  return { index, source, gameFile, skill, snippet, winRate, regret, rolloutId, metadata: metadata ? toPlain(metadata) : {} };
}

/**
 * Reads a memory file. Entries that are wrong are kept with their problems. Throws an `EnvwrightError` with the code
 * `memory/torn` when the text is no JSON (the run would fail on it too) and `memory/not-a-memory` when it is no list.
 */
export function readMemory(text: string): MemoryFile {
  const root = parse(text);
  if (root.kind !== 'array') {
    throw new EnvwrightError('memory/not-a-memory', message('This JSON file is no list of records. Nothing was changed.'), message('Choose the env_memory.json of a run.'));
  }
  const problems: MemoryProblem[] = [];
  const entries = root.items.map((node, index) => readEntry(node, index, text, (id, severity, words) =>
    problems.push({ id, severity, index, line: text.slice(0, node.start).split('\n').length, message: words })));
  return { entries, problems };
}

function parse(text: string): JsonNode {
  try {
    return parsePythonJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const empty = text.trim() === '';
    throw new EnvwrightError(
      'memory/torn',
      empty
        ? message('The memory file is empty. Nothing was changed.')
        : message('Line {line} is torn: {problem} (column {column}). Nothing was changed.', { line: error.line, column: error.column, problem: error.problem }),
      empty
        ? message('The run would fail on it too. Write [] into it, or put a backup in its place.')
        : message('The run would fail on it too. Mend the file, or put a backup in its place.'),
      { cause: error },
    );
  }
}
