import { Worker } from 'node:worker_threads';
import type { Corpus, CorpusHit, CorpusSummary } from '../../core/design/corpusSummary';
import type { CorpusDocument } from '../../core/design/corpus';
import { EnvwrightError } from '../../core/errors';
import { Emitter } from '../../core/lifecycle';
import { FromCorpus, type ToCorpus } from './corpusProtocol';

/** Heap of the thread: the index itself is outside of it, 20 bytes a document. */
const HEAP_MEGABYTES = 96;

interface Waiting {
  readonly resolve: (document: CorpusDocument | undefined) => void;
  readonly reject: (error: Error) => void;
  readonly onHits?: (hits: readonly CorpusHit[]) => void;
}

const NOTHING: CorpusSummary = { documents: 0, blank: 0, problems: [], bytes: 0, size: 0, done: false };

/** A corpus on a thread of its own. */
export class CorpusThread implements Corpus {
  summary: CorpusSummary = NOTHING;
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private failure: Error | undefined;
  private last = 0;

  constructor(readonly path: string, workerScript: string) {
    this.worker = new Worker(workerScript, { workerData: { path }, resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES } });
    this.worker.unref();
    this.worker.on('message', (raw: unknown) => this.take(FromCorpus.parse(raw)));
    this.worker.on('error', (error) => this.fail(error instanceof Error ? error : new Error(String(error))));
    this.worker.on('exit', () => this.fail(new DOMException('Cancelled.', 'AbortError')));
  }

  whenFirst(): Promise<CorpusSummary> {
    return this.until(({ documents, done }) => documents > 0 || done);
  }

  whenDone(): Promise<CorpusSummary> {
    return this.until(({ done }) => done);
  }

  document(number: number): Promise<CorpusDocument | undefined> {
    return this.ask((id) => ({ op: 'document', id, number }));
  }

  async search(query: string, most: number, onHits: (hits: readonly CorpusHit[]) => void, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    let own = 0;
    const cancel = () => this.post({ op: 'cancel', id: own });
    signal.addEventListener('abort', cancel, { once: true });
    try {
      await this.ask((id) => ({ op: 'search', id: (own = id), query, most }), (hits) => (signal.aborted ? undefined : onHits(hits)));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
    signal.throwIfAborted();
  }

  dispose(): void {
    this.post({ op: 'close' });
    this.fail(new DOMException('Cancelled.', 'AbortError'));
    this.changes.dispose();
    void this.worker.terminate();
  }

  private post(told: ToCorpus): void {
    this.worker.postMessage(told);
  }

  private ask(what: (id: number) => ToCorpus, onHits?: Waiting['onHits']): Promise<CorpusDocument | undefined> {
    if (this.failure) return Promise.reject(this.failure);
    const id = (this.last += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, ...(onHits && { onHits }) });
      this.post(what(id));
    });
  }

  private until(isSo: (summary: CorpusSummary) => boolean): Promise<CorpusSummary> {
    return new Promise((resolve, reject) => {
      const look = (): boolean => {
        if (isSo(this.summary)) resolve(this.summary);
        else if (this.failure) reject(this.failure);
        else return false;
        return true;
      };
      if (look()) return;
      const listening = this.onDidChange(() => look() && listening.dispose());
    });
  }

  private take(told: FromCorpus): void {
    switch (told.op) {
      case 'summary':
        this.summary = told.summary;
        return this.changes.fire();
      case 'hits': return this.waiting.get(told.id)?.onHits?.(told.hits);
      case 'unreadable': return this.fail(new EnvwrightError(told.error.code, told.error.what, told.error.next));
      case 'done':
        this.waiting.get(told.id)?.resolve(told.document ?? undefined);
        break;
      case 'failed':
        this.waiting.get(told.id)?.reject(new EnvwrightError(told.error.code, told.error.what, told.error.next));
    }
    this.waiting.delete(told.id);
  }

  private fail(error: Error): void {
    if (this.failure) return;
    this.failure = error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    this.changes.fire();
  }
}
