import type { PromptState } from '../../src/shared/webviewDesign';
import { button, CheckBox, link, nameControl, Segments, Select, TextBlock, TextBox } from '../ui/controls';
import { el, fill, setText } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { icon } from '../ui/icons';
import { say, t } from '../ui/strings';
import { appendText } from '../ui/text';
import type { Actions, View } from './model';

/** A labelled row of a group: the label stands over its control. */
function labelled(label: string, ...controls: HTMLElement[]): HTMLElement {
  return el('div', { class: 'over' }, el('span', { class: 'muted small', text: label, attrs: { 'aria-hidden': 'true' } }), el('div', { class: 'row' }, ...controls));
}

function named(label: string, control: HTMLElement): HTMLElement {
  nameControl(control, label);
  return control;
}

/** A group that folds, with the swatch of its parts. */
function group(title: string, source: string | null, ...body: HTMLElement[]): HTMLElement {
  const inside = el('div', { class: 'in' }, ...body);
  const arrow = el('span', {}, icon('down'));
  const toggle = el('button', {
    class: 'toggle', attrs: { type: 'button', 'aria-expanded': 'true' },
    on: {
      click: () => {
        inside.hidden = !inside.hidden;
        toggle.setAttribute('aria-expanded', String(!inside.hidden));
        fill(arrow, icon(inside.hidden ? 'right' : 'down'));
      },
    },
  }, arrow, source === null ? null : el('i', { class: `sw sw-${source}` }), el('span', { text: title }));
  return el('section', { class: 'pane' }, el('h3', {}, toggle), inside);
}

const whole = (text: string): number | null => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : null);

