import { drawExamples } from '../../core/design/examples';
import { estimateTokens } from '../../core/design/tokens';
import type { MemoryEntry } from '../../core/memory/readMemory';
import { classify, negativePool, seedPool } from '../../core/memory/sampling';
import { codePoints, firstCodePoints } from '../../core/pythonText';
import { DEFAULT_SNIPPET_CHARS } from '../../core/memory/writeMemory';
import { stem } from '../../core/run/paths';
import { TEXT_LIMIT } from '../../shared/webviewProtocol';
import type { Draw, ReadPart } from '../../shared/webviewMemory';
import { cutText } from '../play/texts';
import { shortName } from '../../core/run/runNames';
import { keysOf, saysOf } from './memoryState';

/** Seeds that are tried to find a draw that holds a record: at odds of a tenth one of these does, but for one case in ten thousand million. */
const TRIES = 256;

/** One possible draw for the skill of the record `key`; with `seed` null the first that holds it. Undefined when there is no such record. */
export function drawFor(entries: readonly MemoryEntry[], key: string, seed: number | null): Draw | undefined {
  const keys = keysOf(entries);
  const wanted = entries[keys.indexOf(key)];
  if (!wanted) return undefined;
  const canBeDrawn = wanted.skill !== null && [...seedPool(entries, wanted.skill), ...negativePool(entries, wanted.skill)].includes(wanted);
  const parts = (from: number): MemoryEntry[] => drawnEntries(entries, wanted.skill, from);
  let from = seed ?? 1;
  if (seed === null && canBeDrawn) for (let tried = 1; tried <= TRIES && !parts(from).includes(wanted); tried += 1) from = tried + 1;
  const drawn = parts(from);
  const read = drawn.map((entry) => partOf(entry, keys[entries.indexOf(entry)] ?? null));
  return { skill: wanted.skill, seed: from, holds: drawn.includes(wanted), tokens: read.reduce((sum, { text }) => sum + estimateTokens(text.text), 0), parts: read };
}

/** The records of a draw; the examples name them by file and text. */
function drawnEntries(entries: readonly MemoryEntry[], skill: string | null, seed: number): MemoryEntry[] {
  if (skill === null) return [];
  const left = [...entries];
  return drawExamples(entries, skill, seed).flatMap(({ gameFile, code }) => {
    const at = left.findIndex((entry) => (entry.gameFile ?? '') === gameFile && firstCodePoints(entry.snippet ?? '', DEFAULT_SNIPPET_CHARS) === code);
    return at < 0 ? [] : left.splice(at, 1);
  });
}

/** What a prompt carries of a record: a seed's text, cut where the run cuts; of an example to avoid only name and reason. */
export function partOf(entry: MemoryEntry, key: string | null, whole: string = entry.snippet ?? ''): ReadPart {
  const kind = classify(entry.winRate);
  const use = kind === 'seed' || kind === 'dead-zone' ? 'seed' : 'negative';
  const name = use === 'negative' ? stem(entry.gameFile ?? '\u2013') : shortName(entry.gameFile);
  const says = saysOf(entry, use, { class: kind });
  if (use === 'negative') return { use, key, name, says, text: cutText(name), cut: null };
  const length = codePoints(whole);
  const shown = firstCodePoints(whole, Math.min(DEFAULT_SNIPPET_CHARS, TEXT_LIMIT));
  return { use, key, name, says, text: cutText(shown), cut: length > DEFAULT_SNIPPET_CHARS ? { shown: DEFAULT_SNIPPET_CHARS, length } : null };
}

/** A draw as one text, for a document or the clipboard. */
export function drawText({ parts }: Draw, say: (part: ReadPart) => string): string {
  return parts.map((part) => `# ${say(part)}\n${part.use === 'seed' ? `${part.text.text}\n` : ''}`).join('\n');
}
