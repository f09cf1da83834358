import type { DisplacedRow, EarlierPush, PushCheck, PushState } from '../../src/shared/webviewPush';
import { chance, classWord, figure, inRegenerations, shapeOf } from '../memory/shapes';
import { button, link } from '../ui/controls';
import { el, fill } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { icon, type IconName } from '../ui/icons';
import { say, t } from '../ui/strings';
import { appendText } from '../ui/text';
import { miniLine } from './line';
import { timeOf, type Actions, type View } from './model';

const TONES: Readonly<Record<PushState['sentence']['tone'], readonly [IconName, string]>> = { ok: ['check', 'ok'], info: ['info', 'info'], warning: ['warning', 'warning'], error: ['error', 'err'] };
const SEVERITIES: Readonly<Record<PushCheck['severity'], readonly [IconName, string, string]>> = { error: ['error', 'err', 'Error'], warning: ['warning', 'warning', 'Warning'], passed: ['check', 'ok', 'Passed'] };

/** The effect: sentence, figures, what to know before, what it displaces; after the push its receipts and the earlier pushes. */
export class Effect implements View {
  readonly element = el('section', { class: 'main scroll', tabindex: 0, attrs: { 'data-region': '' } });
  private readonly changed = changeOf();

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('Effect of the push'));
  }

  update(state: PushState): void {
    if (!this.changed({ ...state, line: null, foot: null })) return;
    const before = state.phase === 'preview' || state.phase === 'pushing' || (state.phase === 'failed' && state.receipts.length === 0);
    fill(this.element,
      state.stale && el('p', { class: 'note' }, icon('warning', 'warning'), el('span', { text: t('The file has changed since. What is shown, and pushed, is of the text before.') })),
      el('section', {}, sentence(state), figures(state)),
      before && el('section', {}, el('h2', { text: t('Before you push') }), el('ul', { class: 'checks' }, ...state.checks.map((check) => this.check(check)))),
      before && el('section', {}, el('h2', { text: t('What it displaces') }), el('p', { class: 'muted', text: state.displaces.summary.map(say).join(' ') }), state.displaces.rows.length > 0 && displacedTable(state.displaces.rows)),
      state.receipts.length > 0 && el('section', {}, el('h2', { text: t('Receipts') }), receipts(state.receipts)),
      state.earlier.length > 0 && el('section', {}, el('div', { class: 'row' }, el('h2', { text: t('Earlier pushes to this run') }), link(t('Open ledger'), () => this.actions.act('ledger'))), this.earlier(state.earlier)));
  }

  private check({ severity, name, texts, action }: PushCheck): HTMLElement {
    const [shape, tone, word] = SEVERITIES[severity];
    const body = el('div', { class: 'grow' }, el('span', { class: 'sr', text: `${t(word)}: ` }), el('b', { text: say(name) }));
    body.append(' ');
    appendText(body, texts.map(say).join(severity === 'passed' ? ', ' : ' '));
    return el('li', {}, icon(shape, tone), body, action && el('div', { class: 'row acts' }, action.id === 'play' ? button(say(action.label), () => this.actions.act(action.id), { small: true }) : link(say(action.label), () => this.actions.act(action.id))));
  }

  private earlier(pushes: readonly EarlierPush[]): HTMLElement {
    const head = el('tr', {}, ...[t('File'), t('Pushed'), t('State')].map((text) => el('th', { text, attrs: { scope: 'col' } })), el('td'), el('td'));
    return el('table', { class: 'led' }, el('thead', {}, head), el('tbody', {}, ...pushes.map(({ id, name, at, line, note, action }) => {
      const file = el('td', { class: 'ell' });
      appendText(file, name);
      const said = el('td', { class: 'wide' });
      appendText(said, say(note));
      return el('tr', {}, file, el('td', { class: 'muted nw', text: timeOf(at) }), el('td', {}, miniLine(line)), said,
        el('td', { class: 'r' }, action === 'undo' ? link(t('Undo'), () => this.actions.undo(id)) : action === 'again' ? link(t('Push again'), () => this.actions.again(id)) : null));
    })));
  }
}

function sentence({ sentence: { tone, strong, rest } }: PushState): HTMLElement {
  const [shape, colour] = TONES[tone];
  const words = el('span', {}, el('b', { text: say(strong) }), ' ');
  appendText(words, rest.map(say).join(' '));
  return el('p', { class: 'say', role: 'status' }, icon(shape, colour), words);
}

