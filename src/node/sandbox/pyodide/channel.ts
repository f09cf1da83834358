import type { SessionEnd, SessionLimits } from '../../../core/ports';
import type { Channel, ChannelListener } from '../channel';
import { LIMIT_SETTINGS, plainEnd } from '../limits';
import type { ChildDied } from './child';
import type { ImageKind } from './imageStore';
import type { Pool, Seat } from './pool';

/** What a session may do that no limit names, in bytes of events a request: evidence of a plan is long. */
const EVENT_BYTES = 64 * 1024 * 1024;
/** Sources that import any of these begin on an image that has them imported already. */
const MATH = /\b(?:math_verify|latex2sympy2_extended|sympy|mpmath)\b/;

/** How a session that is about to begin is told its kind of machine. */
export interface SeatPlan {
  readonly kind: ImageKind;
  /** Layers that the greeting names. */
  readonly layers: readonly string[];
}

/** The way to a session that takes turns with others on the pool's children. The processor time it used is counted here. */
export class PooledChannel implements Channel {
  readonly queues = true;
  private seat: Seat | null = null;
  private listener: ChannelListener | null = null;
  private over: SessionEnd | null = null;
  private cpuLeftMs: number;
  private cpuTimer: NodeJS.Timeout | null = null;

  constructor(private readonly pool: Pool, private readonly plan: SeatPlan, private readonly limits: SessionLimits, private readonly onEnd: () => void) {
    this.cpuLeftMs = limits.cpuSeconds * 1000;
  }

  listen(listener: ChannelListener): void {
    this.listener = listener;
    if (this.over) listener.end(this.over);
  }

  send(request: object, lookUs: number): void {
    if (this.over) return;
    this.seat ??= this.newSeat(request);
    let began = 0;
    const started = (): void => {
      began = performance.now();
      this.cpuTimer = setTimeout(() => this.endWith(cpuEnd(this.limits)), this.cpuLeftMs);
      this.listener?.started?.();
    };
    const spent = (): void => {
      if (this.cpuTimer) clearTimeout(this.cpuTimer);
      if (began > 0) this.cpuLeftMs = Math.max(1, this.cpuLeftMs - (performance.now() - began));
    };
    this.pool.request(this.seat, JSON.stringify(request), (event) => this.frame(event), started, lookUs > 0).then(
      (answer) => {
        spent();
        this.frame(answer);
      },
      (death: unknown) => {
        spent();
        this.endWith(endOf(death as ChildDied, this.limits));
      },
    );
  }

  kill(): void {
    this.endWith(plainEnd('killed', 'it was ended on request'));
  }

  private newSeat(request: object): Seat {
    const source = 'source' in request && typeof request.source === 'string' ? request.source : '';
    const kind = { ...this.plan.kind, mathPreloaded: this.plan.kind.wheels.length > 0 && MATH.test(source) };
    return this.pool.seat(
      kind,
      {
        python: { op: 'start', observationChars: this.limits.observationChars, layers: this.plan.layers },
        bounds: { memoryBytes: this.limits.memoryBytes, eventBytes: EVENT_BYTES },
      },
      (death) => this.endWith(endOf(death, this.limits)),
    );
  }

  private frame(bytes: Buffer): void {
    if (this.over) return;
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString('utf8'));
    } catch {
      value = null;
    }
    this.listener?.frame(value);
  }

  private endWith(end: SessionEnd): void {
    if (this.over) return;
    this.over = end;
    if (this.cpuTimer) clearTimeout(this.cpuTimer);
    if (this.seat) this.pool.release(this.seat);
    this.onEnd();
    this.listener?.end(end);
  }
}

function cpuEnd({ cpuSeconds }: SessionLimits): SessionEnd {
  return { reason: 'cpu', limit: LIMIT_SETTINGS.cpu, detail: `it computed for more than ${cpuSeconds} s` };
}

/** What the death of a child means to the session that it was busy with. */
function endOf(death: ChildDied, limits: SessionLimits): SessionEnd {
  switch (death.why) {
    case 'memory':
      return { reason: 'memory', limit: LIMIT_SETTINGS.memory, detail: `it used more than ${limits.memoryBytes} bytes of memory` };
    case 'output':
      return { reason: 'output', limit: null, detail: death.message };
    case 'refused-import':
      return plainEnd('crashed', `it reached for what the sandbox does not have: ${death.message}`);
    case 'stack':
      return plainEnd('crashed', 'it recursed too deep: the stack overflowed');
    case 'exit':
      return plainEnd('crashed', 'it ended its own process');
    case 'trap':
    case 'reset':
      return plainEnd('crashed', `its interpreter failed: ${death.message}`);
    default:
      return plainEnd('host-died', death.message);
  }
}
