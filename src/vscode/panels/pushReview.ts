import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, Emitter } from '../../core/lifecycle';
import { readMemory } from '../../core/memory/readMemory';
import { DEFAULT_SETTINGS, type PushPreview } from '../../core/memory/preview';
import { firstCodePoints } from '../../core/pythonText';
import type { PushOutcome, PushRequest, RunMemory } from '../../core/run/push';
import { commandId } from '../../shared/contributions';
import { message, type Message } from '../../shared/message';
import type { PushAction, PushState } from '../../shared/webviewPush';
import type { ReadOnlyDocuments } from '../documents';
import type { Interaction } from '../interaction';
import { localize } from '../localize';
import { runPace } from '../../core/run/pace';
import type { LinkedRun } from '../run/linkedRun';
import type { PushReview } from './pushPanel';
import { pushState, type PushFacts } from './pushState';

/** What is to be pushed; `request` adds a reason to the metadata. */
export interface PushIntent {
  readonly document: vscode.TextDocument;
  readonly skill: string;
  readonly skillSource: Message;
  readonly figures: PushFacts['figures'];
  readonly simulated: boolean;
  request(skill: string, reason?: string): PushRequest;
}

export interface PushReviewParts {
  readonly memory: RunMemory;
  readonly run: LinkedRun;
  readonly files: () => Promise<Parameters<typeof import('../../core/run/inventory').takeInventory>[0]>;
  readonly interaction: Interaction;
  readonly documents: ReadOnlyDocuments;
  readonly askSkill: () => Promise<string | undefined>;
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
  private skill: string;
  private skillSource: Message;
  private id: string | null = null;
  private decide!: (outcome: PushOutcome | undefined) => void;
  private readonly text: string;

  private constructor(private readonly intent: PushIntent, private readonly parts: PushReviewParts) {
    this.title = vscode.l10n.t('Push {0}', intent.document.uri.path.split('/').pop() ?? '');
    this.text = intent.document.getText();
    [this.skill, this.skillSource] = [intent.skill, intent.skillSource];
    this.decided = new Promise((resolve) => (this.decide = resolve));
  }

