import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findInterpreter } from '../../../../src/node/python/interpreter';
import type { BackendContext } from '../../../../src/node/sandbox/backend';
import { DEFAULT_LIMITS } from '../../../../src/node/sandbox/limits';
import { SANDBOX_EXEC, seatbeltCommand, shellWords } from '../../../../src/node/sandbox/seatbelt/profile';
import { seatbeltBackend, startSeatbelt } from '../../../../src/node/sandbox/seatbelt/seatbeltBackend';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'envwright-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
const context = (): BackendContext => ({
  assetsDir: path.resolve(import.meta.dirname, '../../../../src'), cacheDir: folder, limits: DEFAULT_LIMITS, maxSessions: 4, logger,
  interpreter: (signal) => findInterpreter({ trusted: false }, signal),
});

describe('the profile of the seatbelt', () => {
  const rules = (): Parameters<typeof seatbeltCommand>[1] => ({ python: "/opt/it's here/bin/python3", readable: ['/opt/py/lib'], folder });
  const profile = (): string => seatbeltCommand(['/opt/py/bin/python3', '-s', 'a b'], rules())[2]!;

  it('is handed to sandbox-exec as one argument, without a shell', () => {
    const command = seatbeltCommand(['/opt/py/bin/python3', '-s', "a 'b'"], rules());
    expect(command.slice(0, 2)).toEqual([SANDBOX_EXEC, '-p']);
    expect(command.slice(3)).toEqual(['/opt/py/bin/python3', '-s', "a 'b'"]);
    expect(profile().startsWith('(version 1)')).toBe(true);
  });

  it('denies what it does not name, all of the network and all reading', () => {
    expect(profile()).toMatch(/\(deny default/);
    expect(profile()).not.toContain('(allow network*)');
    expect(profile()).not.toMatch(/network-outbound \(remote ip/);
    expect(profile()).toMatch(/\(deny file-read\*[^)]*\n?[^)]*"\/"/);
    expect(profile()).toContain('"/opt/py/lib"');
  });

  it('closes after the runtime what the runtime leaves open', () => {
    const lines = profile().split('\n');
    const last = (rule: string): number => lines.findLastIndex((line) => line.startsWith(rule));
    for (const operation of ['signal', 'process-exec', 'mach-lookup', 'file-write*', 'network-outbound']) {
      const denied = lines.findLastIndex((line) => line.startsWith(`(deny ${operation}`));
      const allowed = lines.filter((line, at) => at > denied && line.startsWith(`(allow ${operation}`));
      expect(denied, operation).toBeGreaterThan(0);
      expect(allowed.length, operation).toBeLessThanOrEqual(operation === 'signal' ? 2 : operation === 'mach-lookup' || operation === 'network-outbound' ? 0 : 1);
    }
    expect(last('(allow process-exec*')).toBeGreaterThan(last('(deny process-exec*'));
    expect(lines[last('(allow process-exec*')]).toContain(JSON.stringify("/opt/it's here/bin/python3"));
    expect(lines[last('(allow file-write*')]).toContain(folder);
  });

  it.each([["a 'b c' d", ['a', 'b c', 'd']], [`'it'"'"'s' x=1`, ["it's", 'x=1']], ["''", ['']], ["'a\nb' c", ['a\nb', 'c']]])('is found among the words of %s', (text, words) => {
    expect(shellWords(text)).toEqual(words);
  });
});

describe('the seatbelt backend', () => {
  it.skipIf(process.platform === 'darwin')('is refused where there is no macOS', async () => {
    await expect(seatbeltBackend.start(context())).rejects.toMatchObject({ code: 'sandbox/unavailable' });
  });

  it.skipIf(process.platform === 'win32')('is not used, and leaves nothing running, when the profile does not hold', async () => {
    const started: string[][] = [];
    const noProfile: typeof seatbeltCommand = (command) => (started.push([...command]), command);
    await expect(startSeatbelt(context(), noProfile)).rejects.toMatchObject({
      code: 'sandbox/unavailable', message: expect.stringMatching(/seatbelt sandbox let \d+ of the attacks/) as unknown,
    });
    expect(started.length).toBeGreaterThan(0);
  }, 60_000);

  it('is refused when the profile cannot be applied', async () => {
    await expect(startSeatbelt(context(), () => ['/bin/sh', '-c', 'echo "sandbox_apply: not permitted" >&2; exit 71'])).rejects.toMatchObject({
      code: 'sandbox/unavailable', message: expect.stringContaining('sandbox_apply: not permitted') as unknown,
    });
  }, 60_000);
});
