import { relative } from 'node:path';
import { contentHash } from '../../core/checks/suppression';
import { counted } from '../../core/counted';
import { findHintLeak } from '../../core/design/hintLeak';
import { hintFindings } from '../../core/design/opinions';
import { armPlan, episodeKey, startArms, type ArmsOptions } from '../../core/play/arms';
import { compareSessions } from '../../core/play/compare';
import { exportLines } from '../../core/play/export';
import { htmlReport } from '../../core/play/htmlReport';
import { extendedPlan } from '../../core/play/plan';
import { SessionRecorder } from '../../core/play/recorder';
import { replayable, replayPolicy } from '../../core/play/replay';
import { readSession, sessionId, SessionFiles, SessionWriter } from '../../core/play/sessionFiles';
import { SessionKeeper } from '../../core/play/sessionKeeper';
import { policyInRecord, reportOfSession, type SavedSession, type SessionHeader, type SessionOrigin } from '../../core/play/sessionRecord';
import { countedReturns } from '../../core/value/summary';
import type { ComparisonDocument, SessionsDocument } from '../../shared/cliDocuments';
import { formatMessage, message } from '../../shared/message';
import type { ArmReport } from '../../shared/play';
import { EnvwrightError } from '../../core/errors';
import { SandboxError } from '../../core/sandboxError';
import { Args } from './args';
import { EXIT, UsageError, type CliContext, type Command, type ExitCode } from './context';
import { readSource } from './inputs';
import { Output } from './output';
import { MODEL_USAGE } from './modelArgs';
import { howOf, optionsOf, PLAY_OPTIONS, policyOf, settingsOf } from './playOptions';
import { SANDBOX_USAGE } from './sandboxArgs';
import { comparisonText, progressOf, reportText, sessionsText } from './playText';

const OPTIONS = {
  ...PLAY_OPTIONS, save: { type: 'boolean' }, export: { type: 'string' }, 'export-for': { type: 'string' }, report: { type: 'string' },
  sessions: { type: 'boolean' }, session: { type: 'string' }, compare: { type: 'string' }, replay: { type: 'string' }, resume: { type: 'string' }, extend: { type: 'string' },
} as const;

/** One call of `play`. */
class PlayCall {
  private readonly output: Output;

  constructor(private readonly args: Args, private readonly context: CliContext) {
    this.output = new Output(context, args);
  }

  async run(): Promise<ExitCode> {
    const { args } = this;
    const modes = ['sessions', 'session', 'replay', 'resume'].filter((name) => args.flag(name) || args.text(name) !== undefined);
    if (modes.length > 1) throw new UsageError(message('Give only one of --{one} and --{other}.', { one: modes[0]!, other: modes[1]! }));
    if (args.text('compare') !== undefined && modes[0] !== 'session') throw new UsageError(message('--compare goes with --session: the earlier session, then the later.'));
    if (args.text('extend') !== undefined && modes[0] !== 'resume') throw new UsageError(message('--extend goes with --resume.'));
    this.exportKind();
    switch (modes[0]) {
      case 'sessions': return this.list();
      case 'session': return this.show();
      case 'replay': return this.replay();
      case 'resume': return this.resume();
      default: return this.playAnew();
    }
  }

  private async playAnew(): Promise<ExitCode> {
    const options = await optionsOf(this.args, this.context);
    const header = await this.headerOf(options, null);
    const { saved, path } = await this.play(options, header, null, await this.recorderFor(options, header));
    return this.answer(saved, path);
  }

  /** Plays the actions of a session on a file as it is now. The answer is no when an outcome flipped. */
  private async replay(): Promise<ExitCode> {
    const path = this.sessionPath('replay') ?? '';
    const before = await readSession(this.context.files, path, this.context.signal);
    if (replayable(before).length === 0) throw new EnvwrightError('play/nothing-to-replay', message('Nothing was done in this session that could be played again.'), message('Give another session.'));
    const file = this.args.onePath('FILE');
    const { settings, maxTurns, thinking, simulatedHint } = before.header;
    const options: ArmsOptions = {
      ...await howOf(this.args, this.context), file: { name: this.nameOf(file), source: await readSource(this.context, file) }, policy: replayPolicy(before),
      hint: before.plan.order.some(({ arm }) => arm === 'hint') ? settings.hint : null, mode: settings.mode, seeds: [], plays: settings.plays, plan: before.plan, maxTurns, thinking, simulatedHint,
    };
    const header = { ...await this.headerOf(options, { kind: 'replay', of: before.header.id }), settings };
    const { saved } = await this.play(options, header, null, await this.recorderFor(options, header));
    await this.write(saved);
    return this.compared(before, path, saved, file);
  }

