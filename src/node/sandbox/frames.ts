import { MAX_FRAME_BYTES } from '../../shared/hostProtocol';

/** A value as a frame: four bytes of length, big end first, then JSON. */
export function encodeFrame(value: unknown): Buffer {
  const json = JSON.stringify(value);
  const length = Buffer.byteLength(json, 'utf8');
  if (length > MAX_FRAME_BYTES) throw new RangeError(`a frame of ${length} bytes is too long`);
  const frame = Buffer.allocUnsafe(4 + length);
  frame.writeUInt32BE(length);
  frame.write(json, 4, 'utf8');
  return frame;
}

/** Cuts a stream of chunks into frames; whatever the other side sends, it holds at most one frame too many. */
export class FrameDecoder {
  private chunks: Buffer[] = [];
  private size = 0;
  private wanted = 4;

  /** Takes a chunk and gives the values it completes. Throws on a frame that is too long or no JSON. */
  push(chunk: Buffer): unknown[] {
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.size < this.wanted) return [];
    let data = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks);
    const values: unknown[] = [];
    while (data.length >= 4) {
      const length = data.readUInt32BE(0);
      if (length > MAX_FRAME_BYTES) throw new RangeError(`a frame of ${length} bytes is too long`);
      if (data.length < 4 + length) break;
      values.push(JSON.parse(data.toString('utf8', 4, 4 + length)));
      data = data.subarray(4 + length);
    }
    this.chunks = data.length > 0 ? [data] : [];
    this.size = data.length;
    this.wanted = data.length >= 4 ? 4 + data.readUInt32BE(0) : 4;
    return values;
  }
}
