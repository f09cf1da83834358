import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkFile } from '../../../../../src/core/checks/checkFile';
import type { Sandbox, SandboxProvider, SandboxSession, SessionOptions } from '../../../../../src/core/ports';
import { SandboxError } from '../../../../../src/core/sandboxError';
import { createSandboxProvider } from '../../../../../src/node/sandbox/provider';
import type { FileReport } from '../../../../../src/shared/findings';
import { message } from '../../../../../src/shared/message';
import { FIXTURES, ROOT, sandboxOf, sharedParser, stopSandbox } from './harness';

const read = (...path: string[]): string => readFileSync(join(FIXTURES, ...path), 'utf8');
const SOUND = read('sound', 's_percent.py');
const GUESSABLE = read('checks', 'guessable', 'fires.py');
/** Whose plays take long enough to be shared between two sessions on any machine. */
const SLOW = GUESSABLE.replace(/(\n +)def step\(.*:/, '$&$1    __import__("time").sleep(0.002)');
const SLOW_TOOLS = read('checks', 'tool-result-random', 'fires.py').replace('        rng = random.Random(seed)', '$&; __import__("time").sleep(0.004)');
const HASHED = read('checks', 'nondeterministic-across-processes', 'fires.py');
const silent = (): void => undefined;
const own: SandboxProvider[] = [];
const signal = new AbortController().signal;

afterAll(async () => {
  for (const sandbox of own) sandbox.dispose();
  await stopSandbox();
});

function withSessions(maxSessions: number): SandboxProvider {
  const sandbox = createSandboxProvider({ choice: 'native', maxSessions, assetsDir: join(ROOT, 'src'), logger: { info: silent, warn: silent, error: silent } });
  own.push(sandbox);
  return sandbox;
}

/** The native sandbox, whose answer to an `open` is chosen here: a session, or that there is none now. */
function choosing(gives: (options: SessionOptions) => boolean, opened: SessionOptions[] = []): SandboxProvider {
  const inner = sandboxOf('native');
  return {
    get: async () => {
      const sandbox = await inner.get();
      const open: Sandbox['open'] = (options = {}, aborted) => {
        if (!gives(options)) return Promise.reject(new SandboxError('sandbox/busy', message('None is free.'), message('Wait.')));
        opened.push(options);
        return sandbox.open({ hashSeed: options.hashSeed ?? 0, limits: options.limits ?? {} }, aborted);
      };
      return { backend: 'native', python: sandbox.python, packages: sandbox.packages, health: [], dispose: silent, open };
    },
    health: () => inner.health(),
    dispose: silent,
  };
}

type Plan = SandboxSession['plan'];

/** A sandbox whose sessions carry plans out in another way. */
function planning(inner: SandboxProvider, planOf: (session: SandboxSession, options: SessionOptions) => Plan): SandboxProvider {
  return {
    ...inner,
    get: async () => {
      const sandbox = await inner.get();
      return {
        ...sandbox,
        open: async (options = {}, aborted) => {
          const session = await sandbox.open(options, aborted);
          return { ...session, plan: planOf(session, options), close: () => session.close(), kill: () => session.kill() };
        },
      };
    },
  };
}

async function checked(sandbox: SandboxProvider, text: string): Promise<FileReport> {
  const report = await checkFile({ parser: await sharedParser(), sandbox }, { file: 'env.py', text }, signal);
  return { ...report, timing: { staticMs: 0, probeMs: 0 } };
}

describe('a check and the sessions it gets', () => {
  it('comes to the same with one session at a time, with two and with three', async () => {
    for (const text of [SOUND, SLOW, SLOW_TOOLS, HASHED]) {
      const opened: SessionOptions[] = [];
      const three = await checked(choosing(() => true, opened), text);
      if (text === SLOW || text === SLOW_TOOLS) expect(opened.some(({ unless }) => unless === 'crowded')).toBe(true);
      const two = await checked(choosing(({ unless }) => unless !== 'crowded'), text);
      const one = await checked(choosing(({ unless }) => unless === undefined), text);
      expect(two).toEqual(three);
      expect(one).toEqual(three);
    }
  }, 120_000);

  it('ends where the sandbox has one session, or as many as there are checks', async () => {
    const single = await checked(withSessions(1), SOUND);
    expect(single.verdict).toBe('accept');
    expect(single.notChecked.map(({ id }) => id)).not.toContain('nondeterministic-across-processes');
    const shared = withSessions(3);
    const all = await Promise.all(Array.from({ length: 6 }, () => checked(shared, HASHED)));
    for (const report of all) expect(report.findings.map(({ id }) => id)).toContain('nondeterministic-across-processes');
  }, 120_000);

  it('comes to the same where the sandbox tells of no run before its plan is over', async () => {
    const early: boolean[] = [];
    const telling = (tells: boolean): SandboxProvider => planning(choosing(() => true), (session) => async (source, file, plan, aborted, onRuns) => {
      let over = false;
      const outcome = await session.plan(source, file, plan, aborted, tells ? (complete) => {
        if (onRuns !== undefined && complete.length < plan.runs.length) early.push(!over);
        onRuns?.(complete);
      } : undefined);
      over = true;
      return outcome;
    });
    for (const text of [SOUND, HASHED]) expect(await checked(telling(true), text)).toEqual(await checked(telling(false), text));
    expect(early.length).toBeGreaterThan(0);
    expect(early).not.toContain(false);
  }, 60_000);

  it('plays the guesses itself when the session for them is lost on the way', async () => {
    const inner = choosing(() => true);
    let lost = 0;
    const losing = planning(inner, (session, options) => (...call) => {
      if (options.unless !== 'crowded') return session.plan(...call);
      lost += 1;
      session.kill();
      return Promise.reject(new SandboxError('sandbox/none', message('It is gone.'), message('Try again.')));
    });
    expect(await checked(losing, SLOW)).toEqual(await checked(inner, SLOW));
    expect(lost).toBe(1);
  }, 60_000);
});
