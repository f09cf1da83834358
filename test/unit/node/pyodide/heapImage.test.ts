import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPages, decodeImage, differingPages, encodeImage, PAGE } from '../../../../src/node/sandbox/pyodide/heapImage';

const BLOCK = 16 * PAGE;
/** A heap and the image that it began with, both in whole blocks. */
const heaps = fc.record({
  blocks: fc.integer({ min: 1, max: 3 }), grown: fc.integer({ min: 0, max: 2 }), fill: fc.integer({ min: 0, max: 255 }),
  writes: fc.array(fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.integer({ min: 0, max: 255 })), { maxLength: 12 }),
}).map(({ blocks, grown, fill, writes }) => {
  const base = new Uint8Array(blocks * BLOCK).fill(fill, 100, 5000);
  const heap = new Uint8Array((blocks + grown) * BLOCK);
  heap.set(base);
  for (const [at, byte] of writes) heap[Math.floor(at * heap.length)] = byte;
  return { base, heap };
});

describe('a parked heap', () => {
  it('comes back as it was on any machine with the same image', () => {
    fc.assert(fc.property(heaps, ({ base, heap }) => {
      const rest = { heapBytes: heap.length, stack: 4096, files: [{ fd: 5, path: '/x', flags: 0, position: 3 }], bounds: { memoryBytes: 9, eventBytes: 8 } };
      const { pages, ...back } = decodeImage(encodeImage({ ...rest, pages: differingPages(heap, base) }));
      expect(back).toEqual(rest);
      const other = new Uint8Array(heap.length);
      other.set(base);
      applyPages(other, pages);
      expect(Buffer.compare(other, heap)).toBe(0);
    }));
  });

  it('holds only the pages that differ, and beyond the image only those that are not zero', () => {
    const base = new Uint8Array(BLOCK).fill(1);
    const heap = new Uint8Array(2 * BLOCK);
    heap.set(base);
    expect(differingPages(heap, base).numbers).toHaveLength(0);
    heap[PAGE] = 9;
    heap[BLOCK + 3 * PAGE + 17] = 1;
    expect([...differingPages(heap, base).numbers]).toEqual([1, 16 + 3]);
  });

  it('is refused when its length is wrong', () => {
    const image = encodeImage({ heapBytes: BLOCK, stack: 0, files: [], pages: differingPages(new Uint8Array(BLOCK).fill(3), new Uint8Array(BLOCK)), bounds: { memoryBytes: 1, eventBytes: 1 } });
    expect(() => decodeImage(image.subarray(0, image.length - 1))).toThrow('wrong length');
  });
});
