/**
 * What travels between Envwright and the child process that holds a machine: a 4-byte big-endian length, one byte that
 * says what it is, and the content. What comes out of Python travels in `event` and `answer` only, so that nothing an
 * environment writes can be taken for word from the child itself.
 */

import type { SessionBounds } from './heapImage';

/** Kinds of envelopes, by their byte. */
export const Kind = {
  /** To the child: how to boot (JSON {@link BootOrder}). */
  boot: 1,
  /** To the child: begin a session (JSON {@link StartOrder}); answered by `answer` with the greeting. */
  start: 2,
  /** To the child: a request for Python (JSON); answered by any number of `event` and one `answer`. */
  request: 3,
  /** To the child: give the session away; answered by `image`. */
  park: 4,
  /** To the child: forget the session; answered by `done`. */
  reset: 5,
  /** Both ways: a parked session; to the child, answered by `done`. */
  image: 6,
  /** From the child: an event frame that Python wrote. */
  event: 7,
  /** From the child: the heap's size in pages of 64 KiB (4 bytes), then what Python answered. */
  answer: 8,
  /** From the child: done (JSON `{image, heapBytes}` after boot, else empty). */
  done: 9,
  /** From the child: the memory snapshot it was asked to make. */
  snapshot: 10,
  /** From the child: it cannot go on (JSON `{why, detail}`). */
  death: 11,
  /** To the child: try an attack (JSON `{order, request}`) on a fresh image, and come back also from what ends a session; answered by `done` (JSON `{reply}` or `{death}`). */
  attack: 12,
  /** To the child: as `request`; afterwards it looks for the next order on its second descriptor for a moment before it sleeps. */
  looking: 13,
  /** To the child: an order has come on the second descriptor and may have been missed. */
  bell: 14,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** The descriptor that envelopes travel on, and the one for orders to a child that looks for them: that one never blocks. */
export const CHANNEL = 3;
export const SECOND = 4;

/** True where a child can look at a descriptor without blocking. */
export const CAN_LOOK = process.platform !== 'win32';

/** How long a child looks for the next order, and after how long without an answer the bell is rung. Milliseconds. */
export const LOOK_MS = 0.1;
export const RING_MS = 0.2;

/** Bytes of the heap's size before what Python answered. */
export const ANSWER_HEAD = 4;

/** Longest envelope, in bytes: a parked heap or a snapshot. */
const MAX_ENVELOPE_BYTES = 1.5 * 1024 * 1024 * 1024;

/** How a child boots. `files` maps paths in Python's file system to files of the host. Without a snapshot it makes one, gives it and ends. */
export interface BootOrder {
  readonly pyodide: string;
  readonly hashSeed: number;
  readonly files: Readonly<Record<string, string>>;
  readonly prepare: string;
  /** See `MachineOptions.beforeLock`; empty for nothing. */
  readonly beforeLock: string;
  readonly snapshot: { readonly path: string; readonly sha256: string } | null;
}

/** How a session begins: Python's own order, and the bounds that the child keeps. */
export interface StartOrder {
  readonly python: { readonly op: 'start'; readonly observationChars: number; readonly layers: readonly string[] };
  readonly bounds: SessionBounds;
}

/** Seals one envelope. */
export function seal(kind: Kind, ...parts: (Buffer | string)[]): Buffer {
  const content = parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part));
  const head = Buffer.allocUnsafe(5);
  head.writeUInt32BE(1 + content.reduce((sum, part) => sum + part.length, 0));
  head[4] = kind;
  return Buffer.concat([head, ...content]);
}

/** Cuts a stream of chunks into envelopes. */
export class EnvelopeReader {
  private chunks: Buffer[] = [];
  private size = 0;

  /** Takes a chunk and gives the envelopes it completes; throws on one that is longer than it may be. */
  push(chunk: Buffer): { kind: number; content: Buffer }[] {
    this.chunks.push(chunk);
    this.size += chunk.length;
    const envelopes = [];
    for (let next = this.next(); next; next = this.next()) envelopes.push(next);
    return envelopes;
  }

  private next(): { kind: number; content: Buffer } | null {
    if (this.size < 5) return null;
    if (this.chunks[0]!.length < 5) this.join();
    const length = this.chunks[0]!.readUInt32BE(0);
    if (length < 1 || length > MAX_ENVELOPE_BYTES) throw new RangeError(`an envelope of ${length} bytes`);
    if (this.size < 4 + length) return null;
    this.join();
    const all = this.chunks[0]!;
    const rest = all.subarray(4 + length);
    this.chunks = rest.length > 0 ? [rest] : [];
    this.size = rest.length;
    return { kind: all[4]!, content: all.subarray(5, 4 + length) };
  }

  private join(): void {
    if (this.chunks.length > 1) this.chunks = [Buffer.concat(this.chunks)];
  }
}