function figures({ figures: f }: PushState): HTMLElement {
  const [shape, tone] = shapeOf({ class: f.class, inPool: f.class === 'seed' && f.odds > 0 });
  const fig = (name: string, value: (Node | string)[], below: string): HTMLElement => el('div', { class: 'fig' }, el('dt', { text: name }), el('dd', { class: 'v' }, ...value), el('dd', { class: 's', text: below }));
  const bands = { seed: t('win rate .15 to .85'), 'too-easy': t('win rate above .9'), 'too-hard': t('win rate below .1'), 'dead-zone': t('win rate .1 to .15, .85 to .9') };
  const range = f.rank === null ? t('has no pool') : f.rankRange === null ? t('interval not known') : f.rankRange.best === f.rankRange.worst ? t('also over the interval') : t('could be {best} to {worst}', f.rankRange);
  const never = t('never drawn');
  return el('dl', { class: 'out' },
    fig(t('Class'), [icon(shape, tone), classWord(f.class)], bands[f.class]),
    fig(t('Rank in its pool'), [f.rank === null ? '\u2013' : t('{rank} of {all}', { rank: f.rank, all: f.ranked })], range),
    fig(t('Drawn in next prompt'), [chance(f.odds)], f.drawn ? t('{take} of {of}, exact', f.drawn) : f.class === 'seed' ? t('below the pool') : never),
    fig(t('Drawn by eviction'), [chance(f.oddsByEviction)], f.odds === 0 ? (f.class === 'seed' ? t('if the pool stays') : never)
      : t('{n} prompts \u00d7 {times}{assumed}, if the pool stays', { n: f.prompts.count, times: f.evictedIn ?? 0, assumed: f.prompts.assumed ? t(' (assumed)') : '' })),
    fig(t('Evicted'), [inRegenerations(f.evictedIn)], f.evictedAt === null ? t('regenerations') : t('regenerations, rollout {n}', { n: f.evictedAt })));
}

function displacedTable(rows: readonly DisplacedRow[]): HTMLElement {
  const heads = [t('Rank now'), t('after'), t('Record'), t('Regret'), t('Drawn now'), t('after')];
  const odds = (value: number | null): string => (value === null ? '\u2013' : chance(value));
  const notes = { 'this-push': t('this push'), older: t('the same regret'), 'leaves-pool': t('leaves the pool'), 'leaves-memory': t('leaves the memory') };
  return el('table', { class: 'disp' }, el('thead', {}, el('tr', {}, ...heads.map((text, at) => el('th', { class: at === 2 ? '' : 'r', text, attrs: { scope: 'col' } })), el('td'))),
    el('tbody', {}, ...rows.flatMap(({ now, after, name, regret, oddsNow, oddsAfter, note, poolEnd }) => {
      const record = el('td', { class: 'ell' });
      appendText(record, name);
      const shape = note === 'this-push' ? icon('won', 'ok') : note === 'leaves-pool' || note === 'leaves-memory' ? icon('tooHard', 'warning') : null;
      const line = el('tr', { class: note === 'this-push' ? 'own' : '' }, el('td', { class: 'r', text: now === null ? '\u2013' : String(now) }), el('td', { class: 'r', text: after === null ? '\u2013' : String(after) }), record,
        el('td', { class: 'r', text: figure(regret) }), el('td', { class: 'r', text: odds(oddsNow) }), el('td', { class: 'r', text: odds(oddsAfter) }),
        el('td', {}, el('span', { class: 'row' }, shape, note && el('span', { class: note === 'older' ? 'muted' : '', text: notes[note] }))));
      return poolEnd ? [line, el('tr', { class: 'cutrow' }, el('td', { attrs: { colspan: '7' } }, el('span', { text: t('Pool ends here') })))] : [line];
    })));
}

function receipts(items: PushState['receipts']): HTMLElement {
  return el('table', { class: 'led' }, el('tbody', {}, ...items.map(({ at, state, note }) => {
    const said = el('td', { class: 'muted wide' });
    appendText(said, note);
    return el('tr', {}, el('td', { class: 'mono nw', text: timeOf(at) }), el('td', { text: t(state) }), said);
  })));
}
