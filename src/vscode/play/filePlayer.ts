import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, Emitter } from '../../core/lifecycle';
import type { Move } from '../../core/play/policy';
import type { SavedSession, SessionOrigin } from '../../core/play/sessionRecord';
import { message, type Message } from '../../shared/message';
import type { ArmName, PlayReport } from '../../shared/play';
import type {
  EpisodeRef, HumanMove, Inspection, OpenTarget, PairCompare, PlayerState, PlaySettings, StepRef, StreamItem, TextPart, TranscriptPair,
} from '../../shared/webviewProtocol';
import type { PlayerController } from '../panels/playerController';
import { requireTrust } from '../trust';
import { Baseline } from './baseline';
import { HumanSeat } from './humanSeat';
import { openFromPlayer } from './openFromPlayer';
import type { PlayerParts } from './playerParts';
import { noEpisode, ShownSessions } from './shownSessions';
import { firstSettings, playerState } from './playerState';
import type { PlaySession } from './playSession';
import type { GivenScript } from './policies';
import type { NewPlays } from './sessionSetup';
import { Underway } from './underway';

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
  private readonly seat = this.owned.add(new HumanSeat());
  private readonly lifetime = new AbortController();
  private settings: PlaySettings;
  private readonly on = new ShownSessions();
  private readonly underway = new Underway(() => this.changes.fire());
  private notSaved: Message | null = null;
  private script: GivenScript | undefined;

  constructor(
    readonly uri: vscode.Uri,
    private readonly parts: PlayerParts,
  ) {
    this.settings = firstSettings(this.latestHint());
    const changed = () => this.changes.fire();
    this.owned.add(parts.store.onDidChange(changed));
    this.owned.add(parts.sandbox.onDidChange(changed));
    this.owned.add(this.seat.onDidChange(changed));
    this.owned.add(parts.weights.onDidChange(changed));
    this.owned.add(parts.context.onDidChange(changed));
    this.owned.add(vscode.workspace.onDidSaveTextDocument((document) => document.uri.toString() === this.key && changed()));
    this.owned.add(parts.hints.onDidChange((uri) => {
      if (uri !== this.key) return;
      this.settings = { ...this.settings, hint: this.latestHint() };
      changed();
    }));
  }

  state(): PlayerState {
    const { uri, settings, script, seat, notSaved } = this;
    const { session, comparison } = this.on;
    const { store, hints, models, sandbox, sessions } = this.parts;
    return playerState({
      uri, settings, phase: this.underway.phase, session, script, models, checked: store.get(uri), hints: hints.of(this.key), sandbox: sandbox.state,
      turn: seat.turn, comparison, notSaved, canSave: sessions.canSave(uri), weights: this.parts.weights.current, context: models.isOffline ? null : this.parts.context.length,
    });
  }

  pair(slots: TranscriptPair['slots'], compare: PairCompare | null): TranscriptPair {
    return this.on.pair(slots, compare);
  }

  text(step: StepRef, part: TextPart): string | undefined {
    return this.on.text(step, part);
  }

  configure(settings: PlaySettings): void {
    this.settings = settings;
  }

  /** What is on screen, for commands. Undefined before the first play. */
  get shown(): SavedSession | undefined {
    return this.on.session?.snapshot();
  }

  async start(settings: PlaySettings): Promise<void> {
    this.settings = settings;
    if (settings.policy === 'script' && !this.script) {
      const { chooseScript } = await import('./chooseScript');
      this.script = await chooseScript(this.uri, this.parts, this.shown);
      if (!this.script) return;
    }
    await this.startNew({ settings });
  }

  /** Sets the actions that the script policy plays. */
  useScript(script: GivenScript): void {
    this.script = script;
    this.settings = { ...this.settings, policy: 'script' };
    this.changes.fire();
  }

  /** Plays given actions on one instance, without a hint, and gives the report. */
  playScript(seed: number, moves: readonly Move[]): Promise<PlayReport> {
    this.script = { moves, label: moves.length === 1 ? message('Counterexample (1 action)') : message('Counterexample ({n} actions)', { n: moves.length }) };
    return this.playToEnd({ ...this.settings, policy: 'script', seeds: String(seed), plays: 1, mode: 'paired', hint: null });
  }

  /** Plays to the end and gives the report. */
  async playToEnd(settings = this.settings): Promise<PlayReport> {
    await this.start(settings);
    return this.whenPlayed();
  }

  /** The report of the plays that run, or ran last. */
  whenPlayed(): Promise<PlayReport> {
    return this.underway.whenPlayed();
  }

  stop(episode: EpisodeRef | null): void {
    if (this.underway.phase === 'idle') return;
    this.on.session?.stop(episode);
    if (!episode) this.underway.stop();
  }

  retry(): Promise<void> {
    return this.goOn((session) => session.requeueFailed());
  }

  resume(): Promise<void> {
    return this.goOn(() => undefined);
  }

  async extend(pairs: number): Promise<void> {
    await this.goOn((session) => {
      session.extend(pairs);
      const last = Math.max(...session.snapshot().plan.order.map(({ seed }) => seed ?? -1));
      if (last >= 0) this.settings = { ...this.settings, seeds: `${this.settings.seeds},${last - pairs + 1}-${last}` };
    });
  }

  humanMove(move: HumanMove): Promise<void> {
    this.seat.move(move);
    return Promise.resolve();
  }

  async writeHint(): Promise<string> {
    return this.parts.writeHint(await vscode.workspace.openTextDocument(this.uri));
  }

  async inspect(step: StepRef): Promise<Inspection> {
    requireTrust();
    const { session: { header }, saved: { ref, episode } } = this.on.episodeOf(step);
    const { inspectStep } = await import('./inspect');
    const sandbox = await this.parts.sandbox.get();
    const inspection = await inspectStep({
      sandbox, file: { name: header.file, source: header.source }, maxTurns: header.maxTurns, thinking: header.thinking, warmReset: header.settings.mode === 'as-run',
      arm: ref.arm, seed: episode.seed, steps: episode.steps, step: step.step,
    }, this.lifetime.signal);
    this.parts.lines.keep(this.uri, header.source, inspection.lines);
    return inspection;
  }

  /** Plays the actions of one episode on the file as it is now. */
  replay(step: StepRef): Promise<void> {
    return this.replaySaved(step);
  }

  replayAll(): Promise<void> {
    return this.replaySaved(null);
  }

  async takeOver(step: StepRef): Promise<void> {
    const { session, saved } = this.on.episodeOf(step);
    const [{ movesToReplay }, { humanPolicy, scriptPolicy, takeOver }] = await Promise.all([import('../../core/play/replay'), import('../../core/play/policies/fixed')]);
    const first = { ...scriptPolicy(movesToReplay(saved.episode)), name: session.header.policy.name };
    await this.startNew({
      ...this.asIn(session, { kind: 'take-over', of: session.header.id, step: step.step }),
      policy: takeOver(first, step.step - 1, humanPolicy(this.seat.ask)),
      plan: { order: [{ ...saved.ref, slot: 0 }], slots: 1 },
    });
  }

  async debug(step: StepRef): Promise<void> {
    const { session, saved } = this.on.episodeOf(step);
    const { debugEpisode } = await import('./debugEpisode');
    await debugEpisode(this.uri, session, saved, step.step, this.parts);
  }

  async open(target: OpenTarget, line: number | null): Promise<void> {
    switch (target) {
      case 'session': return (await import('./chooseSession')).openChosen(this, this.parts);
      case 'compare': return (await import('./chooseSession')).compareChosen(this, this.parts);
      case 'export': return void await (await import('./exportSession')).exportChosen(this.shown, this.uri, this.parts.interaction);
      case 'lines': return this.parts.lines.show(this.uri, line);
      default: return openFromPlayer(this.uri, target, line);
    }
  }

  /** Puts a saved session on screen. What runs must have ended. */
  async openSession(id: string): Promise<void> {
    if (this.on.session?.header.id === id) return;
    this.underway.mustBeIdle();
    await this.show(await this.parts.sessions.read(this.uri, id));
    await this.endComparison(false);
  }

  /** Compares what is on screen with an earlier session. */
  async compareWith(saved: SavedSession): Promise<void> {
    this.on.baseline = new Baseline(saved);
    await this.updateComparison();
  }

  /** Ends the comparison; `back` puts the earlier session on screen. */
  async endComparison(back: boolean): Promise<void> {
    if (back) this.underway.mustBeIdle();
    const saved = this.on.endComparison();
    this.changes.fire();
    if (back && saved) await this.show(saved);
  }

  /** A session of this file was deleted: it stays on screen, as one that is not saved. */
  forget(id: string): void {
    if (this.on.session?.header.id !== id) return;
    this.notSaved = message('This session was deleted. It is on screen for as long as the window is open.');
    this.changes.fire();
  }

  dispose(): void {
    this.lifetime.abort();
    this.on.session?.stop(null);
    this.underway.stop();
    this.owned.dispose();
  }

  private get key(): string {
    return this.uri.toString();
  }

  private latestHint(): string | null {
    return this.parts.hints.of(this.key)[0]?.text ?? null;
  }

  private get policyParts(): { readonly script: GivenScript | undefined; readonly seat: HumanSeat } {
    return { script: this.script, seat: this.seat };
  }

  private startNew(plays: NewPlays, baseline: Baseline | null = null): Promise<void> {
    return this.underway.begin(async (signal) => {
      const [{ PlaySession }, { newSession }, { armPlan }, { SessionRecorder }] = await Promise.all([
        import('./playSession'), import('./sessionSetup'), import('../../core/play/arms'), import('../../core/play/recorder'),
      ]);
      const { options, header } = await newSession(this.uri, plays, this.parts, this.policyParts);
      await this.parts.sandbox.get(signal);
      this.notSaved = null;
      const writer = await this.parts.sessions.begin(this.uri, header, armPlan(options)).catch((error: unknown) => this.cannotSave(error));
      const recorder = writer && new SessionRecorder(writer, (error) => this.cannotSave(error));
      const session = new PlaySession(options, { v: 1, type: 'session', ...header }, this.listener, recorder);
      this.on.put(session, baseline);
      return session;
    }, (session) => this.played(session));
  }

  /** Plays on in the session on screen, after something was done to it. */
  private async goOn(prepare: (session: PlaySession) => void): Promise<void> {
    const { session } = this.on;
    if (!session) return;
    await this.underway.begin(async (signal) => {
      await this.parts.sandbox.get(signal);
      prepare(session);
    }, () => this.played(session));
  }

  /** Plays to the end and keeps the result; a failure is shown, since nobody may wait for it. */
  private async played(session: PlaySession): Promise<PlayReport> {
    try {
      const report = await session.run();
      this.parts.results.put(this.key, { report, usesHint: session.options.policy.usesHint, text: session.options.file.source });
      await this.updateComparison();
      return report;
    } catch (error) {
      this.parts.errors.present(error);
      throw error;
    } finally {
      this.parts.sessions.wentOn();
    }
  }

  private async show(saved: SavedSession): Promise<void> {
    const [{ PlaySession }, { optionsOfSaved }, { SessionRecorder }] = await Promise.all([import('./playSession'), import('./sessionSetup'), import('../../core/play/recorder')]);
    const options = await optionsOfSaved(saved, this.parts, this.policyParts);
    const writer = this.parts.sessions.canSave(this.uri) ? await this.parts.sessions.writer(this.uri, saved.header.id) : null;
    const session = new PlaySession(options, saved.header, this.listener, writer && new SessionRecorder(writer, (error) => this.cannotSave(error)), saved);
    this.on.session = session;
    this.settings = saved.header.settings;
    this.notSaved = null;
    this.parts.results.put(this.key, { report: session.report(), usesHint: saved.header.policy.usesHint, text: saved.header.source });
    this.changes.fire();
    for (const arm of ['hint', 'noHint'] as const) this.replacements.fire({ arm, slot: 0 });
  }

  private async replaySaved(step: StepRef | null): Promise<void> {
    const source = step && this.on.episodeOf(step);
    const session = source?.session ?? this.shown;
    if (!session) throw noEpisode();
    const { replayable, replayPolicy } = await import('../../core/play/replay');
    const played = !source ? replayable(session) : source.saved.episode.steps.length > 0 ? [{ ...source.saved.ref, slot: 0 }] : [];
    if (played.length === 0) {
      throw new EnvwrightError('play/nothing-to-replay', message('Nothing was done in these episodes that could be played again.'), message('Play them first.'));
    }
    const plan = source ? { order: played, slots: 1 } : session.plan;
    await this.startNew(
      { ...this.asIn(session, { kind: 'replay', of: session.header.id }), policy: replayPolicy(session), plan },
      new Baseline(session),
    );
  }

  /** Plays under the conditions of a session, on the file as it is now. */
  private asIn({ header }: SavedSession, origin: SessionOrigin): NewPlays {
    const { settings, maxTurns, thinking, simulatedHint } = header;
    return { settings, maxTurns, thinking, simulatedHint, origin };
  }

  private async updateComparison(): Promise<void> {
    await this.on.compare();
    this.changes.fire();
  }

  private cannotSave(error: unknown): null {
    this.parts.log.error('A session of plays could not be saved.', error);
    this.notSaved = message('This session could not be saved: {why}', { why: error instanceof Error ? error.message : String(error) });
    this.changes.fire();
    return null;
  }
}
