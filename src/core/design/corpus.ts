/** A corpus as the run reads it: JSON lines, one document a line (run contract §8). */
import { message, type Message } from '../../shared/message';
import { parsePythonJson, toPlain, type JsonNode, type PlainJson } from '../pythonJson';
import { strip, words } from '../pythonText';

/** A document, whole: a prompt cuts it by the kind of environment. `line` counts from 1. */
export interface CorpusDocument {
  readonly kind: 'document';
  readonly line: number;
  readonly text: string;
  readonly words: number;
  readonly metadata: Readonly<Record<string, PlainJson>>;
}

/** A line that gives no document. `crashes`: the run does not skip it, it dies on it. */
export interface CorpusProblem {
  readonly kind: 'problem';
  readonly line: number;
  readonly why: Message;
  readonly crashes: boolean;
}

/** What a line of a corpus is. */
export type CorpusLine = CorpusDocument | CorpusProblem | { readonly kind: 'blank'; readonly line: number };

const TEXT_KEYS: readonly string[] = ['orig_doc', 'text'];

/** What counts as nothing in Python; NaN does not. */
function isEmpty(value: PlainJson | undefined): boolean {
  if (Number.isNaN(value)) return false;
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** `str(value)`, for the values that a text key can hold beside texts. */
function asText(value: PlainJson): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
}

function readObject(node: JsonNode, line: number): CorpusDocument | CorpusProblem {
  const plain = toPlain(node);
  if (plain === null || typeof plain !== 'object' || Array.isArray(plain)) {
    return { kind: 'problem', line, why: message('This line is JSON but no object. The run stops with an error on it.'), crashes: true };
  }
  const value = TEXT_KEYS.map((key) => plain[key]).find((candidate) => !isEmpty(candidate));
  const text = value === undefined ? '' : strip(asText(value));
  if (text === '') return { kind: 'problem', line, why: message('Neither orig_doc nor text holds anything. The run skips this line.'), crashes: false };
  const metadata = Object.fromEntries(Object.entries(plain).filter(([key]) => !TEXT_KEYS.includes(key)));
  return { kind: 'document', line, text, words: words(text).length, metadata };
}

/** Reads a corpus line by line; every line of the file gives one answer. */
export async function* readCorpus(lines: AsyncIterable<{ text: string; utf8: boolean }>): AsyncIterable<CorpusLine> {
  let line = 0;
  for await (const { text, utf8 } of lines) {
    line += 1;
    yield readCorpusLine(text, utf8, line);
  }
}

/** Reads one line of a corpus; `utf8` is false where bytes of it had to be replaced. */
export function readCorpusLine(text: string, utf8: boolean, line: number): CorpusLine {
  const inner = strip(text);
  if (!utf8) return { kind: 'problem', line, why: message('This line is no UTF-8. The run stops with an error on it.'), crashes: true };
  if (inner === '') return { kind: 'blank', line };
  return readLine(inner, line);
}

/**
 * True for a line that is a document beyond doubt, found without reading it as Python would: for going through millions.
 * False says nothing: such a line is to be read.
 */
export function isPlainDocument(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const { orig_doc: first, text: second } = value as Record<string, unknown>;
    const used = typeof first === 'string' && first !== '' ? first : second;
    return typeof used === 'string' && /^[!-~]/.test(used) && (first === undefined || typeof first === 'string');
  } catch {
    return false;
  }
}

function readLine(text: string, line: number): CorpusDocument | CorpusProblem {
  try {
    return readObject(parsePythonJson(text), line);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { kind: 'problem', line, why: message('This line is no JSON ({problem}). The run skips it.', { problem }), crashes: false };
  }
}
