/** A session's memory as what differs from the image that its machine began with. */

/** Bytes of a page of a parked heap. */
export const PAGE = 4096;
const BLOCK = 16 * PAGE;

/** Pages of a heap: their numbers, and their bytes one after the other. */
export interface Pages {
  readonly numbers: Uint32Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A parked session. */
export interface HeapImage {
  readonly heapBytes: number;
  readonly stack: number;
  readonly files: readonly { readonly fd: number; readonly path: string; readonly flags: number; readonly position: number }[];
  readonly pages: Pages;
}

/** A parked session as it travels: with the bounds that hold for it, in bytes. */
export interface ParkedSession extends HeapImage {
  readonly bounds: SessionBounds;
}

/** Bounds of a session that the child process enforces: of its heap, and of its events in one request. In bytes. */
export interface SessionBounds {
  readonly memoryBytes: number;
  readonly eventBytes: number;
}

const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Pages of `heap` that are not as in `base`; beyond the end of `base`, those that are not zero. */
export function differingPages(heap: Uint8Array, base: Uint8Array): Pages {
  const a = view(heap);
  const b = view(base);
  const zero = Buffer.alloc(BLOCK);
  const same = (at: number, size: number): boolean =>
    at < b.length ? a.compare(b, at, at + size, at, at + size) === 0 : a.compare(zero, 0, size, at, at + size) === 0;
  const numbers: number[] = [];
  for (let block = 0; block < a.length; block += BLOCK) {
    if (same(block, BLOCK)) continue;
    for (let at = block; at < block + BLOCK; at += PAGE) if (!same(at, PAGE)) numbers.push(at / PAGE);
  }
  const bytes = new Uint8Array(numbers.length * PAGE);
  numbers.forEach((number, i) => bytes.set(heap.subarray(number * PAGE, (number + 1) * PAGE), i * PAGE));
  return { numbers: Uint32Array.from(numbers), bytes };
}

/** Writes the pages into a heap that holds the image they were taken from. */
export function applyPages(heap: Uint8Array, { numbers, bytes }: Pages): void {
  numbers.forEach((number, i) => heap.set(bytes.subarray(i * PAGE, (i + 1) * PAGE), number * PAGE));
}

/** A parked session as bytes: a length, that much JSON, the page numbers, the pages. */
export function encodeImage(image: ParkedSession): Buffer {
  const { pages, ...rest } = image;
  const head = Buffer.from(JSON.stringify({ ...rest, count: pages.numbers.length }), 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, view(new Uint8Array(pages.numbers.buffer)), view(pages.bytes)]);
}

/** The reverse of {@link encodeImage}; throws on bytes that are no image. */
export function decodeImage(bytes: Buffer): ParkedSession {
  const start = 4 + bytes.readUInt32BE(0);
  const { count, ...rest } = JSON.parse(bytes.toString('utf8', 4, start)) as Omit<ParkedSession, 'pages'> & { count: number };
  const middle = start + 4 * count;
  if (bytes.length !== middle + count * PAGE) throw new Error('a parked session of the wrong length');
  const copy = (from: number, to: number): ArrayBuffer => new Uint8Array(bytes.subarray(from, to)).buffer;
  return { ...rest, pages: { numbers: new Uint32Array(copy(start, middle)), bytes: new Uint8Array(copy(middle, bytes.length)) } };
}
