import { z } from 'zod';
import { onAbort } from '../../core/abort';
import { SandboxError } from '../../core/sandboxError';
import type { LoadCall, PlanOutcome, SandboxSession, SessionEnd, SessionLimits } from '../../core/ports';
import {
  HostEvent, HostReply, LoadResult, PlainStep, ResetResult, SelfTestResult, SnapshotResult, SolutionResult, StepResult, ToolResult,
  type HostCall, type HostGreeting, type ProbePlan, type RunEvidence,
} from '../../shared/hostProtocol';
import type { Channel, ChannelListener } from './channel';
import { LIMIT_SETTINGS, plainEnd } from './limits';
import { packed } from './packedPlan';
import { inFull } from './plainStep';
import { PlanCollector } from './planCollector';
import { processVigil, type Vigil } from './vigil';

/** A call that waits for its reply. */
interface Waiting {
  readonly id: number;
  readonly limit: TimeLimit;
  readonly done: (result: unknown) => void;
  readonly failed: (error: Error) => void;
  readonly event: (frame: HostEvent) => void;
}

const SentStep = z.union([PlainStep, StepResult]);

/** Which bound a call is under. */
type TimeLimit = 'call' | 'load' | 'batch';

/**
 * How long a batched plan may be silent, milliseconds. Short, because whoever loses one asks again for what was being done,
 * unbatched, with the full limits.
 */
const BATCH_SILENCE_MS = 1000;

/**
 * A session over any {@link Channel}: numbers the calls, checks every frame, keeps the limits that Node keeps (wall time,
 * output), and says of every end why. Calls are made one after the other.
 */
export class HostSession implements SandboxSession, ChannelListener {
  readonly ended: Promise<SessionEnd>;
  private settleEnded!: (end: SessionEnd) => void;
  private over: SessionEnd | null = null;
  /** Why this side ended the session, before the channel has confirmed it. */
  private intent: SessionEnd | null = null;
  private waiting: Waiting | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  private nextId = 1;
  /** Calls that wait or are being made. */
  private calls = 0;
  private output = 0;

  constructor(
    readonly greeting: HostGreeting,
    private readonly channel: Channel,
    private readonly limits: SessionLimits,
    private readonly onLog?: (text: string) => void,
    private readonly vigil: Vigil = processVigil,
  ) {
    this.ended = new Promise((resolve) => (this.settleEnded = resolve));
    channel.listen(this);
  }

  load(call: LoadCall, signal?: AbortSignal): Promise<LoadResult> {
    return this.call({ op: 'load', ...call }, 'load', LoadResult, signal);
  }

  reset(seed: number | null, signal?: AbortSignal): Promise<ResetResult> {
    return this.call({ op: 'reset', seed }, 'call', ResetResult, signal);
  }

  async step(action: string, options: { trace?: boolean; signal?: AbortSignal } = {}): Promise<StepResult> {
    const reply = await this.call({ op: 'step', action, trace: options.trace ?? false, plain: true }, 'call', SentStep, options.signal);
    return 'kind' in reply ? reply : inFull(reply, action);
  }

  tool(name: string, args: Record<string, unknown>, options: { trace?: boolean; signal?: AbortSignal } = {}): Promise<ToolResult> {
    const call = { op: 'tool', name, arguments: args as Record<string, z.core.util.JSONType>, trace: options.trace ?? false } as const;
    return this.call(call, 'call', ToolResult, options.signal);
  }

  solution(signal?: AbortSignal): Promise<SolutionResult> {
    return this.call({ op: 'solution' }, 'call', SolutionResult, signal);
  }

  snapshot(signal?: AbortSignal): Promise<SnapshotResult> {
    return this.call({ op: 'snapshot' }, 'call', SnapshotResult, signal);
  }

  /** Tries the host's attacks from within this session. */
  selfTest(signal?: AbortSignal): Promise<SelfTestResult> {
    return this.call({ op: 'selftest' }, 'load', SelfTestResult, signal);
  }

  async plan(source: string, file: string, plan: ProbePlan, signal?: AbortSignal, onRuns?: (complete: readonly RunEvidence[]) => void): Promise<PlanOutcome> {
    const collector = new PlanCollector(plan);
    const batched = plan.batched ? 'batch' : null;
    const event = (frame: HostEvent): void => {
      if (frame.event === 'log') return;
      if (!collector.take(frame)) this.outOfProtocol();
      else if (frame.event === 'runs') {
        if (batched) this.arm(batched);
        onRuns?.(collector.complete);
      } else if (frame.next === 0) this.arm('load');
      else this.arm(batched ?? (collector.current?.op === 'construct' ? 'load' : 'call'));
    };
    try {
      await this.call({ op: 'plan', source, file, plan: { ...packed(plan), importSeconds: this.limits.importMs / 1000 } }, 'load', z.unknown(), signal, event);
      return collector.outcome(null);
    } catch (error) {
      if (error instanceof SandboxError && error.end !== null) return collector.outcome(error.end);
      throw error;
    }
  }

