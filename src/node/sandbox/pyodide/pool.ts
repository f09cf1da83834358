import { Child, ChildDied } from './child';
import { ANSWER_HEAD, Kind, type StartOrder } from './envelope';
import type { ImageKind } from './imageStore';
import type { ParkingLot } from './parkingLot';

/** Starts a child of a kind and waits until it is ready. */
export type StartChild = (kind: ImageKind) => Promise<{ child: Child; image: string; heapBytes: number }>;

/** A child and the session that it holds, if any. */
interface Slot {
  readonly kind: ImageKind;
  readonly key: string;
  readonly child: Child;
  readonly image: string;
  /** Size of the heap when the child was ready, and now, in bytes. */
  readonly freshBytes: number;
  heapBytes: number;
  seat: Seat | null;
  busy: boolean;
  /** For whom it is busy; that need not be who sits there yet. */
  user: Seat | null;
  usedAt: number;
  /** When the session that sits there got it. */
  seatedAt: number;
  /** Runs while the session that sits there, after its answer, is given time to ask again before the child goes to another. */
  stay: NodeJS.Timeout | null;
}

/** A session as the pool knows it: in a slot, parked in a file, or not begun. */
export interface Seat {
  readonly kind: ImageKind;
  /** Tells kinds apart. */
  readonly key: string;
  readonly order: StartOrder;
  /** Called once when the session's child died outside of any call of this session. */
  readonly onLost: (death: ChildDied) => void;
  slot: Slot | null;
  parked: { readonly file: string; readonly image: string } | null;
  over: boolean;
}

interface Waiter {
  readonly seat: Seat;
  readonly resolve: (slot: Slot) => void;
  readonly reject: (error: Error) => void;
}

/** A child whose heap has grown by more than this is not used for another session: a heap never shrinks. */
const GROWN_BYTES = 48 * 1024 * 1024;
/** A child that nobody has used for so long is ended; one stays. In ms. */
const IDLE_MS = 120_000;
/**
 * Parking a session and taking up another cost several milliseconds, and who plays by a script asks again at once: a session
 * keeps its child for {@link STAY_MS} after an answer though others wait, until it has had it for {@link TURN_MS}.
 */
const STAY_MS = 2;
const TURN_MS = 50;

function endStay(slot: Slot): void {
  if (slot.stay) clearTimeout(slot.stay);
  slot.stay = null;
}

const keyOf = (kind: ImageKind): string => JSON.stringify(kind);

/**
 * Children, and the sessions that take turns on them. A session keeps its child between calls for as long as no other
 * needs it; then it is parked: what it made of the image is kept in a file, and comes back into any child of its kind.
 */
export class Pool {
  private readonly slots: Slot[] = [];
  private readonly waiters: Waiter[] = [];
  private readonly starting = new Map<string, number>();
  private readonly sweep: NodeJS.Timeout;
  private disposed = false;

  constructor(private readonly startChild: StartChild, private readonly lot: ParkingLot, private readonly maxChildren: number) {
    this.sweep = setInterval(() => this.endIdle(), IDLE_MS / 4);
    this.sweep.unref();
  }

  seat(kind: ImageKind, order: StartOrder, onLost: (death: ChildDied) => void): Seat {
    return { kind, key: keyOf(kind), order, onLost, slot: null, parked: null, over: false };
  }

  /**
   * Sends a request of the session once a child is free for it, and gives the answer; with `look`, the child then looks for the next
   * one before it sleeps. `started` is called when the child begins; from there on its time counts. Rejects with {@link ChildDied}, after which the session is over.
   */
  async request(seat: Seat, content: Buffer | string, onEvent: (content: Buffer) => void, started: () => void, look = false): Promise<Buffer> {
    const slot = await this.seated(seat);
    try {
      started();
      return this.unpack(slot, await slot.child.send(look ? Kind.looking : Kind.request, content, onEvent));
    } catch (error) {
      this.lose(slot, seat, error as ChildDied);
      throw error;
    } finally {
      this.free(slot);
    }
  }

  /** Ends the session now: a call of it that is under way rejects, and its child is killed; else its child goes to others. */
  release(seat: Seat): void {
    if (seat.over) return;
    const { slot, parked } = seat;
    if (parked) this.lot.drop(parked.file);
    this.endSeat(seat, new ChildDied('killed', 'killed'));
    // Who is being parked to make room for another goes without harm to that one.
    if (!slot || (slot.busy && slot.user !== seat)) return;
    if (slot.busy || slot.heapBytes - slot.freshBytes > GROWN_BYTES) {
      this.remove(slot);
      this.pump();
      this.warm(slot.kind);
    } else {
      endStay(slot);
      slot.busy = true;
      void this.clear(slot);
    }
  }

