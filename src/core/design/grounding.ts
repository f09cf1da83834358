import { words as wordsOf } from '../pythonText';
import { KINDS, type DesignKind } from './skills';

/** A document to build an environment on. `id` says where it came from, for provenance. */
export interface GroundingDocument {
  readonly id: string;
  readonly text: string;
}

/** A document as the prompt holds it. */
export interface CutDocument extends GroundingDocument {
  readonly words: number;
  readonly usedWords: number;
}

/** The line that marks where a document was cut. */
export const CUT_MARK = '[the document goes on]';

/** Collapses blanks and cuts at the longest document of the kind, as the run does (run contract §8). */
export function cutDocument({ id, text }: GroundingDocument, kind: DesignKind): CutDocument {
  const words = wordsOf(text);
  const limit = KINDS[kind].documentWords;
  if (words.length <= limit) return { id, text: words.join(' '), words: words.length, usedWords: words.length };
  return { id, text: `${words.slice(0, limit).join(' ')}\n${CUT_MARK}`, words: words.length, usedWords: limit };
}