  /** Plays what a session lacks, and further seeds, on the text that it was played on. */
  private async resume(): Promise<ExitCode> {
    const path = this.sessionPath('resume') ?? '';
    const before = await readSession(this.context.files, path, this.context.signal);
    const { header } = before;
    if (header.origin) throw new UsageError(message('A session of replayed or taken over actions cannot go on.'));
    const policy = await policyOf(this.args, this.context, header.settings);
    if (policy.name !== header.policy.name) throw new UsageError(message('The session was played by {before}; the flags name {now}.', { before: header.policy.name, now: policy.name }));
    const more = this.args.integer('extend', 1);
    const plan = more === undefined ? before.plan : extendedPlan(before.plan, header.settings, more);
    const recorder = new SessionRecorder(new SessionWriter(this.context.files, path), (error) => this.notSaved(error));
    if (more !== undefined) recorder.plan(plan);
    const { settings, maxTurns, thinking, simulatedHint } = header;
    const options: ArmsOptions = {
      ...await howOf(this.args, this.context), file: { name: header.file, source: header.source }, policy, plan, seeds: [], plays: settings.plays, mode: settings.mode,
      hint: plan.order.some(({ arm }) => arm === 'hint') ? settings.hint : null, maxTurns, thinking, simulatedHint,
    };
    const { saved } = await this.play(options, header, { ...before, plan }, { recorder, path });
    return this.answer(saved, path);
  }

  /** The file of a session that a flag names: by its path, or as `--sessions` lists it, by its id in this folder. */
  private sessionPath(flag: string): string | undefined {
    const name = this.args.text(flag);
    const isPath = name === undefined || name.endsWith('.jsonl') || /[\\/]/.test(name);
    return isPath ? this.args.path(flag) : new SessionFiles(this.context.files, this.context.cwd).pathOf(name);
  }

  private async show(): Promise<ExitCode> {
    const path = this.sessionPath('session') ?? '';
    const other = this.sessionPath('compare');
    const session = await readSession(this.context.files, path, this.context.signal);
    if (other === undefined) return this.answer(session, path);
    await this.write(session);
    return this.compared(await readSession(this.context.files, other, this.context.signal), other, session, path, false);
  }

  private async list(): Promise<ExitCode> {
    const { sessions, unreadable } = await new SessionFiles(this.context.files, this.context.cwd).list();
    const document: SessionsDocument = {
      sessions: sessions.map(({ header, path, planned, missing, damagedLines, noHint, hint }) => ({
        id: header.id, path, at: new Date(header.at).toISOString(), file: header.file, policy: header.policy.name, planned, missing, damagedLines, noHint, hint,
      })),
      unreadable: unreadable.map(({ path, why }) => ({ path, why })),
    };
    this.output.answer(document, () => sessionsText(document));
    return EXIT.fine;
  }

  private async play(
    options: ArmsOptions, header: SessionHeader, before: SavedSession | null, saving: { readonly recorder: SessionRecorder; readonly path: string } | null,
  ): Promise<{ readonly saved: SavedSession; readonly path: string | undefined }> {
    const { clock, signal } = this.context;
    const keeper = new SessionKeeper(header, armPlan(options), before);
    const resume = new Map([...(before?.episodes.values() ?? [])].map(({ ref, episode }) => [episodeKey(ref), episode]));
    const tell = progressOf(this.output);
    const started = clock.now();
    try {
      if (options.hint !== null) await this.lookAtHint(options, options.hint);
      await startArms({ ...options, resume }, (event) => {
        keeper.take(event);
        saving?.recorder.take(event);
        tell(event);
      }, signal).result;
    } finally {
      await saving?.recorder.end(clock.now(), clock.now() - started);
      options.sandbox.dispose();
    }
    return { saved: keeper.session((before?.elapsedMs ?? 0) + clock.now() - started), path: saving?.path };
  }

  /** Says what is wrong with a hint before it is played: what wins by an answer that it tells is no regret. A file that cannot be run says so in its plays. */
  private async lookAtHint({ file, sandbox }: ArmsOptions, hint: string): Promise<void> {
    const nowhere = { line: 1, column: 1, endLine: 1, endColumn: 1 };
    try {
      const leak = await findHintLeak(await sandbox.get(this.context.signal), file, hint, this.context.signal);
      for (const finding of hintFindings(hint, leak, nowhere, null)) this.output.note(finding.message);
      if (leak.tested === 0) this.output.note(message('Nobody could look whether the hint holds answers: the file gives none to look for.'));
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
    }
  }

