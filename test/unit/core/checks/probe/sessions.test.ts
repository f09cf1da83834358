import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkFile } from '../../../../../src/core/checks/checkFile';
import type { Sandbox, SandboxProvider, SessionOptions } from '../../../../../src/core/ports';
import { SandboxError } from '../../../../../src/core/sandboxError';
import { createSandboxProvider } from '../../../../../src/node/sandbox/provider';
import type { FileReport } from '../../../../../src/shared/findings';
import { message } from '../../../../../src/shared/message';
import { FIXTURES, ROOT, sandboxOf, sharedParser, stopSandbox } from './harness';

const read = (...path: string[]): string => readFileSync(join(FIXTURES, ...path), 'utf8');
const SOUND = read('sound', 's_percent.py');
const GUESSABLE = read('checks', 'guessable', 'fires.py');
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

async function checked(sandbox: SandboxProvider, text: string): Promise<FileReport> {
  const report = await checkFile({ parser: await sharedParser(), sandbox }, { file: 'env.py', text }, signal);
  return { ...report, timing: { staticMs: 0, probeMs: 0 } };
}

describe('a check and the sessions it gets', () => {
  it('comes to the same with one session at a time, with two and with three', async () => {
    for (const text of [SOUND, GUESSABLE, HASHED]) {
      const opened: SessionOptions[] = [];
      const three = await checked(choosing(() => true, opened), text);
      expect(opened.some(({ unless }) => unless === 'crowded')).toBe(true);
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

  it('plays the guesses itself when the session for them is lost on the way', async () => {
    const inner = choosing(() => true);
    const losing: SandboxProvider = {
      ...inner,
      get: async () => {
        const sandbox = await inner.get();
        return {
          ...sandbox,
          open: async (options, aborted) => {
            const session = await sandbox.open(options, aborted);
            if (options?.unless !== 'crowded') return session;
            session.kill();
            return { ...session, plan: () => Promise.reject(new SandboxError('sandbox/none', message('It is gone.'), message('Try again.'))), close: () => session.close(), kill: silent };
          },
        };
      },
    };
    expect(await checked(losing, GUESSABLE)).toEqual(await checked(inner, GUESSABLE));
  }, 60_000);
});
