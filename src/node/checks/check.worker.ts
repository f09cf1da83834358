/** The thread of the full checks: it parses, plans and judges, so that the editor's thread never waits for that. */
import { parentPort, workerData } from 'node:worker_threads';
import { checkFile } from '../../core/checks/checkFile';
import type { HealthLine, Sandbox, SandboxProvider, SandboxSession } from '../../core/ports';
import type { RunEvidence } from '../../shared/hostProtocol';
import { fromWire, PlanAnswer, SandboxFacts, ToChecks, toWire, type Answer, type FromChecks, type SandboxCall } from './checkProtocol';
import { createPythonParser } from './parser';
import { StaticWorkerData } from './staticProtocol';

const parser = createPythonParser(StaticWorkerData.parse(workerData).assetsDir);
const checks = new Map<number, AbortController>();
/** A call that waits for its answer. */
interface Asked {
  readonly answer: (answer: Answer) => void;
  readonly onRuns: (runs: readonly RunEvidence[]) => void;
}

const calls = new Map<number, Asked>();
let lastCall = 0;
let lastSession = 0;

function say(message: FromChecks): void {
  parentPort?.postMessage(message);
}

/** Asks the sandbox of the other thread. An aborted check is told to it, which ends what it does for it. */
function ask(id: number, what: SandboxCall, onRuns: Asked['onRuns'] = () => undefined): Promise<unknown> {
  const call = (lastCall += 1);
  return new Promise((resolve, reject) => {
    calls.set(call, { onRuns, answer: (answer) => ('error' in answer ? reject(fromWire(answer.error)) : resolve(answer.value)) });
    say({ op: 'call', id, call, what });
  });
}

function unused(): never {
  throw new Error('The checks do not use this part of a sandbox.');
}

/** The sandbox of the other thread, as far as checks use one. */
function provider(id: number): SandboxProvider {
  const session = (number: number): SandboxSession => ({
    get greeting() { return unused(); },
    ended: new Promise(() => undefined),
    plan: async (source, file, plan, _signal, onRuns) => {
      const told: RunEvidence[] = [];
      const { runs, end } = PlanAnswer.parse(await ask(id, { to: 'plan', session: number, source, file, plan, soon: onRuns !== undefined }, (more) => {
        told.push(...more);
        onRuns?.(told);
      }));
      return { runs: [...told, ...runs], end };
    },
    close: async () => void (await ask(id, { to: 'close', session: number })),
    kill: () => void ask(id, { to: 'close', session: number }).catch(() => undefined),
    load: unused, reset: unused, step: unused, tool: unused, solution: unused, snapshot: unused,
  });
  return {
    get: async (): Promise<Sandbox> => ({
      ...SandboxFacts.parse(await ask(id, { to: 'get' })),
      health: [],
      open: async ({ onLog: _onLog, ...options } = {}) => {
        const number = (lastSession += 1);
        await ask(id, { to: 'open', session: number, options });
        return session(number);
      },
      dispose: () => undefined,
    }),
    health: () => Promise.resolve<readonly HealthLine[]>([]),
    dispose: () => undefined,
  };
}

async function check({ id, input }: Extract<ToChecks, { op: 'check' }>): Promise<void> {
  const stopper = new AbortController();
  checks.set(id, stopper);
  try {
    const { profile = null, suppressions = [], severityOverrides = {}, staticOnly = false, file, text } = input;
    const report = await checkFile({ parser: await parser, sandbox: provider(id) }, { file, text, profile, suppressions, severityOverrides, staticOnly }, stopper.signal);
    say({ op: 'done', id, report });
  } catch (error) {
    say({ op: 'failed', id, error: toWire(error) });
  } finally {
    checks.delete(id);
  }
}

parentPort?.on('message', (message: unknown) => {
  const told = ToChecks.parse(message);
  switch (told.op) {
    case 'check':
      void check(told);
      return;
    case 'abort':
      checks.get(told.id)?.abort();
      return;
    case 'runs':
      calls.get(told.call)?.onRuns(told.runs);
      return;
    case 'answer':
      calls.get(told.call)?.answer(told.answer);
      calls.delete(told.call);
  }
});