  /** Prints a session's report, writes what else was asked for, and says whether anything was played. */
  private async answer(session: SavedSession, path: string | undefined): Promise<ExitCode> {
    for (const { line, why } of session.damaged) this.output.note(message('Line {line} of the session cannot be used: {why} The rest is.', { line, why }));
    await this.write(session);
    const report = reportOfSession(session);
    const shown = this.args.positionals[0] === undefined ? report.file : this.args.onePath('FILE');
    const document = { ...report, file: shown, ...(path !== undefined && { session: path }) };
    this.output.answer(document, () => reportText(document));
    const episodes = [...report.arms.noHint.episodes, ...(report.arms.hint?.episodes ?? [])];
    const unplayed = episodes.length === 0 || episodes.every(({ status }) => status === 'policy-failed' || status === 'cancelled');
    return unplayed || this.context.signal.aborted ? EXIT.notDone : EXIT.fine;
  }

  private compared(before: SavedSession, beforePath: string, after: SavedSession, afterPath: string, flipsCount = true): ExitCode {
    const { arms, regret, compared, changes, differences } = compareSessions(before, after);
    const arm = (of: ArmReport) => ({ mean: of.mean, interval: of.interval, n: countedReturns(of.episodes).length, failed: of.failed });
    const document: ComparisonDocument = {
      before: beforePath, after: afterPath, compared, flipped: changes.filter(({ kind }) => kind === 'flipped').length,
      arms: arms.map((of) => ({ arm: of.arm, before: arm(of.before), after: arm(of.after), difference: of.difference })),
      regret: { before: regret.before?.regret ?? null, after: regret.after?.regret ?? null },
      changes: changes.map(({ slot: _slot, ...change }) => change), differences: differences.map(formatMessage),
    };
    this.output.answer(document, () => comparisonText(document));
    if (this.context.signal.aborted) return EXIT.notDone;
    return flipsCount && document.flipped > 0 ? EXIT.no : EXIT.fine;
  }

  private exportKind(): 'sft' | 'rl' {
    return this.args.choice('export-for', ['sft', 'rl']) ?? 'rl';
  }

  private async write(session: SavedSession): Promise<void> {
    const [lines, report] = [this.args.path('export'), this.args.path('report')];
    if (lines !== undefined) {
      const all = exportLines(session, this.exportKind());
      await this.context.files.replace(lines, all.map((line) => `${line}\n`).join(''));
      this.output.note(message('{trajectories} written to {path}.', { trajectories: counted(all.length, 'trajectory', 'trajectories'), path: lines }));
    }
    if (report !== undefined) {
      await this.context.files.replace(report, await htmlReport(session));
      this.output.note(message('Report written to {path}.', { path: report }));
    }
  }

  private nameOf(path: string): string {
    const name = relative(this.context.cwd, path);
    return name.startsWith('..') ? path : name;
  }

  private async headerOf(options: ArmsOptions, origin: SessionOrigin | null): Promise<SessionHeader> {
    const at = this.context.clock.now();
    const file = this.nameOf(this.args.onePath('FILE'));
    return {
      v: 1, type: 'session', id: sessionId(at, file), at, file, hash: await contentHash(options.file.source), source: options.file.source, settings: settingsOf(this.args, options),
      policy: policyInRecord(options.policy), simulatedHint: options.simulatedHint ?? false, maxTurns: options.maxTurns ?? 25, thinking: options.thinking ?? false, origin,
    };
  }

  /** With `--save` the plays are saved in the folder, as the editor saves them. */
  private async recorderFor(options: ArmsOptions, header: SessionHeader): Promise<{ readonly recorder: SessionRecorder; readonly path: string } | null> {
    if (!this.args.flag('save')) return null;
    const writer = await new SessionFiles(this.context.files, this.context.cwd).begin(header, armPlan(options));
    this.output.note(message('The plays are saved in {path}.', { path: writer.path }));
    return { recorder: new SessionRecorder(writer, (error) => this.notSaved(error)), path: writer.path };
  }

  private notSaved(error: unknown): void {
    this.output.note(message('The plays could not be saved: {why}', { why: error instanceof Error ? error.message : String(error) }));
  }
}

export const playCommand: Command = {
  name: 'play',
  summary: 'play an environment, with a hint and without on the same seeds when a hint is given; save, replay, compare and export plays',
  usage: [
    'play FILE --policy oracle|random|noop|cheats|script|model|simulated [--hint TEXT | --hint-file FILE] [--seeds 0-15] [--plays N] [--max-turns N]',
    `     [--actions FILE] [--as-run] [--thinking] [--chance P] [--chance-hint P] [--random-seed N] [--concurrency N] [--save] ${SANDBOX_USAGE}`,
    `     ${MODEL_USAGE}`,
    '  play FILE --replay SESSION   the same actions on the file as it is now, without who chose them: which outcomes flip',
    '  play --resume SESSION [--extend N]   play what is missing, and N further seeds',
    '  play --session SESSION [--compare EARLIER]   a saved session; play --sessions lists them',
    '  with each: [--export FILE --export-for rl|sft] [--report FILE.html]',
  ].join('\n  '),
  run: (argv, context) => new PlayCall(Args.parse(argv, OPTIONS, context.cwd), context).run(),
};
