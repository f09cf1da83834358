import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EnvelopeReader, Kind, seal } from '../../../../src/node/sandbox/pyodide/envelope';

const kind = fc.constantFrom(...Object.values(Kind));
const content = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));

describe('envelopes', () => {
  it('come out as they went in, however the stream is cut', () => {
    fc.assert(fc.property(fc.array(fc.tuple(kind, content), { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (envelopes, sizes) => {
      const stream = Buffer.concat(envelopes.map(([k, c]) => seal(k, c)));
      const reader = new EnvelopeReader();
      const out: { kind: number; content: Buffer }[] = [];
      for (let at = 0, turn = 0; at < stream.length; turn++) {
        const size = sizes[turn % sizes.length]!;
        out.push(...reader.push(stream.subarray(at, at + size)));
        at += size;
      }
      expect(out.map((one) => [one.kind, one.content.toString('hex')])).toEqual(envelopes.map(([k, c]) => [k, c.toString('hex')]));
    }));
  });

  it('are refused when they say to be longer than any may be, or empty', () => {
    expect(() => new EnvelopeReader().push(Buffer.from([255, 255, 255, 255, 1]))).toThrow(RangeError);
    expect(() => new EnvelopeReader().push(Buffer.from([0, 0, 0, 0, 1]))).toThrow(RangeError);
  });
});
