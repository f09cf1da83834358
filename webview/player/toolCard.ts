import type { ToolCall } from '../../src/shared/play';
import type { StepView } from '../../src/shared/webviewProtocol';
import { el } from '../ui/dom';
import { icon } from '../ui/icons';
import { appendFolded, appendText } from '../ui/text';
import { head } from '../ui/visible';
import { t } from '../ui/strings';

const VALUE = { lines: 4, chars: 400 };

/** One tool call: its name and its arguments, a line each. */
function callCard(call: ToolCall): HTMLElement {
  const name = el('b', { class: 'mono' });
  appendText(name, call.name);
  const card = el('div', { class: 'card' }, el('header', {}, icon('tool', 'muted'), name));
  const args = call.arguments;
  const rows = args !== null && typeof args === 'object' && !Array.isArray(args) ? Object.entries(args) : [['', args] as const];
  if (rows.length === 0) card.append(el('div', { class: 'cargs muted small', text: t('no arguments') }));
  for (const [key, value] of rows) {
    const left = el('span', { class: 'muted' });
    const right = el('span', { class: 'said' });
    appendText(left, key);
    const text = JSON.stringify(value) ?? 'null';
    const shown = head(text, VALUE);
    appendText(right, shown === text ? text : `${shown} …`);
    card.append(el('div', { class: 'cargs mono kv' }, left, right));
  }
  return card;
}

/** The calls of a step as cards; the environment's answer stands in the last one. */
export function toolCards(step: StepView, unfolded: boolean, onUnfold: () => void, open: () => void): HTMLElement[] {
  const cards = step.calls.map(callCard);
  if (step.result) {
    const result = el('div', { class: 'cres mono said' }, el('span', { class: 'muted', text: '→ ' }));
    appendFolded(result, { text: step.result, unfolded, onUnfold, open });
    cards.at(-1)?.append(result);
  }
  return cards;
}
