import * as vscode from 'vscode';
import type { BatchItem } from '../../core/design/batch';
import type { DesignOptions } from '../../core/design/designer';
import { DIFFICULTIES, KINDS, skillsOf, TRAINED_SKILLS, type DesignKind, type Difficulty, type Skill } from '../../core/design/skills';
import { isCancelled } from '../../core/errors';
import { Emitter, type Disposable } from '../../core/lifecycle';
import type { KeptBatch, KeptItem } from '../../core/design/storedDraft';
import { BACK } from '../interaction';
import { localize } from '../localize';
import { withProgress, type Watcher } from '../progress';
import { readSetting } from '../settings';
import { requireTrust } from '../trust';
import { designerPorts, freshSeed, optionsFor, type DesignParts } from './designer';
import { corpusPath } from './groundingSource';

/** Most drafts of one batch. */
const MOST = 256;

/** What a batch is to make. */
export interface BatchChoices {
  readonly kind: DesignKind;
  readonly skills: readonly Skill[];
  readonly difficulty: Difficulty;
  readonly count: number;
  /** Each draft gets a document of the corpus, drawn by its seed. */
  readonly grounded: boolean;
}

/** Makes batches: several drafts at once, each of which is kept as it is done, so that a batch can be cancelled and gone on with. */
export class Batches implements Disposable {
  private readonly running = new Map<number, AbortController>();
  private readonly changes = new Emitter<void>();
  /** A batch began to be made, or is no longer. */
  readonly onDidChange = this.changes.event;

  constructor(private readonly parts: DesignParts) {}

  isRunning(id: number): boolean {
    return this.running.has(id);
  }

  /** Asks what to make and makes it. Undefined when dismissed. */
  async begin(): Promise<KeptBatch | undefined> {
    requireTrust();
    const choices = await askBatch(this.parts);
    return choices && this.make(await tasksOf(choices, this.parts));
  }

  /** Makes these, as one batch. */
  async make(tasks: readonly DesignOptions[], watcher?: Watcher): Promise<KeptBatch | undefined> {
    return this.run(await this.parts.drafts.addBatch(this.parts.clock.now(), tasks), watcher);
  }

  /** Goes on with what of a batch is not done. */
  async resume(id: number): Promise<KeptBatch | undefined> {
    requireTrust();
    const batch = this.parts.drafts.batches.find((other) => other.id === id);
    return batch && !this.isRunning(id) ? this.run(batch) : undefined;
  }

  cancel(id: number): void {
    this.running.get(id)?.abort();
  }

  discard(id: number): void {
    this.cancel(id);
    this.parts.drafts.discardBatch(id);
  }

  dispose(): void {
    for (const controller of this.running.values()) controller.abort();
    this.changes.dispose();
  }

  private async run(batch: KeptBatch, watcher?: Watcher): Promise<KeptBatch | undefined> {
    const { models, drafts } = this.parts;
    const client = await models.client('designer');
    const controller = new AbortController();
    this.running.set(batch.id, controller);
    this.changes.fire();
    const keeping: Promise<void>[] = [];
    const { designBatch } = await import('../../core/design/batch');
    const stops: Error[] = [];
    try {
      await withProgress(vscode.l10n.t('Envwright: a batch of {0} drafts with {1}', batch.tasks.length, client.name), async (signal, report) => {
        const done = new Set(batch.items.flatMap(({ state }, index) => (state === 'done' ? [index] : [])));
        const resume = batch.items.map((item): BatchItem => this.known(item));
        report(vscode.l10n.t('{0} of {1} done', done.size, batch.tasks.length));
        const ports = await designerPorts({ ...this.parts, client });
        await designBatch(ports, { tasks: batch.tasks, concurrency: readSetting('design.concurrency'), resume }, (event) => {
          if (event.type === 'stopped') stops.push(event.error);
          if (event.type !== 'item') return;
          if (event.item.state === 'done') done.add(event.index);
          report(vscode.l10n.t('{0} of {1} done', done.size, batch.tasks.length));
          keeping.push(this.keep(batch, event.index, event.item));
        }, AbortSignal.any([signal, controller.signal]));
      }, watcher);
    } catch (error) {
      if (!isCancelled(error)) throw error;
    } finally {
      await Promise.all(keeping).finally(() => {
        this.running.delete(batch.id);
        this.changes.fire();
      });
    }
    const [stopped] = stops;
    if (stopped) throw stopped;
    return drafts.batches.find(({ id }) => id === batch.id);
  }

