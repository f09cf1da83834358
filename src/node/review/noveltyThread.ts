import { Worker } from 'node:worker_threads';
import type { z } from 'zod';
import type { Disposable } from '../../core/lifecycle';
import type { Fingerprint } from '../../core/review/novelty';
import type { KeyGroup, Nearest } from '../../core/review/noveltyIndex';
import type { StaticCheckerPlaces } from '../checks/staticChecker';
import { NoveltyAnswers, NoveltyReply, type NoveltyRequest } from './noveltyProtocol';

type Op = keyof typeof NoveltyAnswers;
type Asked<O extends Op> = Omit<Extract<NoveltyRequest, { op: O }>, 'id' | 'op'>;

/** Texts sent at once: one message must not keep the sender busy. */
const TEXTS_AT_ONCE = 50;

/** The structures of texts, kept and compared on a thread of its own; it is started with the first question. */
export class NoveltyThread implements Disposable {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, { readonly op: Op; readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }>();
  private readonly sent = new Set<string>();
  private last = 0;

  constructor(private readonly places: StaticCheckerPlaces) {}

  /** Makes texts known by key; one that is known is not sent again. */
  async add(texts: readonly { readonly key: string; readonly text: string }[]): Promise<void> {
    const fresh = texts.filter(({ key }) => !this.sent.has(key));
    for (let from = 0; from < fresh.length; from += TEXTS_AT_ONCE) {
      const some = fresh.slice(from, from + TEXTS_AT_ONCE);
      await this.ask('add', { texts: [...some] });
      for (const { key } of some) this.sent.add(key);
    }
  }

  /** Groups of copies among the keys that are known. */
  groups(keys: readonly string[]): Promise<readonly KeyGroup[]> {
    return this.ask('groups', { keys: [...keys] });
  }

  /** For each key the most alike of `among`, itself left out. */
  async nearest(keys: readonly string[], among: readonly string[]): Promise<ReadonlyMap<string, Nearest | null>> {
    return new Map(await this.ask('nearest', { keys: [...keys], among: [...among] }));
  }

  async print(text: string): Promise<Fingerprint> {
    return new Map(await this.ask('print', { text }));
  }

  dispose(): void {
    this.end(new DOMException('The comparison was ended.', 'AbortError'));
  }

  private ask<O extends Op>(op: O, asked: Asked<O>): Promise<z.infer<(typeof NoveltyAnswers)[O]>> {
    const id = (this.last += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { op, resolve: resolve as (value: unknown) => void, reject });
      this.worker ??= this.start();
      this.worker.postMessage({ op, id, ...asked });
    });
  }

  private start(): Worker {
    const worker = new Worker(this.places.workerScript, { workerData: { assetsDir: this.places.assetsDir } });
    worker.unref();
    worker.on('message', (message: unknown) => {
      const reply = NoveltyReply.parse(message);
      const asked = this.waiting.get(reply.id);
      this.waiting.delete(reply.id);
      if (!asked) return;
      if ('error' in reply) return asked.reject(new Error(reply.error));
      const answer = NoveltyAnswers[asked.op].safeParse(reply.answer);
      if (answer.success) asked.resolve(answer.data);
      else asked.reject(answer.error);
    });
    worker.on('error', (error) => this.worker === worker && this.end(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => this.worker === worker && this.end(new Error(`The thread of the comparisons ended with code ${code}.`)));
    return worker;
  }

  private end(error: Error): void {
    const { worker } = this;
    this.worker = null;
    this.sent.clear();
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    void worker?.terminate();
  }
}
