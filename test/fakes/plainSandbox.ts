import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import type { HostError, PlanRun, RunEvidence } from '../../src/shared/hostProtocol';
import { SandboxError } from '../../src/core/sandboxError';
import type { PlanOutcome, Sandbox, SandboxProvider, SandboxSession, SessionOptions } from '../../src/core/ports';

/** How a plan's frames come: progress with results as they are made, then the run. */
interface Frame {
  readonly ok?: boolean;
  readonly result?: unknown;
  readonly error?: HostError;
  readonly event?: string;
  readonly run?: string | RunEvidence;
  readonly next?: number;
  readonly ops?: RunEvidence['ops'];
}

const ROOT = join(import.meta.dirname, '..', '..');
const NO_EFFECTS = { printed: 0, printLines: [], audits: [], globalChanges: [] };

async function openPlain(options: SessionOptions): Promise<SandboxSession> {
  const child = spawn('python3', ['-B', join(import.meta.dirname, 'plain_host.py'), join(ROOT, 'src', 'python')], {
    stdio: ['pipe', 'pipe', 'inherit'], env: { PATH: process.env['PATH'], PYTHONHASHSEED: String(options.hashSeed ?? 0) },
  });
  let take: ((frame: Frame | null) => void) | null = null;
  const queue: (Frame | null)[] = [];
  const push = (frame: Frame | null): void => {
    if (take === null) queue.push(frame);
    else {
      const taker = take;
      take = null;
      taker(frame);
    }
  };
  createInterface({ input: child.stdout }).on('line', (line) => push(JSON.parse(line) as Frame)).on('close', () => push(null));
  const next = (): Promise<Frame | null> => (queue.length > 0 ? Promise.resolve(queue.shift()!) : new Promise((done) => (take = done)));
  await next();
  const send = (request: object): void => void child.stdin.write(`${JSON.stringify(request)}\n`);
  const callMs = options.limits?.callMs ?? 5000;

  const plan = async (source: string, file: string, { runs }: { runs: PlanRun[] }): Promise<PlanOutcome> => {
    send({ id: 1, op: 'plan', source, file, plan: { runs } });
    const done: RunEvidence[] = [];
    let current = { run: runs[0]?.id ?? '', op: 0 };
    let partial: RunEvidence['ops'] = [];
    for (;;) {
      const timer = setTimeout(() => child.kill('SIGKILL'), callMs);
      const frame = await next();
      clearTimeout(timer);
      if (frame === null) {
        const { run, op } = current;
        const spec = runs.find(({ id }) => id === run)?.ops[op];
        const made = partial.filter(({ index }) => index === op).length;
        const action = spec?.op === 'steps' ? (spec.actions[made % spec.actions.length]?.text ?? null) : null;
        done.push({ id: run, ops: merged(partial), effects: NO_EFFECTS, complete: false });
        return { runs: done, end: { reason: 'wall-time', limit: 'callMs', detail: 'no answer', run, op, action } };
      }
      if (frame.event === 'progress') {
        if (frame.run !== current.run) partial = [];
        current = { run: frame.run as string, op: frame.next ?? 0 };
        partial.push(...(frame.ops ?? []));
      } else if (frame.event === 'run') {
        const evidence = frame.run as RunEvidence;
        done.push({ ...evidence, ops: merged([...(current.run === evidence.id ? partial : []), ...evidence.ops]) });
        partial = [];
      } else if (frame.ok === true) return { runs: done, end: null };
      else if (frame.ok === false) throw SandboxError.raised(frame.error!);
    }
  };
  const refuse = (): never => {
    throw new Error('the plain host carries out plans only');
  };
  return {
    greeting: { hello: 1, python: '3.11.0', implementation: 'CPython', hashSeed: '0', packages: {}, layers: [] },
    ended: new Promise((done) => child.on('exit', () => done({ reason: 'closed', limit: null, detail: '' }))),
    compile: async (source, file) => {
      send({ id: 2, op: 'compile', source, file });
      const frame = await next();
      if (frame?.ok !== true) throw SandboxError.raised(frame!.error!);
    },
    plan,
    load: refuse, reset: refuse, step: refuse, tool: refuse, solution: refuse, snapshot: refuse,
    kill: () => void child.kill('SIGKILL'),
    close: () => {
      child.kill('SIGKILL');
      return Promise.resolve();
    },
  };
}

function merged(ops: RunEvidence['ops']): RunEvidence['ops'] {
  const byIndex = new Map<number, RunEvidence['ops'][number]['results']>();
  for (const { index, results } of ops) byIndex.set(index, [...(byIndex.get(index) ?? []), ...results]);
  return [...byIndex].map(([index, results]) => ({ index, results }));
}

/** The host in an ordinary process: for tests of judgement on trusted fixtures, never for use. */
export function plainSandbox(): SandboxProvider {
  const sandbox: Sandbox = { backend: 'native', python: '3.11.0', health: [], open: (options = {}) => openPlain(options), dispose: () => undefined };
  return { get: () => Promise.resolve(sandbox), health: () => Promise.resolve([]), dispose: () => undefined };
}
