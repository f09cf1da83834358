import type { Verdict } from '../../src/shared/findings';
import { iconButton, link } from '../ui/controls';
import { el, fill } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { icon, type IconName } from '../ui/icons';
import { say, t } from '../ui/strings';
import type { Actions, Model, View } from './model';

const verdicts: Readonly<Record<Verdict, readonly [IconName, string]>> = {
  accept: ['check', 'ok'], 'accept-with-warnings': ['warning', 'warning'], reject: ['error', 'err'], 'cannot-run': ['info', 'info'],
};

function verdictWord(verdict: Verdict): string {
  return { accept: t('accept'), 'accept-with-warnings': t('accept with warnings'), reject: t('reject'), 'cannot-run': t('cannot run') }[verdict];
}

/** What is played: class, file, facts, verdict, session. */
export class Header implements View {
  readonly element = el('header', { class: 'hd', attrs: { 'data-region': '' } });
  private readonly changed = changeOf();

  constructor(private readonly actions: Actions) {}

  update({ state }: Model): void {
    const { className, file, facts, verdict, session, notModel, can, slots } = state;
    if (!this.changed({ className, file, facts, verdict, session, notModel, can, any: slots.length > 0 })) return;
    const meta = el('span', { class: 'meta muted ell' });
    facts.forEach((fact, index) => {
      if (index > 0) meta.append(el('span', { class: 'dot', text: '\u00b7' }));
      meta.append(say(fact));
    });
    const acts = el('div', { class: 'row right acts' }, el('span', { class: 'muted small session', text: say(session) }));
    if (can.includes('sessions')) acts.append(iconButton('history', t('Saved sessions\u2026'), () => this.actions.open('session')));
    if (can.includes('replay') && slots.length > 0) acts.append(iconButton('replay', t('Replay the same actions on the file as it is now'), () => this.actions.replayAll()));
    if (can.includes('push')) acts.append(iconButton('up', t('Accept and push\u2026'), () => this.actions.open('push')));
    if (can.includes('compare') && slots.length > 0) acts.append(iconButton('compare', t('Compare with another session'), () => this.actions.open('compare')));
    if (can.includes('export') && slots.length > 0) acts.append(iconButton('open', t('Export\u2026'), () => this.actions.open('export')));
    acts.append(iconButton('more', t('Settings'), () => this.actions.open('settings')));
    fill(this.element, el('h1', { text: className ?? t('No environment') }), this.fileLink(file), meta, this.chip(verdict), acts);
    if (notModel) meta.after(el('span', { class: 'chip', title: say(notModel) }, icon('info', 'info'), el('span', { text: t('not a model') })));
  }

  private fileLink(file: string): HTMLElement {
    const control = link(file.split('/').pop() ?? file, () => this.actions.open('file'), 'file');
    control.title = file;
    return control;
  }

  private chip(verdict: Model['state']['verdict']): HTMLElement {
    if (!verdict) return el('span', { class: 'chip' }, icon('info', 'muted'), el('span', { text: t('not checked') }));
    const [shape, tone] = verdicts[verdict.verdict];
    const detail = verdict.detail || (verdict.count > 0 ? String(verdict.count) : '');
    return el('button', { class: 'chip', title: t('Open Problems'), attrs: { type: 'button' }, on: { click: () => this.actions.open('problems') } },
      icon(shape, tone), el('span', { text: verdictWord(verdict.verdict) }), detail !== '' && el('span', { class: 'muted', text: detail }));
  }
}
