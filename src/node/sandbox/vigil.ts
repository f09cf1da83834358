import { median } from '../../core/collections';

/** How long either side of a call looks for the next message before it sleeps, in microseconds. */
const LOOK_US = 100;
/** A call follows closely on one that took less than this, and whose reply came less than this ago. Milliseconds. */
const CLOSE_MS = 0.4;
/** A trial has so many calls, awake and asleep by turns of {@link TURN}; the first of each turn, which is half of either, does not count. */
const TRIAL = 64;
const TURN = 8;
/** What staying awake may take at most of the time without it, to be worth it. */
const WORTH = 0.9;
/** Close calls before the first trial, from one that did not pay to the next (twice as many each time, up to the second figure), and from one that did. */
const FIRST = 16;
const SOON = 256;
const LATE = 1024;
const KEPT = 8192;
/** While it pays, so many calls are judged together: when most of them took longer than calls did asleep, it is over. */
const WATCHED = 32;

/**
 * Has both sides of a call stay awake while short calls follow one another closely.
 *
 * A processor with nothing else to do sleeps, and waking it can take longer than the step that it is woken for: once for the
 * request and once for its reply. So either side looks for the next message for a moment before it sleeps. On a busy machine, or one with
 * a single processor, that costs time instead, so it is tried now and then whether it pays. Several calls at once keep each other awake.
 * All sessions of a process share one vigil.
 */
export class Vigil {
  private underWay = 0;
  /** Calls in a row that followed closely. */
  private close = 0;
  private beganAt = 0;
  private endedAt = Number.NEGATIVE_INFINITY;
  private lookUntil = 0;
  private isLooking = false;
  private isAwake = false;
  private pays = false;
  private untilTrial = FIRST;
  private patience = SOON;
  /** Calls of the present trial so far. */
  private tried = 0;
  private readonly times = { awake: [] as number[], asleep: [] as number[] };
  private usual = Number.POSITIVE_INFINITY;
  private watched = 0;
  private slow = 0;

  /** `now` gives milliseconds; `nextTurn` calls back after the event loop has looked for messages without waiting. */
  constructor(private readonly now: () => number = () => performance.now(), private readonly nextTurn: (work: () => void) => void = (work) => setImmediate(work)) {}

  /** A call is about to be sent. Gives how long its host should look for the next one after it has replied, in microseconds. */
  begin(): number {
    const now = this.now();
    const isClose = this.underWay === 0 && now - this.endedAt < CLOSE_MS && this.endedAt - this.beganAt < CLOSE_MS;
    this.underWay += 1;
    this.close = isClose ? this.close + 1 : 0;
    if (this.close > 1) this.learn(now - this.beganAt);
    this.beganAt = now;
    this.isAwake = this.close > 0 && (this.untilTrial > 0 ? this.pays : Math.floor(this.tried / TURN) % 2 === 0);
    if (!this.isAwake) return 0;
    this.lookUntil = now + LOOK_US / 1000;
    if (!this.isLooking) this.nextTurn(this.look);
    this.isLooking = true;
    return LOOK_US;
  }

  /** A call is over, however it went. */
  end(): void {
    this.underWay -= 1;
    this.endedAt = this.now();
    this.lookUntil = 0;
  }

  private readonly look = (): void => {
    this.isLooking = this.now() < this.lookUntil;
    if (this.isLooking) this.nextTurn(this.look);
  };

  /** Takes in what the last call took, with what its caller did until this one. */
  private learn(ms: number): void {
    if (this.untilTrial > 0) {
      this.untilTrial -= 1;
      if (this.isAwake) this.watch(ms);
      return;
    }
    if (this.tried % TURN > 0) this.times[this.isAwake ? 'awake' : 'asleep'].push(ms);
    this.tried += 1;
    if (this.tried < TRIAL) return;
    this.usual = median(this.times.asleep)!;
    this.decide(median(this.times.awake)! <= WORTH * this.usual);
  }

  private watch(ms: number): void {
    this.watched += 1;
    if (ms > this.usual) this.slow += 1;
    if (this.watched === WATCHED && this.slow > WATCHED / 2) this.decide(false);
    if (this.watched >= WATCHED) this.watched = this.slow = 0;
  }

  private decide(pays: boolean): void {
    this.pays = pays;
    this.untilTrial = pays ? KEPT : this.patience;
    this.patience = pays ? SOON : Math.min(2 * this.patience, LATE);
    this.tried = this.watched = this.slow = 0;
    this.times.awake.length = this.times.asleep.length = 0;
  }
}

/** The vigil of this process. */
export const processVigil = new Vigil();
