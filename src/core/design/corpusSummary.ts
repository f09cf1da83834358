import type { Message } from '../../shared/message';
import type { Disposable } from '../lifecycle';
import type { CorpusDocument, CorpusProblem } from './corpus';

/** Lines that give no document for the same reason: how many, the first of them, and whether the run dies on them. */
export interface ProblemCount {
  readonly why: Message;
  readonly crashes: boolean;
  readonly count: number;
  readonly lines: readonly number[];
}

/** What is known of a corpus so far. `bytes` of `size` were gone through; `done`: all of them. */
export interface CorpusSummary {
  readonly documents: number;
  readonly blank: number;
  readonly problems: readonly ProblemCount[];
  readonly bytes: number;
  readonly size: number;
  readonly done: boolean;
}

/** A document found by a search: its number from 0, and a stretch of its text around the place. */
export interface CorpusHit {
  readonly number: number;
  readonly line: number;
  readonly excerpt: string;
}

/** A corpus file of any size: opened at once, gone through in the background, read document by document. */
export interface Corpus extends Disposable {
  readonly path: string;
  /** The summary of this moment. */
  readonly summary: CorpusSummary;
  readonly onDidChange: (listener: () => void) => Disposable;
  /** Resolves once a document is known, or the whole file is. */
  whenFirst(): Promise<CorpusSummary>;
  whenDone(): Promise<CorpusSummary>;
  /** The document of this number, from 0, among those known so far; undefined when there is none. @throws EnvwrightError `design/corpus-changed`. */
  document(number: number): Promise<CorpusDocument | undefined>;
  /** Documents that hold the words, in the order of the file, passed on as they are found; resolves when enough are found or the file ends. */
  search(query: string, most: number, onHits: (hits: readonly CorpusHit[]) => void, signal: AbortSignal): Promise<void>;
}

/** Lines of each reason that are named. */
const NAMED = 5;

/** Counts lines without a document by their reason. */
export class ProblemCounter {
  private readonly byReason = new Map<string, { why: Message; crashes: boolean; count: number; lines: number[] }>();

  add({ why, crashes, line }: CorpusProblem): void {
    let known = this.byReason.get(why.template);
    if (!known) this.byReason.set(why.template, (known = { why, crashes, count: 0, lines: [] }));
    known.count += 1;
    if (known.lines.length < NAMED) known.lines.push(line);
  }

  get counts(): ProblemCount[] {
    return [...this.byReason.values()].map(({ lines, ...rest }) => ({ ...rest, lines: [...lines] }));
  }
}

/** The stretch of a text around a place, on one line. */
export function excerptAt(text: string, at: number, length: number, around = 60): string {
  const start = Math.max(0, at - around);
  const end = Math.min(text.length, at + length + around);
  return `${start > 0 ? '…' : ''}${text.slice(start, end).replace(/\s+/g, ' ')}${end < text.length ? '…' : ''}`;
}
