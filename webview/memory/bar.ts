import type { MemoryClass } from '../../src/shared/memory';
import type { MemoryFindingId } from '../../src/shared/webviewMemory';
import { field, Select, TextBox } from '../ui/controls';
import { el, fill } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { t } from '../ui/strings';
import { findingCounts, skillsOf } from './model';
import type { Actions, Model, View } from './view';
import { classWord } from './shapes';

const ALL = '';
const KINDS: readonly MemoryClass[] = ['seed', 'too-easy', 'too-hard', 'dead-zone'];

/** Skill, class, filter, findings. */
export class Bar implements View {
  readonly element = el('section', { class: 'ctl', attrs: { 'data-region': '' } });
  private readonly skill = new Select((value) => this.actions.set({ skill: value === ALL ? null : value }));
  private readonly kind = new Select((value) => this.actions.set({ kind: KINDS.find((kind) => kind === value) ?? null }));
  private readonly query: TextBox;
  private readonly findings = el('div', { class: 'row findings' });
  private readonly changed = changeOf();

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('Filters'));
    this.query = new TextBox((value) => actions.set({ query: value }), 'query', { live: true, placeholder: t('Filter by file or code') });
    this.query.element.setAttribute('aria-label', t('Filter by file or code'));
    this.skill.element.classList.add('skillpick');
    this.element.append(field(t('Skill'), this.skill.element), field(t('Class'), this.kind.element), this.query.element, this.findings);
  }

  update({ state: { rows, unreadable }, ui }: Model): void {
    this.element.hidden = rows.length === 0 || unreadable !== null;
    const skills = skillsOf(rows);
    this.skill.update([...skills.map(({ skill, count }) => ({ value: skill, label: `${skill} (${count})` })), { value: ALL, label: t('All skills ({n})', { n: rows.length }) }], ui.skill ?? ALL);
    this.kind.update([{ value: ALL, label: t('All') }, ...KINDS.map((kind) => ({ value: kind, label: classWord(kind) }))], ui.kind ?? ALL);
    this.query.update(ui.query, false);
    const counts = [...findingCounts(rows)];
    if (!this.changed([counts, ui.finding])) return;
    const total = counts.reduce((sum, [, n]) => sum + n, 0);
    this.findings.hidden = total === 0;
    fill(this.findings, el('span', { class: 'muted', text: total === 1 ? t('1 finding:') : t('{n} findings:', { n: total }) }), ...counts.map(([id, n]) => this.toggle(id, n, ui.finding === id)));
  }

  /** Shows only the records with a finding, in all skills. */
  private toggle(id: MemoryFindingId, n: number, pressed: boolean): HTMLElement {
    return el('button', {
      class: 'lnk', text: findingWords(id, n), attrs: { type: 'button', 'aria-pressed': String(pressed) },
      on: { click: () => this.actions.set(pressed ? { finding: null } : { finding: id, skill: null, kind: null }) },
    });
  }
}

/** How many records have a finding, in words. */
function findingWords(id: MemoryFindingId, n: number): string {
  switch (id) {
    case 'duplicate': return n === 1 ? t('1 duplicate') : t('{n} duplicates', { n });
    case 'cut-snippet': return n === 1 ? t('1 cut text') : t('{n} cut texts', { n });
    case 'unknown-skill': return n === 1 ? t('1 unknown skill') : t('{n} unknown skills', { n });
    case 'problem': return n === 1 ? t('1 record the run fails on') : t('{n} records the run fails on', { n });
  }
}
