import type { MemoryRowView, ReadPart } from '../../src/shared/webviewMemory';
import { iconButton, link, TextBox } from '../ui/controls';
import { el, fill, setText, type Child } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { count, range, signed, tokens } from '../ui/format';
import { icon } from '../ui/icons';
import { say, t } from '../ui/strings';
import { appendText } from '../ui/text';
import type { Actions, Model, View } from './view';
import { readPart } from './readPart';
import { classWord, drawnWords, figure, inRegenerations, shapeOf } from './shapes';

/** The chosen record, and the exact text of one possible draw of its skill. */
export class Detail implements View {
  readonly element = el('aside', { class: 'det', attrs: { 'data-region': '' } });
  private readonly head = el('header', { class: 'trh' });
  private readonly facts = el('dl', { class: 'facts' });
  private readonly notes = el('div', { class: 'notes' });
  private readonly size = el('span', { class: 'n muted' });
  private readonly seed: TextBox;
  private readonly note = el('p', { class: 'small drawnote' });
  private readonly reading = el('div', { class: 'rd mono scroll', tabindex: 0, role: 'region' });
  private readonly pane: HTMLElement;
  private readonly unfolded = new Set<string>();
  private readonly changed = changeOf();
  private readonly readingChanged = changeOf();

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('Chosen record'));
    this.reading.setAttribute('aria-label', t('Text of one possible draw'));
    this.seed = new TextBox((value) => /^\d{1,9}$/.test(value.trim()) && actions.draw(Number(value)), 'w48');
    this.seed.element.setAttribute('aria-label', t('Seed of the draw'));
    this.pane = el('section', { class: 'pane grow readpane' },
      el('h3', {}, el('span', { text: t('What the designer reads') }), this.size,
        el('span', { class: 'row right acts' }, iconButton('copy', t('Copy'), () => actions.copyDraw()), iconButton('open', t('Open as document'), () => actions.openDraw()))),
      el('div', { class: 'row small drawrow' }, el('span', { class: 'muted', text: t('One possible draw, seed') }), this.seed.element, link(t('Draw again'), () => actions.draw(-1))),
      this.note, this.reading);
    this.element.append(this.head, this.facts, this.notes, this.pane);
  }

  update(model: Model): void {
    const { state, chosen, gone, draw } = model;
    this.element.hidden = state.rows.length === 0 && !chosen;
    if (this.changed([chosen, gone, state.pool, state.prompts, state.facts])) {
      this.drawHead(chosen, gone);
      fill(this.facts, ...(chosen ? this.factsOf(chosen, model) : []));
      fill(this.notes, ...(chosen?.findings ?? []).map(({ text }) => el('p', { class: 'note' }, icon('warning', 'warning'), el('span', { text: say(text) }))));
    }
    this.pane.hidden = !draw;
    if (!draw || !this.readingChanged([draw, chosen?.key, [...this.unfolded]])) return;
    this.seed.update(String(draw.seed), false);
    setText(this.size, t('{tokens}, estimated', { tokens: tokens(draw.tokens) }));
    setText(this.note, draw.holds ? t('The code stands as it is; the words around it are the run\u2019s.') : t('This draw does not hold the chosen record. The code stands as it is; the words around it are the run\u2019s.'));
    fill(this.reading, ...draw.parts.map((part, at) => this.part(part, at, part.key === chosen?.key, model)), draw.parts.length === 0 && el('p', { class: 'muted ui empty', text: t('No record of this skill can be drawn now: its prompts carry no examples.') }));
  }

  private part(part: ReadPart, at: number, isChosen: boolean, model: Model): HTMLElement {
    const id = `${model.draw?.seed}-${at}-${part.key}`;
    return readPart(part, {
      who: part.use === 'seed' ? t('seed {n}', { n: at + 1 }) : t('negative'), isChosen, unfolded: this.unfolded.has(id), open: () => this.actions.openDraw(),
      onUnfold: () => {
        this.unfolded.add(id);
        this.update(model);
      },
    });
  }

  private drawHead(chosen: MemoryRowView | null, gone: Model['gone']): void {
    if (!chosen) return fill(this.head, el('span', { class: 'muted', text: t('Choose a record.') }));
    const name = el('h2', { class: 'ell', title: chosen.gameFile ?? '' });
    appendText(name, chosen.name);
    fill(this.head, name, !gone && el('span', { class: 'row right acts' },
      iconButton('open', t('Open (Enter)'), () => this.actions.onRecord('open')),
      iconButton('play', t('Play (P)'), () => this.actions.onRecord('play')),
      iconButton('trash', t('Remove from memory (Delete)'), () => this.actions.onRecord('remove'))));
  }

  private factsOf(row: MemoryRowView, { state, gone }: Model): Child[] {
    const [shape, tone] = shapeOf(row);
    const fact = (name: string, ...value: Child[]): Child[] => [el('dt', { text: name }), el('dd', {}, ...value)];
    const quiet = (text: string): HTMLElement => el('span', { class: 'muted', text });
    const place = row.rank === null ? '' : row.inPool
      ? t(', rank {rank} of {all}, in the pool of {pool}', { rank: row.rank, all: row.ranked, pool: state.pool })
      : t(', rank {rank} of {all}, below the pool of {pool}', { rank: row.rank, all: row.ranked, pool: state.pool });
    const [next, ever] = drawnWords(row);
    if (gone) return fact(t('Gone'), goneWords(gone));
    return [
      ...fact(t('Class'), el('span', { class: 'row' }, icon(shape, tone), `${classWord(row.class)}${place}`)),
      ...fact(t('Win rate'), `${figure(row.winRate)} `, quiet(basis(row.winInterval, row.plays === null ? t('n \u2013') : t(row.plays === 1 ? '{wins}/{n} play' : '{wins}/{n} plays', { wins: row.wins ?? '\u2013', n: row.plays })))),
      ...fact(t('Regret'), `${row.regret === null ? '\u2013' : signed(row.regret)} `, quiet(basis(row.regretInterval, row.pairs === null ? t('n \u2013') : row.pairs === 1 ? t('1 pair') : t('{n} pairs', { n: row.pairs })))),
      ...(row.rankRange ? fact(t('Rank could be'), `${row.rankRange.best === row.rankRange.worst ? row.rankRange.best : t('{best} to {worst}', row.rankRange)} `, quiet(t('over the regret interval'))) : []),
      ...fact(t('Drawn'), ...(row.odds > 0
        ? [`${next} `, quiet(t('next prompt, exact')), ' \u00b7 ', `${ever} `, quiet(t('by eviction, if the pool stays'))]
        : [row.class === 'dead-zone' ? t('never: dead zone') : t('not now: below the pool')])),
      ...fact(t('Evicted'), `${inRegenerations(row.evictedIn)} `, quiet(row.evictedAt === null ? t('regenerations') : t('regenerations, rollout {n}', { n: row.evictedAt }))),
      ...fact(t('Provenance'), row.provenance ? say(row.provenance) : t('the run'), quiet(row.rollout === null ? '' : ` ${t('at rollout {n}', { n: count(row.rollout) })}`), ' ', link(t('record'), () => this.actions.onRecord('metadata')), ' \u00b7 ', link(t('in the file'), () => this.actions.onRecord('inFile'))),
    ];
  }
}

function goneWords({ how, rollout }: NonNullable<Model['gone']>): string {
  if (how === 'removed') return t('taken out of the memory');
  return rollout === null ? t('evicted: newer records took its place') : t('evicted at rollout {n}: newer records took its place', { n: count(rollout) });
}

const basis = (interval: MemoryRowView['winInterval'], n: string): string => (interval ? `${range(interval)} \u00b7 ${n}` : n);
