import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, Emitter } from '../../core/lifecycle';
import type { ArmsOptions } from '../../core/play/arms';
import type { Move } from '../../core/play/policy';
import type { Clock } from '../../core/ports';
import { message } from '../../shared/message';
import type { ArmName, PlayReport } from '../../shared/play';
import type { EpisodeRef, Inspection, OpenTarget, PlayerState, PlaySettings, StepRef, StreamItem, TextPart, TranscriptPair } from '../../shared/webviewProtocol';
import type { CheckStore } from '../checks/checkStore';
import type { EditorLog } from '../log';
import type { ModelSource } from '../models/modelSource';
import type { PlayerController } from '../panels/playerController';
import type { ErrorPresenter } from '../presentError';
import type { SandboxSource } from '../sandboxSource';
import { readSetting } from '../settings';
import { requireTrust } from '../trust';
import type { Hints } from './hints';
import { openFromPlayer } from './openFromPlayer';
import { firstSettings, playerState } from './playerState';
import type { PlayResults } from './playResults';
import type { PlaySession } from './playSession';
import { policyFor } from './policies';

/** What the players of all files share. */
export interface PlayerParts {
  readonly sandbox: SandboxSource;
  readonly models: ModelSource;
  readonly store: CheckStore;
  readonly results: PlayResults;
  readonly hints: Hints;
  readonly errors: ErrorPresenter;
  readonly log: EditorLog;
  readonly clock: Clock;
  /** Has the model write a hint for a document, keeps it, and gives its text. */
  readonly writeHint: (document: vscode.TextDocument) => Promise<string>;
}

