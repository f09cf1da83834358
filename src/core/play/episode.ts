import type { LineTrace } from '../../shared/hostProtocol';
import { toJsonNumber, type JsonNumber } from '../../shared/json';
import type { Episode, EpisodeStatus, EpisodeStep } from '../../shared/play';
import { EnvwrightError, isCancelled } from '../errors';
import { ModelError } from '../models/errors';
import type { Clock, Sandbox } from '../ports';
import { SandboxError } from '../sandboxError';
import { coerceObservation, coerceStep, failedStep, type CoercedStep } from './coercion';
import type { EpisodeRef, PlayEvent, StepDetail } from './events';
import { openInstance, type InstanceOptions, type PlayedFile, type PlayInstance } from './instance';
import { readMove, type MoveReading, type PlannedCall, type ReadMove } from './reading';
import { episodeOf } from './outcome';
import { shownText, type EpisodeSetting, type Move, type PastTurn, type Policy, type Shown, type Turn } from './policy';

/** Turn budget of the run's launchers: it counts replies, whatever the class says (run contract §4). */
export const DEFAULT_BUDGET = 25;

/** What an episode needs. */
export interface EpisodeOptions extends InstanceOptions, MoveReading {
  readonly file: PlayedFile;
  readonly sandbox: Sandbox;
  readonly policy: Policy;
  /** Added to the first observation; null for none. */
  readonly hint: string | null;
  /** Reset with seed 123 first, as a load of the run has just done: matters where a seed is null (run contract §5). */
  readonly warmReset: boolean;
  readonly trace: boolean;
  readonly clock: Pick<Clock, 'now'>;
  /** See {@link Turn.otherSolutions}. */
  readonly otherSolutions: (signal: AbortSignal) => Promise<readonly string[]>;
}

/** Ends an episode before the environment does. */
class EpisodeEnd extends Error {
  constructor(readonly status: EpisodeStatus, readonly why: string | null) {
    super(why ?? status);
  }
}

/**
 * Plays one episode as the run would and gives it whatever happens: what goes wrong is its status and error.
 * Only a sandbox that cannot be had at all rejects.
 */
export async function playEpisode(options: EpisodeOptions, ref: EpisodeRef, emit: (event: PlayEvent) => void, signal: AbortSignal): Promise<Episode> {
  const player = new EpisodePlayer(options, ref, emit, signal);
  try {
    return await player.play();
  } finally {
    player.close();
  }
}

class EpisodePlayer {
  private instance: PlayInstance | null = null;
  private readonly steps: EpisodeStep[] = [];
  private readonly past: PastTurn[] = [];
  private shown: Shown = { kind: 'observation', text: '' };

  constructor(
    private readonly options: EpisodeOptions,
    private readonly ref: EpisodeRef,
    private readonly emit: (event: PlayEvent) => void,
    private readonly signal: AbortSignal,
  ) {}

  close(): void {
    this.instance?.session.kill();
  }

  async play(): Promise<Episode> {
    try {
      this.signal.throwIfAborted();
      await this.begin();
      while (this.steps.length < this.options.maxTurns) {
        const status = await this.turn();
        if (status) return this.ended(status, null);
      }
      return this.ended('turn-limit', null);
    } catch (error) {
      return this.endedBy(error);
    }
  }

  private async begin(): Promise<void> {
    this.instance = await openInstance(this.options.sandbox, this.options.file, this.options, this.signal);
    const { session, loaded } = this.instance;
    this.emit({ type: 'loaded', ref: this.ref, toolUse: loaded.toolUse, tools: Array.isArray(loaded.tools) ? loaded.tools : [] });
    if (this.options.warmReset) await session.reset(123, this.signal);
    const reset = await session.reset(this.ref.seed, this.signal);
    if (reset.shape) throw new EpisodeEnd('step-raised', `reset returned ${reset.shape.type} and not an observation with info`);
    const text = coerceObservation(reset.observation);
    const { hint } = this.options;
    this.shown = { kind: 'observation', text: hint === null ? text : `${text}\n\nHINT: ${hint}` };
  }

  /** One reply of the agent and what follows from it; gives the status when the episode is over. */
  private async turn(): Promise<EpisodeStatus | null> {
    const step = this.steps.length;
    const started = this.options.clock.now();
    this.emit({ type: 'shown', ref: this.ref, step, observation: shownText(this.shown) });
    const move = await this.move(step);
    if (!move) throw new EpisodeEnd('turn-limit', 'the policy has no further actions');
    const { arm } = this.ref;
    const read = readMove(move, arm, this.setting().toolUse, this.options);
    const tokens = move.tokens ?? null;
    const detail = (trace: LineTrace | null): StepDetail => ({ ms: this.options.clock.now() - started, tokens, trace });
    if (move.cut && arm === 'noHint') {
      this.record(move, { ...read, calls: [] }, null, { terminated: false, truncated: true }, detail(null));
      return 'reply-cut';
    }
    if (read.calls.length > 0) {
      const results = await this.makeCalls(read.calls);
      this.record(move, read, null, { terminated: false, truncated: false }, detail(null), results);
      this.next(move, read.calls, { kind: 'results', results });
      return null;
    }
    const { made, trace } = await this.step(read.action);
    this.record(move, read, toJsonNumber(made.reward), made, detail(trace));
    this.next(move, [], { kind: 'observation', text: made.observation });
    if (made.failure !== null) throw new EpisodeEnd('step-raised', made.failure);
    return made.terminated ? 'terminated' : made.truncated ? 'truncated' : null;
  }