  /** Starts a child ahead of need unless one is free: whoever comes next, or loses a child, finds one. */
  warm(kind: ImageKind): void {
    if (this.disposed) return;
    const key = keyOf(kind);
    const idle = this.slots.some((slot) => slot.key === key && !slot.seat && !slot.busy);
    if (!idle && !this.starting.has(key) && this.total() < this.maxChildren) this.start(kind);
  }

  dispose(): void {
    this.disposed = true;
    clearInterval(this.sweep);
    for (const slot of [...this.slots]) this.remove(slot);
    for (const { reject } of this.waiters.splice(0)) reject(new ChildDied('killed', 'the sandbox was ended'));
    this.lot.dispose();
  }

  private total(): number {
    return this.slots.length + [...this.starting.values()].reduce((sum, count) => sum + count, 0);
  }

  private acquire(seat: Seat): Promise<Slot> {
    if (seat.over || this.disposed) return Promise.reject(new ChildDied('killed', 'the session is over'));
    if (seat.slot && !seat.slot.busy) {
      endStay(seat.slot);
      seat.slot.busy = true;
      seat.slot.user = seat;
      return Promise.resolve(seat.slot);
    }
    return new Promise((resolve, reject) => {
      this.waiters.push({ seat, resolve, reject });
      this.pump();
    });
  }

  /** Marks the session as over, and rejects what of it still waits for a child. */
  private endSeat(seat: Seat, death: ChildDied): void {
    seat.over = true;
    for (const waiter of this.waiters.filter((one) => one.seat === seat)) {
      this.waiters.splice(this.waiters.indexOf(waiter), 1);
      waiter.reject(death);
    }
  }

  /** Gives free slots to those who wait, in their order. */
  private pump(): void {
    for (const waiter of [...this.waiters]) {
      const slot = this.slotFor(waiter.seat);
      if (!slot && !this.isStranded(waiter.seat)) continue;
      this.waiters.splice(this.waiters.indexOf(waiter), 1);
      if (!slot) {
        waiter.reject(new ChildDied('image', 'its host was replaced by one that cannot take it up'));
        continue;
      }
      slot.busy = true;
      slot.user = waiter.seat;
      waiter.resolve(slot);
      this.warm(slot.kind);
    }
  }

  /** A free slot for the session; starts a child when none is free and another may be had. */
  private slotFor(seat: Seat): Slot | null {
    // It is being parked to make room for another: begun anew elsewhere, it would have lost what it holds.
    if (seat.slot) return null;
    const { key } = seat;
    const free = this.slots.filter((slot) => !slot.busy && !slot.stay);
    const fits = (slot: Slot): boolean => slot.key === key && (!seat.parked || seat.parked.image === slot.image);
    const own = free.filter(fits);
    const empty = own.find((slot) => !slot.seat);
    if (empty) return empty;
    if (this.total() < this.maxChildren) {
      const waiting = this.waiters.filter((waiter) => waiter.seat.key === key).length;
      if ((this.starting.get(key) ?? 0) < waiting) this.start(seat.kind);
    }
    const oldest = (slots: Slot[]): Slot | undefined => slots.sort((a, b) => a.usedAt - b.usedAt)[0];
    const shared = oldest(own);
    if (shared) return shared;
    if (!this.starting.has(key)) {
      const other = oldest(free);
      if (other) void this.exchange(other, seat);
    }
    return null;
  }

  /** True for a parked session of an image that no child has any more, though there are children of its kind. */
  private isStranded({ key, parked }: Seat): boolean {
    const alike = this.slots.filter((slot) => slot.key === key);
    return parked !== null && alike.length > 0 && !this.starting.has(key) && alike.every((slot) => slot.image !== parked.image);
  }

  /** A slot that is held for the session and has it in; another one when a child dies of whom it held before. */
  private async seated(seat: Seat): Promise<Slot> {
    for (;;) {
      const slot = await this.acquire(seat);
      try {
        await this.seatIn(slot, seat);
        return slot;
      } catch (error) {
        const before = slot.seat;
        this.lose(slot, before, error as ChildDied);
        this.free(slot);
        if (before !== seat) before?.onLost(error as ChildDied);
        if (before === seat || seat.over) throw error;
      }
    }
  }

