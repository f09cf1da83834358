import { Worker } from 'node:worker_threads';
import { onAbort } from '../../core/abort';
import type { CheckInput } from '../../core/checks/checkFile';
import type { Disposable } from '../../core/lifecycle';
import type { SandboxProvider, SandboxSession } from '../../core/ports';
import { SandboxError } from '../../core/sandboxError';
import { message } from '../../shared/message';
import type { FileReport } from '../../shared/findings';
import type { RunEvidence } from '../../shared/hostProtocol';
import { FromChecks, fromWire, toWire, type SandboxCall, type ToChecks } from './checkProtocol';
import type { StaticCheckerPlaces } from './staticChecker';

/** One check that is under way, and the sessions it has opened. */
interface UnderWay {
  /** Null when there is none: only the text can be judged then. */
  readonly sandbox: SandboxProvider | null;
  readonly signal: AbortSignal;
  readonly sessions: Map<number, SandboxSession>;
  readonly resolve: (report: FileReport) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Full checks on a thread of their own: this one only carries what is asked of the sandbox and what it answers. The
 * thread is started at the first check, and again when it has died.
 */
export class CheckThread implements Disposable {
  private readonly underWay = new Map<number, UnderWay>();
  private worker: Worker | null = null;
  private last = 0;

  constructor(private readonly places: StaticCheckerPlaces) {}

  /** @throws AbortError when the signal aborts; sessions of the check are ended then. */
  check(input: CheckInput, sandbox: SandboxProvider | null, signal: AbortSignal): Promise<FileReport> {
    const id = (this.last += 1);
    const { file, text, profile, staticOnly, suppressions, severityOverrides } = input;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(fromWire({ kind: 'cancelled' }));
      const done = onAbort(signal, () => {
        this.post({ op: 'abort', id });
        this.settle(id, (check) => check.reject(fromWire({ kind: 'cancelled' })));
      });
      this.underWay.set(id, {
        sandbox, signal, sessions: new Map(),
        resolve: (report) => { done(); resolve(report); },
        reject: (error) => { done(); reject(error); },
      });
      this.post({
        op: 'check', id,
        input: { file, text, profile, staticOnly, severityOverrides: severityOverrides && { ...severityOverrides }, suppressions: suppressions && [...suppressions] },
      });
    });
  }

  dispose(): void {
    this.end(fromWire({ kind: 'cancelled' }));
  }

  private post(message: ToChecks): void {
    this.worker ??= this.start();
    this.worker.postMessage(message);
  }

  private settle(id: number, how: (check: UnderWay) => void): void {
    const check = this.underWay.get(id);
    if (!check) return;
    this.underWay.delete(id);
    for (const session of check.sessions.values()) session.kill();
    how(check);
  }

  private start(): Worker {
    const worker = new Worker(this.places.workerScript, { workerData: { assetsDir: this.places.assetsDir } });
    worker.unref();
    worker.on('message', (message: unknown) => {
      const told = FromChecks.parse(message);
      if (told.op === 'call') void this.answer(worker, told.id, told.call, told.what);
      else this.settle(told.id, (check) => (told.op === 'done' ? check.resolve(told.report) : check.reject(fromWire(told.error))));
    });
    worker.on('error', (error) => this.worker === worker && this.end(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => this.worker === worker && this.end(new Error(`The thread of the checks ended with code ${code}.`)));
    return worker;
  }

  private async answer(worker: Worker, id: number, call: number, what: SandboxCall): Promise<void> {
    const say = (answer: Extract<ToChecks, { op: 'answer' }>['answer']) => worker.postMessage({ op: 'answer', call, answer } satisfies ToChecks);
    const tell = (runs: readonly RunEvidence[]) => worker.postMessage({ op: 'runs', call, runs } satisfies ToChecks);
    const check = this.underWay.get(id);
    if (!check) return say({ error: { kind: 'cancelled' } });
    try {
      say({ value: await carryOut(check, what, tell) });
    } catch (error) {
      say({ error: toWire(error) });
    }
  }

  private end(error: Error): void {
    const { worker } = this;
    this.worker = null;
    for (const id of [...this.underWay.keys()]) this.settle(id, ({ reject }) => reject(error));
    void worker?.terminate();
  }
}

async function carryOut({ sandbox, signal, sessions }: UnderWay, what: SandboxCall, tell: (runs: readonly RunEvidence[]) => void): Promise<unknown> {
  if (sandbox === null) throw new SandboxError('sandbox/none', message('There is no sandbox to run the file in.'), message('See what the doctor says.'));
  if (what.to === 'get') {
    const { backend, python, packages } = await sandbox.get(signal);
    return { backend, python, packages };
  }
  if (what.to === 'open') {
    const session = await (await sandbox.get(signal)).open(what.options, signal);
    if (signal.aborted) session.kill();
    else sessions.set(what.session, session);
    return undefined;
  }
  const session = sessions.get(what.session);
  if (!session) throw fromWire({ kind: 'cancelled' });
  if (what.to === 'plan') {
    let told = 0;
    const onRuns = what.soon ? (complete: readonly RunEvidence[]): void => {
      tell(complete.slice(told));
      told = complete.length;
    } : undefined;
    const { runs, end } = await session.plan(what.source, what.file, what.plan, signal, onRuns);
    return { runs: runs.slice(told), end };
  }
  sessions.delete(what.session);
  return session.close();
}