  private async move(step: number): Promise<Move | null> {
    try {
      return await this.options.policy.move(this.turnFor(step), this.signal);
    } catch (error) {
      if (isCancelled(error) || error instanceof EpisodeEnd) throw error;
      if (error instanceof ModelError && error.kind === 'context-full') throw new EpisodeEnd('context-full', error.message);
      if (error instanceof EnvwrightError) throw new EpisodeEnd('policy-failed', error.message);
      throw error;
    }
  }

  private async step(action: string): Promise<{ made: CoercedStep; trace: LineTrace | null }> {
    try {
      const result = await this.opened().session.step(action, { trace: this.options.trace, signal: this.signal });
      return { made: coerceStep(result), trace: result.trace ?? null };
    } catch (error) {
      const failure = stepFailure(error);
      if (failure === null) throw error;
      return { made: failedStep(failure), trace: null };
    }
  }

  private async makeCalls(calls: readonly PlannedCall[]): Promise<{ callId: string; output: string }[]> {
    const results: { callId: string; output: string }[] = [];
    for (const { call, arguments: args } of calls) results.push({ callId: call.id, output: await this.callTool(call.name, args) });
    return results;
  }

  private async callTool(name: string, args: Record<string, unknown> | null): Promise<string> {
    if (!args) return 'Error: the arguments of the call are no object.';
    try {
      return (await this.opened().session.tool(name, args, { signal: this.signal })).output.text;
    } catch (error) {
      const failure = stepFailure(error);
      if (failure === null) throw error;
      return `Error: ${failure}`;
    }
  }

  private record(
    move: Move, read: ReadMove, reward: JsonNumber | null, flags: { terminated: boolean; truncated: boolean }, detail: StepDetail, results: EpisodeStep['results'] = [],
  ): void {
    const done: EpisodeStep = {
      observation: shownText(this.shown),
      reply: move.reply,
      thinking: move.thinking ?? '',
      action: read.calls.length > 0 ? '' : read.action,
      calls: read.calls.map(({ call }) => call),
      ...(results.length > 0 && { results }),
      reward,
      terminated: flags.terminated,
      truncated: flags.truncated,
      notices: [...read.notices],
    };
    this.steps.push(done);
    this.emit({ type: 'step', ref: this.ref, step: this.steps.length - 1, done, detail });
  }

  private next(move: Move, calls: readonly PlannedCall[], shown: Shown): void {
    this.past.push({ shown: this.shown, move: calls.length > 0 ? { ...move, calls: calls.map(({ call }) => call) } : move });
    this.shown = shown;
  }

  private turnFor(step: number): Turn {
    const { session, loaded } = this.opened();
    return {
      setting: this.setting(),
      past: this.past,
      shown: this.shown,
      solution: async () => (loaded.hasSolution ? (await session.solution(this.signal)).text.text : null),
      rehearse: (replies) => this.rehearse(replies),
      otherSolutions: () => this.options.otherSolutions(this.signal),
      emit: (type, text) => this.emit({ type, ref: this.ref, step, text }),
      waiting: (ms, why) => this.emit({ type: 'waiting', ref: this.ref, ms, why }),
    };
  }

  private setting(): EpisodeSetting {
    const { loaded } = this.opened();
    const { arm, seed, play } = this.ref;
    return { arm, seed, play, toolUse: loaded.toolUse, tools: Array.isArray(loaded.tools) ? loaded.tools : [] };
  }

  /** Plays replies on an instance of its own. */
  private async rehearse(replies: readonly string[]): Promise<number | null> {
    if (this.ref.seed === null) return null;
    const policy: Policy = { name: 'rehearsal', simulated: true, usesHint: false, note: null, move: ({ past }) => Promise.resolve(replyAt(replies, past.length)) };
    const episode = await playEpisode({ ...this.options, policy, hint: null, trace: false }, this.ref, () => {}, this.signal);
    return episode.runReturn;
  }

  private opened(): PlayInstance {
    if (!this.instance) throw new Error('The episode has no instance yet.');
    return this.instance;
  }

  private ended(status: EpisodeStatus, error: string | null): Episode {
    return episodeOf({ seed: this.ref.seed, steps: this.steps, finalObservation: this.past.length > 0 ? shownText(this.shown) : '', status, error });
  }

  private endedBy(error: unknown): Episode {
    if (this.signal.aborted || isCancelled(error)) return this.ended('cancelled', null);
    if (error instanceof EpisodeEnd) return this.ended(error.status, error.why);
    if (error instanceof SandboxError && (error.raised ?? error.end)) {
      const late = error.end?.reason === 'wall-time' || error.end?.reason === 'cpu';
      return this.ended(late ? 'step-timeout' : 'step-raised', error.message);
    }
    throw error;
  }
}

function replyAt(replies: readonly string[], at: number): Move | null {
  const reply = replies[at];
  return reply === undefined ? null : { reply };
}

/** What the run's wrapper would have caught, null for all else. A full memory is an exception to the run as well. */
function stepFailure(error: unknown): string | null {
  if (!(error instanceof SandboxError)) return null;
  if (error.raised) return `${error.raised.type}: ${error.raised.message}`;
  return error.end?.reason === 'memory' ? error.message : null;
}