  /** Puts the session into a slot that is held for it: parks who is there, takes it up again or begins it. */
  private async seatIn(slot: Slot, seat: Seat): Promise<void> {
    if (slot.seat === seat) return;
    if (slot.seat) await this.park(slot);
    if (seat.over) throw new ChildDied('killed', 'the session is over');
    seat.slot = slot;
    slot.seat = seat;
    slot.seatedAt = performance.now();
    if (seat.parked) {
      const image = await this.lot.take(seat.parked.file);
      seat.parked = null;
      await slot.child.send(Kind.image, image);
    } else {
      await slot.child.send(Kind.start, JSON.stringify(seat.order));
    }
  }

  private async park(slot: Slot): Promise<void> {
    const { seat } = slot;
    if (seat && !seat.over) {
      const file = await this.lot.put(await slot.child.send(Kind.park, ''));
      if (seat.over) this.lot.drop(file);
      else seat.parked = { file, image: slot.image };
      seat.slot = null;
    }
    slot.seat = null;
    // It may have asked for a child meanwhile.
    this.pump();
    await slot.child.send(Kind.reset, '');
  }

  /** Ends a slot of another kind, whose session is parked first, and starts one of this kind in its place. */
  private async exchange(slot: Slot, { kind, key }: Seat): Promise<void> {
    slot.busy = true;
    this.starting.set(key, (this.starting.get(key) ?? 0) + 1);
    try {
      if (slot.seat) await this.park(slot);
    } catch (error) {
      const { seat } = slot;
      this.lose(slot, seat, error as ChildDied);
      seat?.onLost(error as ChildDied);
    }
    this.remove(slot);
    this.starting.set(key, this.starting.get(key)! - 1);
    this.start(kind);
  }

  private async clear(slot: Slot): Promise<void> {
    slot.seat = null;
    try {
      await slot.child.send(Kind.reset, '');
    } catch {
      this.remove(slot);
    }
    this.free(slot);
  }

  private free(slot: Slot): void {
    slot.busy = false;
    slot.user = null;
    slot.usedAt = Date.now();
    if (slot.seat && this.slots.includes(slot) && performance.now() - slot.seatedAt < TURN_MS) {
      slot.stay = setTimeout(() => {
        slot.stay = null;
        this.pump();
      }, STAY_MS);
    }
    this.pump();
  }

  private lose(slot: Slot, seat: Seat | null, death: ChildDied): void {
    if (seat) {
      seat.slot = null;
      this.endSeat(seat, death);
    }
    slot.seat = null;
    this.remove(slot);
    this.warm(slot.kind);
  }

  private remove(slot: Slot): void {
    const at = this.slots.indexOf(slot);
    if (at >= 0) this.slots.splice(at, 1);
    endStay(slot);
    slot.child.kill();
  }

  private start(kind: ImageKind): void {
    const key = keyOf(kind);
    this.starting.set(key, (this.starting.get(key) ?? 0) + 1);
    this.startChild(kind).then(
      (ready) => this.started(kind, ready),
      (error: unknown) => {
        this.count(key);
        const death = error instanceof ChildDied ? error : new ChildDied('boot', String(error));
        for (const waiter of this.waiters.filter(({ seat }) => seat.key === key)) {
          this.waiters.splice(this.waiters.indexOf(waiter), 1);
          waiter.reject(death);
        }
      },
    );
  }

  private count(key: string): void {
    const left = this.starting.get(key)! - 1;
    if (left > 0) this.starting.set(key, left);
    else this.starting.delete(key);
  }

  private started(kind: ImageKind, { child, image, heapBytes }: { child: Child; image: string; heapBytes: number }): void {
    const key = keyOf(kind);
    this.count(key);
    if (this.disposed) return child.kill();
    const slot: Slot = { kind, key, child, image, freshBytes: heapBytes, heapBytes, seat: null, busy: false, user: null, usedAt: Date.now(), seatedAt: 0, stay: null };
    this.slots.push(slot);
    void child.died.then((death) => this.died(slot, death));
    this.pump();
  }

  /** A child died: in a call, the call has been told; otherwise the session it held is told here. */
  private died(slot: Slot, death: ChildDied): void {
    const { seat } = slot;
    this.remove(slot);
    if (seat && !seat.over && !slot.busy) {
      seat.slot = null;
      this.endSeat(seat, death);
      seat.onLost(death);
    }
    this.pump();
  }

  private unpack(slot: Slot, answer: Buffer): Buffer {
    slot.heapBytes = answer.readUInt32BE(0) * 65_536;
    return answer.subarray(ANSWER_HEAD);
  }

  private endIdle(): void {
    const idle = this.slots.filter((slot) => !slot.busy && !slot.seat && Date.now() - slot.usedAt > IDLE_MS);
    for (const slot of idle.slice(0, Math.max(0, this.slots.length - 1))) this.remove(slot);
  }
}
