/** Where a text that addresses the model was found in material; offsets in UTF-16 units, end exclusive. */
export interface Address {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const ADDRESSES =
  /\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+|every\s+)*(?:previous|prior|above|earlier|preceding|other)?\s*(?:instructions?|prompts?|rules|messages?)\b|\byou\s+are\s+(?:now\s+)?(?:an?\s+)?(?:AI|assistant|language model|chatbot|GPT|LLM)\b|\b(?:system|developer)\s+prompt\b|<\|(?:im_start|im_end|system|user|assistant|endoftext)[^>]*\|?>|\[\/?INST\]|<<\/?SYS>>|^\s*(?:system|assistant)\s*:|\bas\s+an\s+AI\b|\bdo\s+not\s+(?:tell|reveal|mention)\b[^.\n]{0,60}\b(?:user|prompt|instructions?)\b/gim;

/** Stretches of material that speak to a model rather than to a reader. To be shown, not to be cut: material stays as it is. */
export function addressesModel(text: string): Address[] {
  return [...text.matchAll(ADDRESSES)].map(({ 0: found, index }) => {
    const said = found.trim();
    const start = index + found.indexOf(said);
    return { start, end: start + said.length, text: said };
  });
}

/** A fence of code: backticks, one more than stand together anywhere in the code. */
export function codeFenceFor(code: string): string {
  return '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([run]) => run.length + 1)));
}

/** A line to put before and after a text that does not occur in it. */
export function fenceFor(text: string): string {
  let fence = '=====';
  while (text.includes(fence)) fence += '=';
  return fence;
}