  /** An item as an earlier session left it. A draft that was discarded meanwhile is made again. */
  private known(item: KeptItem): BatchItem {
    const kept = item.state === 'done' ? this.parts.drafts.all.find(({ id }) => id === item.draft) : undefined;
    return kept ? { state: 'done', draft: kept.draft } : { state: 'queued' };
  }

  private async keep(batch: KeptBatch, index: number, item: BatchItem): Promise<void> {
    const { drafts } = this.parts;
    const task = batch.tasks[index];
    if (item.state === 'failed') drafts.setItem(batch.id, index, { state: 'failed', code: item.error.code, what: item.error.what, next: item.error.next });
    else if (item.state === 'done' && task) drafts.setItem(batch.id, index, { state: 'done', draft: (await drafts.add('', task, item.draft, { batch: batch.id })).id });
    else if (item.state !== 'done') drafts.setItem(batch.id, index, { state: item.state });
  }
}

async function askBatch({ interaction }: Pick<DesignParts, 'interaction'>): Promise<BatchChoices | undefined> {
  const title = vscode.l10n.t('Design Batch');
  const kind = await interaction.pick({ title, placeholder: vscode.l10n.t('What kind of environments?'), choices: Object.values(KINDS).map(({ id, label }) => ({ label: localize(label), value: id })) });
  if (kind === undefined || kind === BACK) return undefined;
  const skills = await interaction.pickMany({
    title, placeholder: vscode.l10n.t('Which skills? The drafts go over them in turn.'), choices: skillsOf(kind).map((skill) => ({ label: skill, value: skill, picked: KINDS[kind].family === 'tools' || TRAINED_SKILLS.includes(skill) })),
  });
  if (!skills || skills.length === 0) return undefined;
  const difficulty = await interaction.pick({ title, placeholder: vscode.l10n.t('How hard?'), choices: (Object.entries(DIFFICULTIES) as [Difficulty, string][]).map(([value, detail]) => ({ label: value, detail, value })) });
  if (difficulty === undefined || difficulty === BACK) return undefined;
  const count = await interaction.input({
    title, prompt: vscode.l10n.t('How many drafts? 1 to {0}', MOST), value: String(skills.length),
    validate: (text) => (/^[1-9]\d{0,2}$/.test(text.trim()) && Number(text) <= MOST ? undefined : vscode.l10n.t('A whole number from 1 to {0}', MOST)),
  });
  if (count === undefined) return undefined;
  const grounded = readSetting('run.corpus') === '' ? false : await interaction.pick({
    title, placeholder: vscode.l10n.t('Ground them on documents?'), choices: [
      { label: vscode.l10n.t('No document'), value: false },
      { label: vscode.l10n.t('A document of the corpus for each, drawn by its seed'), description: readSetting('run.corpus'), value: true },
    ],
  });
  return grounded === undefined || grounded === BACK ? undefined : { kind, skills, difficulty, count: Number(count), grounded };
}

/** The tasks of a batch: skills in turn, and a seed each for theme, examples and document. */
async function tasksOf({ kind, skills, difficulty, count, grounded }: BatchChoices, parts: DesignParts): Promise<DesignOptions[]> {
  const { corpora } = parts.grounding;
  const corpus = grounded ? await corpora.open(corpusPath()) : null;
  const first = freshSeed();
  const tasks: DesignOptions[] = [];
  for (let index = 0; index < count; index += 1) {
    const skill = skills[index % skills.length];
    if (skill === undefined) continue;
    const seed = first + index;
    tasks.push(await optionsFor({ kind, skill, difficulty, document: corpus && (await corpora.draw(corpus, seed)) }, parts, seed));
  }
  return tasks;
}