  kill(): void {
    this.stop(plainEnd('killed', 'it was ended on request'));
  }

  async close(): Promise<void> {
    this.stop(plainEnd('closed', ''));
    await this.ended;
  }

  /** From the channel. */
  frame(value: unknown): void {
    // Whoever broke the protocol must not be believed what it says until it is gone.
    if (this.intent) return;
    const isEvent = typeof value === 'object' && value !== null && 'event' in value;
    const parsed = isEvent ? HostEvent.safeParse(value) : HostReply.safeParse(value);
    if (!parsed.success) this.outOfProtocol();
    else if ('event' in parsed.data) this.event(parsed.data);
    else this.reply(parsed.data);
  }

  /** From the channel. */
  started(): void {
    if (this.waiting) this.arm(this.waiting.limit);
  }

  /** From the channel. */
  end(end: SessionEnd): void {
    if (this.over) return;
    this.over = this.intent ?? end;
    const waiting = this.waiting;
    this.settle();
    waiting?.failed(SandboxError.ended(this.over));
    this.settleEnded(this.over);
  }

  private event(frame: HostEvent): void {
    if (frame.event === 'log') this.log(frame.text);
    else this.waiting?.event(frame);
  }

  private reply(frame: HostReply): void {
    if (this.waiting?.id !== frame.id) return;
    const { done, failed } = this.waiting;
    this.settle();
    if (frame.ok) done(frame.result);
    else failed(SandboxError.raised(frame.error));
  }

  private outOfProtocol(): void {
    this.stop(plainEnd('crashed', 'its host sent what is not of the protocol'));
  }

  private stop(intent: SessionEnd): void {
    if (this.over) return;
    this.intent ??= intent;
    this.channel.kill();
  }

  private log(text: string): void {
    this.output += Buffer.byteLength(text, 'utf8');
    if (this.output > this.limits.outputBytes) {
      this.stop({ reason: 'output', limit: LIMIT_SETTINGS.output, detail: `it printed more than ${this.limits.outputBytes} bytes` });
    } else this.onLog?.(text);
  }

  private settle(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.waiting = null;
  }

  /** Starts the clock of the present call anew. */
  private arm(limit: TimeLimit): void {
    if (this.timer) clearTimeout(this.timer);
    const { loadMs, callMs } = this.limits;
    const ms = limit === 'load' ? loadMs : limit === 'call' ? callMs : Math.min(BATCH_SILENCE_MS, callMs);
    this.timer = setTimeout(() => {
      this.stop({ reason: 'wall-time', limit: LIMIT_SETTINGS[limit === 'load' ? 'load' : 'call'], detail: `it did not come back within ${ms / 1000} s` });
    }, ms);
  }

  private call<T>(call: HostCall, limit: TimeLimit, schema: z.ZodType<T>, signal?: AbortSignal, event?: (frame: HostEvent) => void): Promise<T> {
    const make = (): Promise<T> => this.make(call, limit, schema, signal, event).finally(() => (this.calls -= 1));
    this.calls += 1;
    const result = this.calls === 1 ? make() : this.last.then(make);
    this.last = result.catch(() => undefined);
    return result;
  }

  private async make<T>(
    call: HostCall, limit: TimeLimit, schema: z.ZodType<T>, signal?: AbortSignal, event: (frame: HostEvent) => void = () => undefined,
  ): Promise<T> {
    if (signal?.aborted) throw aborted(signal);
    if (this.over ?? this.intent) throw SandboxError.ended((this.over ?? this.intent)!);
    const id = this.nextId++;
    const letGo = onAbort(signal, () => this.kill());
    const lookUs = this.vigil.begin();
    try {
      const reply = await new Promise<unknown>((done, failed) => {
        this.waiting = { id, limit, done, failed, event };
        if (!this.channel.queues) this.arm(limit);
        this.channel.send({ id, ...call }, lookUs);
      });
      return this.checked(schema, reply);
    } catch (error) {
      if (this.waiting?.id === id) this.settle();
      if (error instanceof RangeError) throw SandboxError.raised({ code: 'bad-request', type: '', message: error.message, traceback: [] });
      throw signal?.aborted ? aborted(signal) : error;
    } finally {
      this.vigil.end();
      letGo();
    }
  }

  private checked<T>(schema: z.ZodType<T>, reply: unknown): T {
    const parsed = schema.safeParse(reply);
    if (parsed.success) return parsed.data;
    const end = plainEnd('crashed', `its host answered out of the protocol: ${z.prettifyError(parsed.error).slice(0, 500)}`);
    this.stop(end);
    throw SandboxError.ended(end);
  }
}

function aborted(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error && reason.name === 'AbortError' ? reason : new DOMException('The operation was cancelled', 'AbortError');
}