  /** Opens a review. @throws EnvwrightError for a memory that cannot be read, and for what cannot become a record. */
  static async open(intent: PushIntent, parts: PushReviewParts): Promise<OpenReview> {
    const review = new OpenReview(intent, parts);
    try {
      review.facts = await review.read('preview');
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
    const { document } = this.intent;
    this.owned.add(run.onDidChange(() => void this.refresh()));
    this.owned.add(vscode.workspace.onDidChangeTextDocument((event) => event.document === document && this.patch({ stale: document.getText() !== this.text })));
    const timer = setInterval(() => this.id !== null && void this.refresh(), LOOK_MS);
    this.owned.add({ dispose: () => clearInterval(timer) });
  }

  state(): PushState {
    return pushState(this.facts);
  }

  async push(): Promise<void> {
    if (this.facts.phase !== 'preview') return;
    if (this.intent.document.getText() !== this.text) throw new EnvwrightError('push/changed', message('The file has changed since this preview.'), message('Close this panel and push again.'));
    const asksReason = this.state().push === 'anyway';
    const reason = asksReason ? await this.askReason() : undefined;
    if (asksReason && reason === undefined) return;
    this.patch({ phase: 'pushing' });
    try {
      const outcome = await this.parts.memory.push(this.intent.request(this.skill, reason), { ...(await this.options()), force: true });
      this.id = outcome.id;
      this.facts = await this.read('pushed', outcome.preview);
      this.changes.fire();
      this.parts.run.refresh();
      this.decide(outcome);
    } catch (error) {
      if (!(error instanceof EnvwrightError)) {
        this.patch({ phase: 'preview' });
        throw error;
      }
      this.patch({ phase: 'failed', failure: error.what });
      throw error;
    }
  }

  async undo(id: string | null): Promise<void> {
    const push = this.facts.pushes.find((other) => other.id === (id ?? this.id));
    if (!push) return;
    const { state } = await this.parts.memory.remove(push.gameFile);
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
    const { uri } = this.intent.document;
    switch (action) {
      case 'play': return vscode.commands.executeCommand(commandId('play'), uri);
      case 'showMemory': return this.parts.showMemory(this.id);
      case 'problems': return vscode.commands.executeCommand('workbench.panel.markers.view.focus');
      case 'openFile': return void (await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside }));
      case 'openCut': {
        const at = this.intent.document.positionAt(firstCodePoints(this.text, DEFAULT_SETTINGS.snippetChars).length);
        return void (await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, selection: new vscode.Range(at, at) }));
      }
      case 'skill': {
        const skill = await this.parts.askSkill();
        if (skill === undefined || this.facts.phase !== 'preview') return;
        [this.skill, this.skillSource] = [skill, message('chosen for this push')];
        return this.refresh();
      }
      case 'addLink': return void (await this.parts.documents.show('Link module.md', LINK_HELP.map(localize).join('\n\n')));
      case 'ledger': return void (await this.parts.documents.show('pushes.jsonl', (await this.parts.memory.ledger.events(this.parts.memory.run.memoryFile)).map((event) => JSON.stringify(event)).join('\n'), 'json'));
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
      this.facts = await this.read(phase, this.id === null ? undefined : this.facts.preview);
      this.changes.fire();
    } catch (error) {
      if (!(error instanceof EnvwrightError)) throw error;
      this.patch({ phase: this.id === null ? 'failed' : phase, failure: error.what });
    }
  }

  private async options(): Promise<{ settings: typeof DEFAULT_SETTINGS; create: boolean }> {
    const settings = await this.parts.run.settings();
    return { settings: { ...DEFAULT_SETTINGS, capacity: settings?.capacity ?? DEFAULT_SETTINGS.capacity }, create: (await this.parts.memory.liveness()).state === 'not-started' };
  }

  private async read(phase: PushState['phase'], kept?: PushPreview): Promise<PushFacts> {
    const { memory, run, files } = this.parts;
    const [{ settingsWarnings, bufferWarnings }, { takeInventory }] = [await import('../../core/run/runSettings'), await import('../../core/run/inventory')];
    const settings = await run.settings();
    const heartbeat = await memory.link.alive();
    const options = await this.options();
    const request = this.intent.request(this.skill);
    const moreWarnings = [...(request.moreWarnings ?? []), ...(settings ? settingsWarnings(settings, this.skill) : []), ...(heartbeat ? bufferWarnings(heartbeat) : [])];
    const preview = kept ?? (await memory.preview({ ...request, moreWarnings }, options));
    const synced = this.id === null ? { ...(await memory.ledger.pushes(memory.run.memoryFile)), liveness: await memory.liveness() } : await memory.sync();
    return {
      file: this.intent.document.uri.fsPath, text: this.text, runDir: memory.run.dir, skill: this.skill, skillSource: this.skillSource, figures: this.intent.figures, simulated: this.intent.simulated,
      preview, before: kept ? this.facts.before : readMemory((await memory.store.read()) ?? '[]'), capacity: options.settings.capacity,
      liveness: synced.liveness, linked: heartbeat !== null, pace: runPace(await takeInventory(await files(), memory.run), heartbeat, settings),
      phase, failure: null, stale: this.intent.document.getText() !== this.text,
      push: synced.pushes.find(({ id }) => id === this.id) ?? null, pushes: synced.pushes, events: await memory.ledger.events(memory.run.memoryFile),
    };
  }
}

const LINK_HELP: readonly Message[] = [
  message('# The link module'),
  message('It puts pushes into the memory of a live run. No code of the run changes; a failure of the module never stops the run.'),
  message('1. In the environment of the run: `pip install` of the folder `dist/python/envwright_link` of the extension, or add `dist/python` to `PYTHONPATH`.'),
  message('2. Start the run with `--rollout-function-path envwright_link.rollout.generate`.'),
  message('The run answers from its next rollout on; pushes that wait then go through its inbox.'),
];
