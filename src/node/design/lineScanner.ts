import type { FileHandle } from 'node:fs/promises';

const LF = 0x0a;
const CR = 0x0d;

/** A line of a file: its bytes without the line end, and where they begin. The bytes are only good until the next chunk. */
export type OnLine = (bytes: Uint8Array, offset: number) => void;

/**
 * Goes through a file as Python's text mode splits it (`\n`, `\r`, `\r\n`), in chunks: between two of them the thread is
 * free. `onChunk` is told how far it is and may stop by returning false.
 */
export async function scanLines(file: FileHandle, chunkBytes: number, onLine: OnLine, onChunk: (bytes: number) => boolean | Promise<boolean>): Promise<void> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let rest: Buffer = Buffer.alloc(0);
  let restOffset = 0;
  let position = 0;
  let afterCr = false;
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) break;
    const data = chunk.subarray(0, bytesRead);
    let start = afterCr && data[0] === LF ? 1 : 0;
    let nextCr = data.indexOf(CR, start);
    for (;;) {
      const lf = data.indexOf(LF, start);
      const cr = nextCr >= 0 && nextCr < start ? (nextCr = data.indexOf(CR, start)) : nextCr;
      const end = cr >= 0 && (lf < 0 || cr < lf) ? cr : lf;
      if (end < 0) break;
      if (rest.length > 0) {
        onLine(Buffer.concat([rest, data.subarray(start, end)]), restOffset);
        rest = Buffer.alloc(0);
      } else {
        onLine(data.subarray(start, end), position + start);
      }
      start = end + 1 + (end === cr && data[end + 1] === LF ? 1 : 0);
    }
    afterCr = data[bytesRead - 1] === CR;
    if (start < bytesRead) {
      if (rest.length === 0) restOffset = position + start;
      rest = Buffer.concat([rest, data.subarray(start)]);
    }
    position += bytesRead;
    if (!(await onChunk(position))) return;
  }
  if (rest.length > 0) onLine(rest, restOffset);
}
