import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, Emitter } from '../../core/lifecycle';
import { readMemory, type MemoryFile } from '../../core/memory/readMemory';
import { DEFAULT_SETTINGS, type PushPreview } from '../../core/memory/preview';
import { plainLine } from '../../core/plainText';
import { firstCodePoints } from '../../core/pythonText';
import { placesOf } from '../../core/run/judgeFile';
import type { LedgerPush } from '../../core/run/ledger';
import { digest } from '../../core/run/memoryFile';
import type { PushOutcome, RunMemory } from '../../core/run/push';
import { commandId } from '../../shared/contributions';
import { message } from '../../shared/message';
import type { PushAction, PushState } from '../../shared/webviewPush';
import type { ReadOnlyDocuments } from '../documents';
import type { Interaction } from '../interaction';
import type { LinkedRun } from '../run/linkedRun';
import { baseName } from '../../core/run/paths';
import { askSkill } from '../run/pushFigures';
import { requestOf, type KeptPush } from './keptPush';
import type { PushReview } from './pushPanel';
import { pushState, type PushFacts } from './pushState';

/** Longest name of a file in a title, in characters. */
const TITLE = 80;

/** What a review needs of the rest of the extension. */
export interface PushReviewParts {
  readonly run: LinkedRun;
  readonly interaction: Interaction;
  readonly documents: ReadOnlyDocuments;
  /** Shows the memory view at the record of a push, or as it stands. */
  readonly showMemory: (push: string | null) => void;
}

/** How often the ledger is looked at after a push while nothing else tells of a change, in milliseconds. */
const LOOK_MS = 15_000;

