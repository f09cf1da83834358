import type { LoadResult, StepResult, WireText, WireValue } from '../../src/shared/hostProtocol';
import type { Sandbox, SandboxProvider, SandboxSession, SessionEnd } from '../../src/core/ports';
import { SandboxError } from '../../src/core/sandboxError';
import { toJsonNumber } from '../../src/shared/json';

/** What `step` of a fake environment gives: observation, reward, terminated, truncated. */
export type FakeStep = readonly [observation: unknown, reward: unknown, terminated: unknown, truncated: unknown];

/** An environment in TypeScript. What it throws, the environment raised; a {@link SandboxError} passes as it is. */
export interface FakeEnvironment {
  reset(seed: number | null): string;
  step(action: string): FakeStep | Promise<FakeStep>;
  solution?(): string;
  tool?(name: string, args: Record<string, unknown>): string;
  tools?: readonly unknown[];
}

/** A sandbox that runs fake environments, and counts the sessions that are open. */
export function scriptedSandbox(make: (maxTurns: number) => FakeEnvironment): SandboxProvider & { opened: number; open: number } {
  const counts = { opened: 0, open: 0 };
  const sandbox: Sandbox = {
    backend: 'native', python: '3.11.0', packages: {}, health: [], dispose: () => undefined,
    open: () => {
      counts.opened += 1;
      counts.open += 1;
      return Promise.resolve(session(make, () => (counts.open -= 1)));
    },
  };
  return Object.assign(counts, { get: () => Promise.resolve(sandbox), health: () => Promise.resolve([]), dispose: () => undefined });
}

/** What a session gives when the wall time of a call is over. */
export function overWallTime(): SandboxError {
  return SandboxError.ended({ reason: 'wall-time', limit: 'callMs', detail: 'no answer' });
}

function wire(value: unknown): WireValue {
  if (typeof value === 'number') return { type: 'float', repr: String(value), number: toJsonNumber(value) };
  if (typeof value === 'boolean') return { type: 'bool', repr: value ? 'True' : 'False', number: Number(value), json: value };
  if (value === null || value === undefined) return { type: 'NoneType', repr: 'None', json: null };
  if (typeof value === 'string') return { type: 'str', repr: JSON.stringify(value), json: value };
  return { type: 'object', repr: '<object>' };
}

function text(value: unknown): WireText {
  const shown = typeof value === 'string' ? value : '';
  return { type: value === null ? 'NoneType' : 'str', text: shown, length: shown.length, cut: false };
}

function session(make: (maxTurns: number) => FakeEnvironment, gone: () => void): SandboxSession {
  let environment: FakeEnvironment | null = null;
  let alive = true;
  let end: (end: SessionEnd) => void = () => undefined;
  const ended = new Promise<SessionEnd>((resolve) => (end = resolve));
  const kill = () => {
    if (!alive) return;
    alive = false;
    gone();
    end({ reason: 'killed', limit: null, detail: '' });
  };
  const call = async <T>(signal: AbortSignal | undefined, work: (environment: FakeEnvironment) => T | Promise<T>): Promise<T> => {
    if (!environment) throw new Error('not loaded');
    let stop = () => undefined as void;
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(new DOMException('Cancelled.', 'AbortError'));
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop, { once: true });
    });
    stopped.catch(() => undefined);
    try {
      return await Promise.race([(async () => work(environment))(), stopped]);
    } catch (error) {
      if (error instanceof SandboxError || (error as Error).name === 'AbortError') throw error;
      throw SandboxError.raised({ code: 'raised', type: (error as Error).name, message: (error as Error).message, traceback: [] });
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  };
  const unused = () => Promise.reject(new Error('not used in these tests'));
  return {
    greeting: { hello: 1, python: '3.11.0', implementation: 'CPython', hashSeed: '0', packages: {}, layers: [] } as never,
    ended, kill,
    close: () => Promise.resolve(kill()),
    load: ({ maxTurns }) => {
      environment = make(maxTurns ?? 0);
      return Promise.resolve({
        kind: 'load', className: 'FakeEnv', classLine: 1, candidates: ['FakeEnv'], toolUse: environment.tool !== undefined, multiMessage: false,
        hasSolution: environment.solution !== undefined, maxTurns, tools: (environment.tools ?? null) as never, importMs: 0, constructMs: 0,
      } as unknown as LoadResult);
    },
    reset: (seed, signal) => call(signal, (env) => ({ kind: 'reset', observation: text(env.reset(seed)), info: wire(null), shape: null, ms: 0 })),
    step: (action, { signal } = {}) => call(signal, async (env): Promise<StepResult> => {
      const [observation, reward, terminated, truncated] = await env.step(action);
      return {
        kind: 'step', action, observation: text(observation), reward: wire(reward), terminated: wire(terminated), truncated: wire(truncated),
        info: wire(null), shape: null, ms: 0,
      };
    }),
    tool: (name, args, { signal } = {}) => call(signal, (env) => ({ kind: 'tool', name, output: text(env.tool?.(name, args)), returncode: wire(0), shape: null, ms: 0 })),
    solution: (signal) => call(signal, (env) => ({ kind: 'solution', value: wire(env.solution?.()), text: text(env.solution?.()) })),
    snapshot: unused, plan: unused,
  };
}
