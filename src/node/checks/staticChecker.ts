import { Worker } from 'node:worker_threads';
import { onAbort } from '../../core/abort';
import type { StaticJudgement } from '../../core/checks/static/run';
import { StaticSession, type StaticContext } from '../../core/checks/static/session';
import type { Disposable } from '../../core/lifecycle';
import { createPythonParser } from './parser';
import { StaticReply, type StaticRequest } from './staticProtocol';

/** From this many UTF-16 units on a file is checked on a thread of its own; below, the detour costs more than the check. */
const LARGE = 60_000;

interface Waiting {
  readonly resolve: (judgement: StaticJudgement) => void;
  readonly reject: (error: Error) => void;
}

function aborted(): Error {
  return new DOMException('The check was cancelled.', 'AbortError');
}

/** The thread and what is asked of it. It is started at the first large file, and again when it has died. */
class CheckingThread implements Disposable {
  private readonly waiting = new Map<number, Waiting>();
  /** Requests that are not sent yet: one is under way at a time, so that what is cancelled meanwhile costs nothing. */
  private queue: StaticRequest[] = [];
  private underWay: number | null = null;
  private worker: Worker | null = null;
  private last = 0;

  constructor(private readonly script: string, private readonly assetsDir: string) {}

  check(key: string, text: string, context: StaticContext, signal?: AbortSignal): Promise<StaticJudgement> {
    const id = (this.last += 1);
    return new Promise((resolve, reject) => {
      const done = onAbort(signal, () => this.settle(id, ({ reject: fail }) => fail(aborted())));
      this.waiting.set(id, {
        resolve: (judgement) => { done(); resolve(judgement); },
        reject: (error) => { done(); reject(error); },
      });
      this.post({ op: 'check', id, key, text, profile: context.profile, interpreter: context.interpreter && { ...context.interpreter, packages: { ...context.interpreter.packages } } });
    });
  }

  forget(key: string): void {
    if (this.worker !== null) this.post({ op: 'forget', key });
  }

  dispose(): void {
    this.end(aborted());
  }

  private settle(id: number, how: (waiting: Waiting) => void): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (waiting !== undefined) how(waiting);
  }

  private post(request: StaticRequest): void {
    this.queue.push(request);
    this.next();
  }

  private next(): void {
    while (this.underWay === null) {
      const request = this.queue.shift();
      if (request === undefined) return;
      if (request.op === 'check' && !this.waiting.has(request.id)) continue;
      if (request.op === 'check') this.underWay = request.id;
      this.worker ??= this.start();
      this.worker.postMessage(request);
    }
  }

  private start(): Worker {
    const worker = new Worker(this.script, { workerData: { assetsDir: this.assetsDir } });
    worker.unref();
    worker.on('message', (message: unknown) => {
      const reply = StaticReply.parse(message);
      this.underWay = null;
      this.settle(reply.id, ({ resolve, reject }) => ('error' in reply ? reject(new Error(reply.error)) : resolve(reply.judgement)));
      this.next();
    });
    worker.on('error', (error) => this.worker === worker && this.end(error));
    worker.on('exit', (code) => this.worker === worker && this.end(new Error(`The checking thread ended with code ${code}.`)));
    return worker;
  }

  private end(error: Error): void {
    const worker = this.worker;
    this.worker = null;
    this.underWay = null;
    this.queue = [];
    for (const id of [...this.waiting.keys()]) this.settle(id, ({ reject }) => reject(error));
    void worker?.terminate();
  }
}

/** Where the build keeps what static checks need. */
export interface StaticCheckerPlaces {
  /** Folder of the parser's WebAssembly files. */
  readonly assetsDir: string;
  /** The bundled `static.worker.js`. */
  readonly workerScript: string;
}

/**
 * Static checks while typing. A newer text of a file makes the check of an older one pointless: abort it by its signal,
 * which rejects with an `AbortError`. Small files are checked at once, large ones on a thread.
 */
export class StaticChecker implements Disposable {
  private constructor(private readonly session: StaticSession, private readonly thread: CheckingThread) {}

  static async start({ assetsDir, workerScript }: StaticCheckerPlaces): Promise<StaticChecker> {
    return new StaticChecker(new StaticSession(await createPythonParser(assetsDir)), new CheckingThread(workerScript, assetsDir));
  }

  /** @param key what tells files apart, for example their address. */
  async check(key: string, text: string, context: StaticContext, signal?: AbortSignal): Promise<StaticJudgement> {
    if (signal?.aborted) throw aborted();
    return text.length < LARGE ? this.session.check(key, text, context) : this.thread.check(key, text, context, signal);
  }

  /** Gives up what is kept of a file that was closed. */
  forget(key: string): void {
    this.session.forget(key);
    this.thread.forget(key);
  }

  dispose(): void {
    this.session.dispose();
    this.thread.dispose();
  }
}
