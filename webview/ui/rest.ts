import type { CutText } from '../../src/shared/webviewProtocol';
import { count } from './format';
import { t } from './strings';

/** Says what a cut leaves out: lines when whole lines are missing, else characters: the rest of one line can be a whole document. */
export function restOf(text: CutText, shown: string): string {
  const lines = text.lines - shown.split('\n').length;
  const isInLine = shown.length < text.text.length && text.text[shown.length] !== '\n';
  if (lines > 0 && !isInLine) return lines === 1 ? t('1 more line') : t('{n} more lines', { n: count(lines) });
  const chars = text.length - [...shown].length;
  return chars < 1000 ? t('{n} more characters', { n: chars }) : t('{n} kB more', { n: (chars / 1000).toFixed(1) });
}