/** A push under review: reads what decides its effect, carries it out, and follows it. */
export class OpenReview implements PushReview {
  readonly title: string;
  /** What became of it; undefined when it was given up. */
  readonly decided: Promise<PushOutcome | undefined>;
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<void>());
  readonly onDidChange = this.changes.event;
  private facts!: PushFacts;
  /** The push is in the ledger. */
  private isMade = false;
  private decide!: (outcome: PushOutcome | undefined) => void;

  /** @param text the text that is pushed; undefined when the file holds another one by now. */
  private constructor(
    private readonly document: vscode.TextDocument, private kept: KeptPush, private readonly text: string | undefined, private readonly memory: RunMemory, private readonly parts: PushReviewParts,
  ) {
    this.title = vscode.l10n.t('Push {0}', plainLine(document.uri.path.split('/').pop() ?? '', TITLE));
    this.decided = new Promise((resolve) => (this.decide = resolve));
  }

  /** Opens a review. @throws EnvwrightError for a memory that cannot be read, and for what cannot become a record. */
  static async open(document: vscode.TextDocument, kept: KeptPush, parts: PushReviewParts): Promise<OpenReview> {
    const text = (await digest(document.getText())) === kept.digest ? document.getText() : undefined;
    const review = new OpenReview(document, kept, text, await parts.run.memory(), parts);
    try {
      const { pushes } = await review.memory.ledger.pushes(review.memory.run.memoryFile);
      review.isMade = pushes.some(({ id }) => id === kept.id);
      review.facts = await review.read(review.isMade ? 'pushed' : 'preview');
      review.follow();
      return review;
    } catch (error) {
      review.owned.dispose();
      throw error;
    }
  }

  /** Follows the run and the file, once there is something to bring up to date. */
  private follow(): void {
    const { run } = this.parts;
    this.owned.add(run.onDidChange(() => void this.refresh()));
    this.owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => document.uri.toString() === this.kept.uri && this.patch({ stale: this.isStale })));
    const timer = setInterval(() => this.isMade && void this.refresh(), LOOK_MS);
    this.owned.add({ dispose: () => clearInterval(timer) });
  }

  state(): PushState {
    return { ...pushState(this.facts), kept: this.kept };
  }

  private get isStale(): boolean {
    return this.document.getText() !== this.text;
  }

  /** The text that is looked at: what is pushed, or what the file holds by now. */
  private get shown(): string {
    return this.text ?? this.document.getText();
  }

  async push(): Promise<void> {
    if (this.facts.phase !== 'preview') return;
    if (this.isStale) throw new EnvwrightError('push/changed', message('The file has changed since this preview.'), message('Close this panel and push again.'));
    const asksReason = this.state().push === 'anyway';
    const reason = asksReason ? await this.askReason() : undefined;
    if (asksReason && reason === undefined) return;
    this.patch({ phase: 'pushing' });
    try {
      const outcome = await this.memory.push(requestOf(this.kept, this.shown, reason), { ...(await this.options()), force: true, id: this.kept.id });
      this.isMade = outcome.id !== null;
      this.facts = await this.read('pushed', outcome.preview);
      this.changes.fire();
      this.parts.run.refresh();
      this.decide(outcome);
    } catch (error) {
      if (!(error instanceof EnvwrightError)) {
        this.kept = { ...this.kept, id: randomUUID() };
        this.patch({ phase: 'preview' });
        throw error;
      }
      this.patch({ phase: 'failed', failure: error.what });
      throw error;
    }
  }

  async undo(id: string | null): Promise<void> {
    const push = this.facts.pushes.find((other) => other.id === (id ?? this.kept.id));
    if (!push) return;
    const { state } = await this.memory.remove(push.gameFile);
    this.parts.run.refresh();
    await this.refresh();
    if (state === 'refused') throw new EnvwrightError('run/live', message('The run is live: it would write its own memory over this change.'), message('Undo the push when the run has ended.'));
    if (state === 'not-found') throw new EnvwrightError('memory/gone', message('This record is no longer in the memory.'), message('There is nothing to undo.'));
  }

  async again(id: string): Promise<void> {
    const push = this.facts.pushes.find((other) => other.id === id);
    if (push) await vscode.commands.executeCommand(commandId('push'), vscode.Uri.file(push.gameFile));
  }

  async act(action: PushAction): Promise<void> {
    const { uri } = this.document;
    switch (action) {
      case 'play': return vscode.commands.executeCommand(commandId('play'), uri);
      case 'showMemory': return this.parts.showMemory(this.isMade ? this.kept.id : null);
      case 'problems': return vscode.commands.executeCommand('workbench.panel.markers.view.focus');
      case 'openFile': return void (await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside }));
      case 'openCut': {
        const at = this.document.positionAt(firstCodePoints(this.shown, DEFAULT_SETTINGS.snippetChars).length);
        return void (await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, selection: new vscode.Range(at, at) }));
      }
      case 'skill': {
        const skill = await askSkill(this.parts.interaction, baseName(uri.path));
        if (skill === undefined || this.facts.phase !== 'preview') return;
        this.kept = { ...this.kept, skill, skillSource: message('chosen for this push') };
        return this.refresh();
      }
      case 'launchFlags': return vscode.commands.executeCommand(commandId('readLaunchFlags'));
      case 'addLink': return vscode.commands.executeCommand(commandId('addLinkModule'));
      case 'ledger': return vscode.commands.executeCommand(commandId('showPushes'));
      case 'log': return vscode.commands.executeCommand(commandId('showLog'));
    }
  }

  async copyRecord(): Promise<void> {
    await vscode.env.clipboard.writeText(this.facts.preview.record);
  }

  async openReading(): Promise<void> {
    await this.parts.documents.show('What the designer will read.py', this.facts.preview.snippet, 'python');
  }

  close(): void {
    this.decide(undefined);
    this.dispose();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private patch(facts: Partial<PushFacts>): void {
    this.facts = { ...this.facts, ...facts };
    this.changes.fire();
  }

  private async askReason(): Promise<string | undefined> {
    const reason = await this.parts.interaction.input({
      title: vscode.l10n.t('Push past the warnings'),
      prompt: vscode.l10n.t('Why? The answer is kept in the record’s metadata.'),
      validate: (value) => (value.trim() === '' ? vscode.l10n.t('A reason is needed.') : undefined),
    });
    return reason?.trim() || undefined;
  }

  /** Reads everything again; a run that cannot be read just now leaves what is shown as it is. */
  private async refresh(): Promise<void> {
    const { phase } = this.facts;
    if (phase === 'pushing') return;
    try {
      this.facts = await this.read(phase, this.isMade ? this.facts.preview : undefined);
      this.changes.fire();
    } catch (error) {
      if (!(error instanceof EnvwrightError)) throw error;
      this.patch({ phase: this.isMade ? phase : 'failed', failure: error.what });
    }
  }

  private async options(): Promise<{ settings: typeof DEFAULT_SETTINGS; create: boolean }> {
    const settings = await this.parts.run.settings();
    return { settings: { ...DEFAULT_SETTINGS, capacity: settings?.capacity ?? DEFAULT_SETTINGS.capacity }, create: (await this.memory.liveness()).state === 'not-started' };
  }

  private async read(phase: PushState['phase'], previewed?: PushPreview): Promise<PushFacts> {
    const { memory, kept } = this;
    const [{ settingsWarnings, bufferWarnings, UNKNOWN_MEMORY }, { runPace }] = [await import('../../core/run/runSettings'), await import('../../core/run/pace')];
    const settings = await this.parts.run.settings();
    const heartbeat = await memory.link.alive();
    const options = await this.options();
    const synced = this.isMade ? await memory.sync() : { ...(await memory.ledger.pushes(memory.run.memoryFile)), liveness: await memory.liveness() };
    const push = synced.pushes.find(({ id }) => id === kept.id) ?? null;
    const request = requestOf(kept, this.shown);
    const about = [...(settings ? settingsWarnings(settings, kept.skill) : [UNKNOWN_MEMORY]), ...(heartbeat ? bufferWarnings(heartbeat) : [])];
    const before = previewed ? this.facts.before : await this.memoryBefore(push);
    const preview = previewed ?? (await memory.preview({ ...request, moreWarnings: [...(request.moreWarnings ?? []), ...about] }, { ...options, ...(push && { create: true }) }, before));
    return {
      file: this.document.uri.fsPath, text: this.shown, runDir: memory.run.dir, skill: kept.skill, skillSource: kept.skillSource, figures: kept.figures, simulated: kept.simulated,
      preview, before, capacity: options.settings.capacity,
      liveness: synced.liveness, linked: heartbeat !== null, pace: runPace((await this.parts.run.inventory()) ?? { steps: [] }, heartbeat, settings),
      phase, failure: null, stale: this.isStale, push, pushes: synced.pushes, events: await memory.ledger.events(memory.run.memoryFile),
    };
  }

  /** The memory that the push is compared with: that of now, without the record that it brought. */
  private async memoryBefore(push: LedgerPush | null): Promise<MemoryFile> {
    const file = readMemory((await this.memory.store.read()) ?? '[]');
    const place = push && placesOf([push], file.entries).get(push);
    if (place === null || place === undefined) return file;
    return { entries: file.entries.filter(({ index }) => index !== place).map((entry, index) => ({ ...entry, index })), problems: file.problems };
  }
}
