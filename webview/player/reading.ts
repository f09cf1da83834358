import type { StepView } from '../../src/shared/webviewProtocol';
import { el } from '../ui/dom';
import { appendText } from '../ui/text';
import { pieces } from './pieces';

/** Draws a reply with what the run reads highlighted. */
export function appendReply(parent: Element, shown: string, step: StepView): void {
  for (const piece of pieces(shown, step.action)) {
    if (piece.kind === 'plain') {
      appendText(parent, piece.text);
      continue;
    }
    const mark = piece.kind === 'read' ? el('mark', { class: 'act' }) : el('s', { class: 'unused' });
    appendText(mark, piece.text);
    parent.append(mark);
  }
}
