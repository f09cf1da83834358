import { createReadStream } from 'node:fs';

const LF = 0x0a;
const CR = 0x0d;

function decoded(bytes: Buffer): { text: string; utf8: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), utf8: true };
  } catch {
    return { text: bytes.toString('utf8'), utf8: false };
  }
}

/**
 * The lines of a file as Python's text mode splits them: at `\n`, `\r` and `\r\n` and nowhere else, without the line
 * ends. Reads in pieces; rejects with the error of the file system.
 */
export async function* fileLines(path: string, signal?: AbortSignal): AsyncIterable<{ text: string; utf8: boolean }> {
  let pending: Buffer[] = [];
  let afterCr = false;
  for await (const chunk of createReadStream(path, signal ? { signal } : {}) as AsyncIterable<Buffer>) {
    let start = afterCr && chunk[0] === LF ? 1 : 0;
    for (let at = start; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte !== LF && byte !== CR) continue;
      yield decoded(Buffer.concat([...pending, chunk.subarray(start, at)]));
      pending = [];
      if (byte === CR && chunk[at + 1] === LF) at += 1;
      start = at + 1;
    }
    afterCr = chunk.at(-1) === CR;
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  if (pending.length > 0) yield decoded(Buffer.concat(pending));
}