/** Plays one environment file for the player's panel: the text at the time of the start, in the sandbox alone. */
export class FilePlayer implements PlayerController {
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<void>());
  private readonly streams = this.owned.add(new Emitter<StreamItem>());
  private readonly replacements = this.owned.add(new Emitter<{ readonly arm: ArmName; readonly slot: number }>());
  readonly onDidChange = this.changes.event;
  readonly onDidStream = this.streams.event;
  readonly onDidReplace = this.replacements.event;
  private readonly listener = {
    changed: () => this.changes.fire(),
    streamed: (item: StreamItem) => this.streams.fire(item),
    replaced: (at: { readonly arm: ArmName; readonly slot: number }) => this.replacements.fire(at),
  };
  private settings: PlaySettings;
  private session: PlaySession | undefined;
  private script: readonly Move[] | undefined;
  private phase: PlayerState['phase'] = 'idle';
  private outcome: Promise<PlayReport> | undefined;
  private starting = new AbortController();

  constructor(
    private readonly uri: vscode.Uri,
    private readonly parts: PlayerParts,
  ) {
    this.settings = firstSettings(this.latestHint());
    const changed = () => this.changes.fire();
    this.owned.add(parts.store.onDidChange(changed));
    this.owned.add(parts.sandbox.onDidChange(changed));
    this.owned.add(parts.hints.onDidChange((uri) => {
      if (uri !== this.key) return;
      this.settings = { ...this.settings, hint: this.latestHint() };
      changed();
    }));
  }

  state(): PlayerState {
    const { uri, settings, phase, session, script } = this;
    const { store, hints, models, sandbox } = this.parts;
    return playerState({ uri, settings, phase, session, script, models, checked: store.get(uri), hints: hints.of(this.key), sandbox: sandbox.state });
  }

  pair(slots: TranscriptPair['slots']): TranscriptPair {
    return this.session?.board.pair(slots) ?? { slots, hint: null, noHint: null, divergence: null };
  }

  text(step: StepRef, part: TextPart): string | undefined {
    return this.session?.board.text(step, part);
  }

  configure(settings: PlaySettings): void {
    this.settings = settings;
  }

  async start(settings: PlaySettings): Promise<void> {
    this.settings = settings;
    this.begin();
    try {
      const { PlaySession } = await import('./playSession');
      const options = await this.optionsFor(settings);
      await this.parts.sandbox.get(this.starting.signal);
      const session = (this.session = new PlaySession(options, this.listener));
      this.follow(session.result());
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** Plays given actions on one instance, without a hint, and gives the report. */
  playScript(seed: number, script: readonly Move[]): Promise<PlayReport> {
    this.script = script;
    return this.playToEnd({ ...this.settings, policy: 'script', seeds: String(seed), plays: 1, mode: 'paired', hint: null });
  }

  /** Plays to the end and gives the report. */
  async playToEnd(settings = this.settings): Promise<PlayReport> {
    await this.start(settings);
    if (!this.outcome) throw new Error('The plays did not begin.');
    return this.outcome;
  }

  stop(episode: EpisodeRef | null): void {
    if (this.phase === 'idle') return;
    this.session?.stop(episode);
    if (episode) return;
    this.starting.abort();
    this.phase = 'stopping';
    this.changes.fire();
  }

  retry(): Promise<void> {
    if (this.session) {
      this.begin();
      this.follow(this.session.retry());
    }
    return Promise.resolve();
  }

  async writeHint(): Promise<string> {
    return this.parts.writeHint(await vscode.workspace.openTextDocument(this.uri));
  }

  async inspect({ arm, slot, step }: StepRef): Promise<Inspection> {
    requireTrust();
    const { session } = this;
    const episode = session?.board.episode(arm, slot);
    if (!session || !episode) throw new EnvwrightError('play/no-episode', message('This episode is still running, or gone.'), message('Choose a step of an episode that has ended.'));
    const { inspectStep } = await import('./inspect');
    const { file, maxTurns, thinking, mode } = session.options;
    const sandbox = await this.parts.sandbox.get();
    return inspectStep({
      sandbox, file, maxTurns: maxTurns ?? readSetting('play.maxTurns'), thinking: thinking ?? false, warmReset: mode === 'as-run',
      arm, seed: episode.seed, steps: episode.steps, step,
    }, this.lifetime.signal);
  }

  replay(): Promise<void> {
    return Promise.reject(notOffered());
  }

  takeOver(): Promise<void> {
    return Promise.reject(notOffered());
  }

  debug(): Promise<void> {
    return Promise.reject(notOffered());
  }

  open(target: OpenTarget, line: number | null): Promise<void> {
    return openFromPlayer(this.uri, target, line);
  }

  dispose(): void {
    this.lifetime.abort();
    this.starting.abort();
    this.session?.stop(null);
    this.owned.dispose();
  }

  private readonly lifetime = new AbortController();

  private get key(): string {
    return this.uri.toString();
  }

  private latestHint(): string | null {
    return this.parts.hints.of(this.key)[0]?.text ?? null;
  }

  private begin(): void {
    requireTrust();
    if (this.phase !== 'idle') throw new EnvwrightError('play/running', message('Plays of this file are running.'), message('Stop them first.'));
    this.starting = new AbortController();
    this.phase = 'running';
    this.changes.fire();
  }

  private end(): void {
    this.phase = 'idle';
    this.changes.fire();
  }

  /** Keeps the result when it comes; a failure is shown, since nobody waits for it. */
  private follow(result: Promise<PlayReport>): void {
    const text = this.session?.options.file.source ?? '';
    this.outcome = result;
    result.then(
      (report) => this.parts.results.put(this.key, { report, text }),
      (error: unknown) => this.parts.errors.present(error),
    ).finally(() => this.end());
  }

  private async optionsFor(settings: PlaySettings): Promise<ArmsOptions> {
    const { parseSeeds } = await import('../../core/play/seeds');
    const { sandbox, models, clock, log, hints } = this.parts;
    const hint = settings.hint?.trim() ? settings.hint : null;
    const document = await vscode.workspace.openTextDocument(this.uri);
    return {
      file: { name: vscode.workspace.asRelativePath(this.uri), source: document.getText() },
      sandbox,
      policy: await policyFor(settings, models, this.script),
      hint,
      simulatedHint: hints.of(this.key).some(({ text, simulated }) => simulated && text === hint),
      mode: settings.mode,
      seeds: parseSeeds(settings.seeds),
      plays: settings.plays,
      maxTurns: readSetting('play.maxTurns'),
      thinking: models.profile('agent').thinking,
      trace: true,
      concurrency: readSetting('play.concurrency'),
      clock,
      onLog: (text) => log.info(`Printed by the environment: ${JSON.stringify(text)}`),
    };
  }
}

function notOffered(): EnvwrightError {
  return new EnvwrightError('play/not-offered', message('The player cannot do this yet.'), message('Inspect the step, or play again.'));
}
