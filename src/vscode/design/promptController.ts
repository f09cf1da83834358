import * as vscode from 'vscode';
import type { Corpus } from '../../core/design/corpusSummary';
import type { DesignOptions } from '../../core/design/designer';
import type { DesignPrompt } from '../../core/design/prompt';
import { originOf, taskOf, withKind, type DesignSetup } from '../../core/design/setup';
import { parseDifficulty, parseKind, parseSkill } from '../../core/design/skills';
import { EnvwrightError, isCancelled } from '../../core/errors';
import { DisposableStore, Emitter, type Disposable } from '../../core/lifecycle';
import type { MemoryEntry } from '../../core/memory/readMemory';
import { DEFAULT_DRAWS } from '../../core/memory/sampling';
import type { PromptChange, PromptState, PromptVariant } from '../../shared/webviewDesign';
import type { Watcher } from '../progress';
import { readSetting } from '../settings';
import { freshSeed, memoryOf } from './designer';
import { keptSetup, type KeptPrompt } from './keptPrompt';
import type { PromptParts } from './promptPanel';
import { promptState, setupOf } from './promptState';
import { TokenCounts } from './tokenCounts';

/** The set-up of the panel, the prompt that it gives, and what is known around it. */
export class PromptController implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<void>());
  readonly onDidChange = this.changes.event;
  private readonly counts: TokenCounts;
  private setup: DesignSetup = {
    kind: 'multi-turn', skill: 'Logical Deduction', difficulty: 'medium', themeSeed: freshSeed(), document: null, useDocument: true, useMemory: true,
    drawSeed: freshSeed(), draws: DEFAULT_DRAWS, chosen: null, wish: '',
  };
  private variant: PromptVariant = 'full';
  private useFeedback = false;
  drafts = 1;
  private memory: { file: string; entries: readonly MemoryEntry[] } | null = null;
  corpus: Corpus | undefined;
  /** The last editor with a text in it: the panel takes the focus away. */
  editor: vscode.TextEditor | undefined = vscode.window.activeTextEditor;
  private prompt: DesignPrompt | null = null;
  private error: EnvwrightError | null = null;
  private round = 0;
  private building: Promise<void> = Promise.resolve();
  private work: { readonly controller: AbortController; progress: string } | undefined;

  /** @param kept what an earlier window was left with. */
  constructor(private readonly parts: PromptParts, kept?: KeptPrompt) {
    if (kept) ({ setup: this.setup, variant: this.variant, useFeedback: this.useFeedback, drafts: this.drafts } = kept);
    this.counts = this.owned.add(new TokenCounts(parts, () => this.changes.fire()));
    this.owned.add(parts.run.onDidChange(() => void this.readMemory()));
    this.owned.add(parts.drafts.onDidChange(() => void this.build()));
    this.owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void this.readMemory()));
    this.owned.add(vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (!editor) return;
      this.editor = editor;
      this.changes.fire();
    }));
    this.owned.add(vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('envwright') && void this.build()));
  }

  get current(): DesignSetup {
    return this.setup;
  }

  get entries(): readonly MemoryEntry[] {
    return this.memory?.entries ?? [];
  }

  get shown(): DesignPrompt | null {
    return this.prompt;
  }

  async begin(): Promise<void> {
    await this.parts.drafts.load();
    await this.readMemory();
  }

  /** Changes the set-up; the prompt is built anew. @throws EnvwrightError for what is none of the choices. */
  async change({ kind, skill, difficulty, drawn, useFeedback, variant, drafts, seeds, negatives, ...rest }: PromptChange): Promise<void> {
    let next: DesignSetup = { ...this.setup, ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) };
    if (kind !== undefined) next = withKind(next, parseKind(kind));
    if (skill !== undefined) next = { ...next, skill: parseSkill(skill), chosen: null };
    if (difficulty !== undefined) next = { ...next, difficulty: parseDifficulty(difficulty) };
    if (seeds !== undefined || negatives !== undefined) next = { ...next, draws: { seeds: seeds ?? next.draws.seeds, negatives: negatives ?? next.draws.negatives }, chosen: null };
    if (drawn || rest.drawSeed !== undefined) next = { ...next, chosen: null };
    if (useFeedback !== undefined) this.useFeedback = useFeedback;
    if (variant !== undefined) this.variant = variant;
    if (drafts !== undefined) this.drafts = drafts;
    await this.set(next);
  }

  async set(change: Partial<DesignSetup>): Promise<void> {
    this.setup = { ...this.setup, ...change };
    await this.build();
  }

  /** What to keep for a reload of the window. */
  kept(): KeptPrompt {
    const { variant, useFeedback, drafts } = this;
    return { v: 1, setup: keptSetup(this.setup), variant, useFeedback, drafts, corpus: this.corpus?.path ?? null };
  }

  /** The options of so many designs: what is shown, and then the same with the next seeds. What was chosen by hand stays. */
  options(): DesignOptions[] {
    const { sampling, thinking } = this.parts.models.profile('designer');
    const from = this.from();
    return Array.from({ length: this.drafts }, (_, at) => {
      const setup = setupOf({ ...this.setup, themeSeed: this.setup.themeSeed + at, drawSeed: this.setup.drawSeed + at }, this.variant);
      return {
        task: taskOf(setup, this.entries), memory: originOf(setup, this.memory?.file ?? null), sampling, thinking, repairs: readSetting('design.repairs'),
        ...(from && { from, wish: setup.wish.trim() }),
      };
    });
  }

  /** Runs a design; one at a time. How far it is stands in the panel alone. */
  async run(work: (watcher: Watcher) => Promise<unknown>): Promise<void> {
    if (this.work) return;
    const own = (this.work = { controller: new AbortController(), progress: '' });
    this.changes.fire();
    try {
      await work({
        signal: own.controller.signal,
        report: (text) => {
          own.progress = text;
          this.changes.fire();
        },
      });
    } catch (error) {
      if (!isCancelled(error)) throw error;
    } finally {
      this.work = undefined;
      this.changes.fire();
    }
  }

  stop(): void {
    this.work?.controller.abort();
  }

  state(): PromptState {
    const { models } = this.parts;
    const simulated = models.isOfflineFor('designer');
    const { sampling, thinking } = models.profile('designer');
    const last = this.lastDraft();
    const selected = this.editor && !this.editor.document.isClosed ? vscode.workspace.asRelativePath(this.editor.document.uri) : null;
    return promptState({
      setup: this.setup, variant: this.variant, prompt: this.prompt, counts: this.counts.known, context: this.counts.context,
      run: this.memory ? (this.parts.run.path.split(/[/\\]/).filter((part) => part !== '').at(-1) ?? '') : null, entries: this.entries,
      corpus: this.corpus ? { name: vscode.workspace.asRelativePath(this.corpus.path), summary: this.corpus.summary } : null, editor: selected,
      lastDraft: last && { findings: last.draft.attempts.at(-1)?.report?.findings.filter(({ severity }) => severity !== 'info').length ?? null },
      useFeedback: this.useFeedback, model: { name: models.labelOf('designer'), simulated, sampling, thinking }, drafts: this.drafts,
      restricted: !vscode.workspace.isTrusted, designing: this.work !== undefined, progress: this.work?.progress ?? '', error: this.error,
    });
  }

  /** Follows the index of a corpus while it is made. */
  follow(corpus: Corpus): void {
    if (this.corpus === corpus) return;
    this.corpus = corpus;
    this.owned.add(corpus.onDidChange(() => this.changes.fire()));
  }

  dispose(): void {
    this.stop();
    this.owned.dispose();
  }

  private lastDraft() {
    return this.parts.drafts.all.find(({ draft, options }) => draft.code.trim() !== '' && options.task.kind === this.setup.kind) ?? null;
  }

  /** The draft that goes back with what was found in it. */
  private from(): DesignOptions['from'] {
    const last = this.useFeedback ? this.lastDraft() : null;
    return last ? { code: last.draft.code, report: last.draft.attempts.at(-1)?.report ?? null } : undefined;
  }

  private async readMemory(): Promise<void> {
    try {
      this.memory = await memoryOf(this.parts.run);
    } catch (error) {
      if (!(error instanceof EnvwrightError)) throw error;
      this.memory = null;
    }
    await this.build();
  }

  /** Builds the prompt; of several at once only the last counts, and all are done when it is. */
  private build(): Promise<void> {
    return (this.building = this.buildRound((this.round += 1)));
  }

  private async buildRound(round: number): Promise<void> {
    try {
      const [{ buildDesignPrompt }, { promptFrom }] = await Promise.all([import('../../core/design/prompt'), import('../../core/design/designer')]);
      const templates = await this.parts.ports.templates();
      const first = await buildDesignPrompt(taskOf(setupOf(this.setup, this.variant), this.entries), templates);
      const from = this.from();
      const prompt = from ? await promptFrom(first, from, this.setup.wish.trim(), templates) : first;
      if (round !== this.round) return await this.building;
      [this.prompt, this.error] = [prompt, null];
      this.counts.want(prompt.parts.map(({ text }) => text));
    } catch (error) {
      if (!(error instanceof EnvwrightError)) throw error;
      if (round !== this.round) return await this.building;
      [this.prompt, this.error] = [null, error];
    }
    this.changes.fire();
  }
}
