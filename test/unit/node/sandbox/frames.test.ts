import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame, FrameDecoder } from '../../../../src/node/sandbox/frames';
import { MAX_FRAME_BYTES } from '../../../../src/shared/hostProtocol';

describe('frames', () => {
  it('survive any cut into chunks, in order', () => {
    fc.assert(fc.property(fc.array(fc.jsonValue(), { maxLength: 6 }), fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (values, cuts) => {
      const bytes = Buffer.concat(values.map(encodeFrame));
      const decoder = new FrameDecoder();
      const seen: unknown[] = [];
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = cuts[turn % cuts.length]!;
        seen.push(...decoder.push(bytes.subarray(at, at + size)));
        at += size;
      }
      expect(seen).toEqual(JSON.parse(JSON.stringify(values)));
    }));
  });

  it('carry lone surrogates as escapes', () => {
    expect(new FrameDecoder().push(encodeFrame({ text: '\ud800' }))).toEqual([{ text: '\ud800' }]);
  });

  it('refuse what is longer than a frame may be, before it has come', () => {
    const header = Buffer.alloc(4);
    header.writeUInt32BE(MAX_FRAME_BYTES + 1);
    expect(() => new FrameDecoder().push(header)).toThrow(RangeError);
    expect(() => encodeFrame('x'.repeat(MAX_FRAME_BYTES))).toThrow(RangeError);
  });

  it('refuse what is no JSON', () => {
    expect(() => new FrameDecoder().push(Buffer.from([0, 0, 0, 1, 0x7b]))).toThrow(SyntaxError);
  });
});
