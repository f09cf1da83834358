import type { SandboxProvider, SandboxSession } from '../../ports';

/** A sandbox that adds up how long it is asked for: the time in which the environment is imported, built, reset and stepped. */
export interface TimedSandbox extends SandboxProvider {
  /** Milliseconds so far. */
  readonly spentMs: () => number;
}

/** Wraps a sandbox for one file. Disposing of it leaves the sandbox itself alone. */
export function timedSandbox(provider: SandboxProvider): TimedSandbox {
  let spent = 0;
  const timed = async <T>(work: Promise<T>): Promise<T> => {
    const started = performance.now();
    try {
      return await work;
    } finally {
      spent += performance.now() - started;
    }
  };
  const sessionOf = (inner: SandboxSession): SandboxSession => ({
    greeting: inner.greeting,
    ended: inner.ended,
    load: (...args) => timed(inner.load(...args)),
    reset: (...args) => timed(inner.reset(...args)),
    step: (...args) => timed(inner.step(...args)),
    tool: (...args) => timed(inner.tool(...args)),
    solution: (...args) => timed(inner.solution(...args)),
    snapshot: (...args) => timed(inner.snapshot(...args)),
    plan: (...args) => timed(inner.plan(...args)),
    kill: () => inner.kill(),
    close: () => inner.close(),
  });
  return {
    get: async (signal) => {
      const sandbox = await provider.get(signal);
      const { backend, python, packages, health } = sandbox;
      return { backend, python, packages, health, dispose: () => undefined, open: async (options, aborted) => sessionOf(await sandbox.open(options, aborted)) };
    },
    health: () => provider.health(),
    dispose: () => undefined,
    spentMs: () => spent,
  };
}