/** Everything that the prompt is chosen by. */
export class Side implements View {
  readonly element = el('aside', { class: 'det', attrs: { 'data-region': '' } });
  private readonly kind: Select;
  private readonly skill: Select;
  private readonly difficulty: Segments<string>;
  private readonly themeSeed: TextBox;
  private readonly themeRow: HTMLElement;
  private readonly theme = el('p', { class: 'small muted' });
  private readonly ground: CheckBox;
  private readonly documentName = el('p', { class: 'small ell' });
  private readonly documentFacts = el('p', { class: 'small muted' });
  private readonly documentActs = el('div', { class: 'row wrap' });
  private readonly memory: CheckBox;
  private readonly memoryFacts = el('p', { class: 'small muted' });
  private readonly seeds: TextBox;
  private readonly negatives: TextBox;
  private readonly drawSeed: TextBox;
  private readonly memoryRows = el('div', { class: 'stack' });
  private readonly memoryActs = el('div', { class: 'row wrap' });
  private readonly findings: CheckBox;
  private readonly wish: TextBlock;
  private readonly feedbackNote = el('p', { class: 'small muted' });
  private readonly model = el('p', { class: 'ell' });
  private readonly modelFacts = el('p', { class: 'small muted' });
  private readonly changed = changeOf();

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('What the prompt is made of'));
    const number = (key: 'themeSeed' | 'drawSeed' | 'seeds' | 'negatives', width: string) => new TextBox((text) => {
      const value = whole(text);
      if (value !== null) actions.change({ [key]: value });
    }, width);
    this.kind = new Select((kind) => actions.change({ kind }));
    this.skill = new Select((skill) => actions.change({ skill }));
    this.difficulty = new Segments(t('Difficulty'), [{ value: 'easy', label: t('Easy') }, { value: 'medium', label: t('Medium') }, { value: 'hard', label: t('Hard') }], (difficulty) => actions.change({ difficulty }));
    [this.themeSeed, this.drawSeed, this.seeds, this.negatives] = [number('themeSeed', 'w62'), number('drawSeed', 'w62'), number('seeds', 'w36'), number('negatives', 'w36')];
    this.themeRow = labelled(t('Theme seed'), named(t('Theme seed'), this.themeSeed.element), link(t('Next theme'), () => actions.act('nextTheme')));
    this.ground = new CheckBox((useDocument) => (useDocument ? this.reground() : actions.change({ useDocument })));
    this.memory = new CheckBox((useMemory) => actions.change({ useMemory }));
    this.findings = new CheckBox((useFeedback) => actions.change({ useFeedback }));
    this.wish = new TextBlock(t('Anything the designer should change'), (wish) => actions.change({ wish }), 3, true);
    this.memoryRows.append(
      el('div', { class: 'row' }, el('span', { class: 'muted', text: t('Follow') }), named(t('Examples to follow'), this.seeds.element), el('span', { class: 'muted', text: t('Avoid') }), named(t('Examples to avoid'), this.negatives.element)),
      el('div', { class: 'row' }, el('span', { class: 'muted', text: t('Draw seed') }), named(t('Draw seed'), this.drawSeed.element)), this.memoryActs);
    this.element.append(el('div', { class: 'scroll grow', tabindex: 0, role: 'region', attrs: { 'aria-label': t('Choices') } },
      group(t('Task'), 'task', labelled(t('Kind'), named(t('Kind'), this.kind.element)), labelled(t('Skill'), named(t('Skill'), this.skill.element)), labelled(t('Difficulty'), this.difficulty.element),
        this.themeRow, this.theme),
      group(t('Document'), 'document', this.ground.element, this.documentName, this.documentFacts, this.documentActs),
      group(t('Memory examples'), 'memory', this.memory.element, this.memoryRows, this.memoryFacts),
      group(t('Feedback'), 'feedback', this.findings.element, this.wish.element, this.feedbackNote),
      group(t('Model'), null, this.model, this.modelFacts, el('div', { class: 'row wrap' }, link(t('Choose\u2026'), () => actions.act('chooseModel')), link(t('Test connection'), () => actions.act('testConnection')), link(t('Settings'), () => actions.act('settings'))))));
  }

  private state: PromptState | null = null;

  /** Puts the document back; draws one when there was none. */
  private reground(): void {
    if (this.state?.document.id !== null) this.actions.change({ useDocument: true });
    else this.actions.act(this.state.document.corpus ? 'drawDocument' : this.state.document.editor !== null ? 'fromEditor' : 'chooseCorpus');
  }

  update(state: PromptState): void {
    this.state = state;
    const { task, document: doc, memory, feedback, model, restricted, designing } = state;
    if (!this.changed([task, doc, memory, feedback, model, restricted, designing])) return;
    this.kind.update(task.kinds.map(({ id, label }) => ({ value: id, label: say(label) })), task.kind);
    this.skill.update(task.skills.map((skill) => ({ value: skill, label: skill })), task.skill);
    this.difficulty.update(task.difficulty, designing);
    this.kind.disabled = this.skill.disabled = designing;
    this.themeSeed.update(String(task.themeSeed), designing);
    this.themeRow.hidden = task.theme === null;
    setText(this.theme, task.theme ?? t('The document leads: no theme is in the prompt.'));
    this.updateDocument(doc);
    this.updateMemory(memory, designing, restricted);
    this.updateFeedback(feedback, designing);
    fill(this.model);
    appendText(this.model, model.name);
    setText(this.modelFacts, model.facts.map(say).join(', '));
  }

  private updateDocument(doc: PromptState['document']): void {
    this.ground.update(t('Ground in a document'), doc.on);
    fill(this.documentName);
    this.documentName.hidden = doc.id === null;
    this.documentName.title = doc.id ?? '';
    appendText(this.documentName, doc.id ?? '');
    fill(this.documentFacts, doc.facts.map(say).join(', '));
    if (doc.problems) this.documentFacts.append('. ', link(t('Why'), () => this.actions.act('problems'), 'small'));
    fill(this.documentActs,
      ...(doc.corpus ? [button(t('Draw another'), () => this.actions.act('drawDocument'), { small: true }), link(t('Search\u2026'), () => this.actions.act('searchDocument'))] : []),
      link(doc.corpus ? t('Other corpus\u2026') : t('Choose a corpus\u2026'), () => this.actions.act('chooseCorpus')),
      doc.editor !== null && link(t('An open document\u2026'), () => this.actions.act('fromEditor')));
  }

  private updateMemory(memory: PromptState['memory'], designing: boolean, restricted: boolean): void {
    this.memory.update(memory.run === null ? t('Use the memory of a run') : t('Use the memory of {run}', { run: memory.run }), memory.on, memory.run === null || designing);
    this.memoryRows.hidden = memory.run === null;
    this.seeds.update(String(memory.seeds), designing || memory.byHand);
    this.negatives.update(String(memory.negatives), designing || memory.byHand);
    this.drawSeed.update(String(memory.drawSeed), designing || memory.byHand);
    fill(this.memoryActs, link(memory.byHand ? t('Draw again, as the run') : t('Draw again'), () => this.actions.act('drawMemory')), link(t('Choose\u2026'), () => this.actions.act('chooseExamples')));
    fill(this.memoryFacts, memory.facts.map(say).join(' '));
    if (memory.run === null && !restricted) this.memoryFacts.append(' ', link(t('Link a run\u2026'), () => this.actions.act('linkRun'), 'small'));
  }

  private updateFeedback({ on, draft, wish }: PromptState['feedback'], designing: boolean): void {
    this.findings.update(draft === null ? t('Send the last draft back') : say(draft), on, draft === null || designing);
    this.wish.element.hidden = draft === null;
    this.wish.update(wish, !on || designing);
    setText(this.feedbackNote, draft === null ? t('No draft of this kind yet: feedback goes with the next one.') : on ? t('The draft goes back with what was found in it and your words.') : t('Tick to send the draft back with your words.'));
  }
}
