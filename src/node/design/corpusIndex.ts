import { open, type FileHandle } from 'node:fs/promises';
import { isPlainDocument, readCorpusLine, type CorpusDocument } from '../../core/design/corpus';
import { excerptAt, ProblemCounter, type CorpusHit, type CorpusSummary } from '../../core/design/corpusSummary';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import { scanLines } from './lineScanner';

/** The first chunk is small, so that the first document is there at once; a line longer than a chunk is put together. */
const FIRST_CHUNK = 64 * 1024;
const CHUNK = 1024 * 1024;
const FIRST_CAPACITY = 1024;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

function decoded(bytes: Uint8Array): { text: string; utf8: boolean } {
  try {
    return { text: strict.decode(bytes), utf8: true };
  } catch {
    return { text: lenient.decode(bytes), utf8: false };
  }
}

/** Columns of numbers that grow; 20 bytes a row. */
class Places {
  private offsets = new Float64Array(FIRST_CAPACITY);
  private lengths = new Uint32Array(FIRST_CAPACITY);
  private lines = new Float64Array(FIRST_CAPACITY);
  count = 0;

  add(offset: number, length: number, line: number): void {
    if (this.count === this.offsets.length) {
      [this.offsets, this.lines] = [grown(this.offsets), grown(this.lines)];
      const lengths = new Uint32Array(this.lengths.length * 2);
      lengths.set(this.lengths);
      this.lengths = lengths;
    }
    this.offsets[this.count] = offset;
    this.lengths[this.count] = length;
    this.lines[this.count] = line;
    this.count += 1;
  }

  at(number: number): { offset: number; length: number; line: number } | undefined {
    const [offset, length, line] = [this.offsets[number], this.lengths[number], this.lines[number]];
    return number >= 0 && number < this.count && offset !== undefined && length !== undefined && line !== undefined ? { offset, length, line } : undefined;
  }
}

function grown(column: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(column.length * 2);
  wider.set(column);
  return wider;
}

/** Where the documents of a corpus file stand, found by one pass over it; the documents themselves stay in the file. */
export class CorpusIndex {
  private readonly places = new Places();
  private readonly problems = new ProblemCounter();
  private blank = 0;
  private bytes = 0;
  private done = false;

  private constructor(private readonly path: string, private readonly file: FileHandle, private readonly size: number, private readonly modifiedMs: number) {}

  /** @throws EnvwrightError `design/no-corpus`. */
  static async open(path: string): Promise<CorpusIndex> {
    try {
      const file = await open(path, 'r');
      const { size, mtimeMs } = await file.stat();
      return new CorpusIndex(path, file, size, mtimeMs);
    } catch (error) {
      throw new EnvwrightError('design/no-corpus', message('The corpus {path} cannot be read.', { path }), message('Correct the setting envwright.run.corpus, or choose a file.'), { cause: error });
    }
  }

  get summary(): CorpusSummary {
    return { documents: this.places.count, blank: this.blank, problems: this.problems.counts, bytes: this.bytes, size: this.size, done: this.done };
  }

  /** Goes through the file; `onProgress` is called after each chunk. */
  async build(onProgress: () => void, signal: AbortSignal, chunk = CHUNK): Promise<void> {
    let line = 0;
    const read = (bytes: Uint8Array, offset: number) => {
      line += 1;
      this.enter(bytes, offset, line);
    };
    // The first chunk by itself is enough for a first document; the pass then begins anew in larger steps.
    await scanLines(this.file, Math.min(FIRST_CHUNK, chunk), read, (bytes) => {
      if (this.places.count === 0) return !signal.aborted;
      this.bytes = bytes;
      onProgress();
      return !signal.aborted && chunk <= FIRST_CHUNK;
    });
    if (this.places.count > 0 && chunk > FIRST_CHUNK && !signal.aborted) {
      const known = line;
      line = 0;
      await scanLines(this.file, chunk, (bytes, offset) => {
        line += 1;
        if (line > known) this.enter(bytes, offset, line);
      }, (bytes) => {
        this.bytes = bytes;
        onProgress();
        return !signal.aborted;
      });
    }
    this.done = !signal.aborted;
    onProgress();
  }

  /** @throws EnvwrightError `design/corpus-changed` when the file is not the one that was gone through. */
  async document(number: number): Promise<CorpusDocument | undefined> {
    const place = this.places.at(number);
    if (!place) return undefined;
    const { size, mtimeMs } = await this.file.stat();
    const read = size === this.size && mtimeMs === this.modifiedMs ? await this.readAt(place) : undefined;
    if (read) return read;
    throw new EnvwrightError('design/corpus-changed', message('The corpus {path} changed while it was open.', { path: this.path }), message('Open it again.'));
  }

  /** Passes on the documents that hold the words, whatever their case, until `most` are found. */
  async search(query: string, most: number, onHits: (hits: readonly CorpusHit[]) => void, signal: AbortSignal): Promise<void> {
    const wanted = query.toLowerCase();
    let hits: CorpusHit[] = [];
    let found = 0;
    let number = 0;
    let line = 0;
    await scanLines(this.file, CHUNK, (bytes) => {
      line += 1;
      const place = this.places.at(number);
      if (place?.line !== line && number < this.places.count) return;
      const { text, utf8 } = decoded(bytes);
      // Beyond what is indexed a line must be read to know whether it is a document.
      const isDocument = place !== undefined || isPlainDocument(text) || readCorpusLine(text, utf8, line).kind === 'document';
      if (!isDocument) return;
      const own = number;
      number += 1;
      if (found >= most || !mayHold(text, wanted)) return;
      const read = readCorpusLine(text, utf8, line);
      const at = read.kind === 'document' ? read.text.toLowerCase().indexOf(wanted) : -1;
      if (read.kind !== 'document' || at < 0) return;
      found += 1;
      hits.push({ number: own, line, excerpt: excerptAt(read.text, at, wanted.length) });
    }, () => {
      if (hits.length > 0) onHits(hits);
      hits = [];
      return !signal.aborted && found < most;
    });
    if (hits.length > 0) onHits(hits);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private enter(bytes: Uint8Array, offset: number, line: number): void {
    const { text, utf8 } = decoded(bytes);
    if (utf8 && isPlainDocument(text)) return this.places.add(offset, bytes.length, line);
    const read = readCorpusLine(text, utf8, line);
    if (read.kind === 'document') this.places.add(offset, bytes.length, line);
    else if (read.kind === 'problem') this.problems.add(read);
    else this.blank += 1;
  }

  private async readAt({ offset, length, line }: { offset: number; length: number; line: number }): Promise<CorpusDocument | undefined> {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await this.file.read(bytes, 0, length, offset);
    const { text, utf8 } = decoded(bytes);
    const read = bytesRead === length ? readCorpusLine(text, utf8, line) : undefined;
    return read?.kind === 'document' ? read : undefined;
  }
}

/** A quick look at the line as it stands: escapes may hide a match, so that a line with any is always read. */
function mayHold(line: string, wanted: string): boolean {
  return line.includes('\\') || line.toLowerCase().includes(wanted);
}
