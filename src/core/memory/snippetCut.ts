import { codePoints, firstCodePoints } from '../pythonText';
import { DEFAULT_SNIPPET_CHARS } from './writeMemory';

/** Where the run cuts a code: `offset` in UTF-16 units as editors count, `shown` and `length` in code points. */
export interface SnippetCut {
  readonly offset: number;
  readonly shown: number;
  readonly length: number;
}

/** The cut that the run makes when it keeps a code in its memory (run contract §7); null when it keeps the whole. */
export function snippetCut(code: string, snippetChars = DEFAULT_SNIPPET_CHARS): SnippetCut | null {
  const kept = firstCodePoints(code, snippetChars);
  return kept.length === code.length ? null : { offset: kept.length, shown: snippetChars, length: codePoints(code) };
}
