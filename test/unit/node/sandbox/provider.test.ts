import { describe, expect, it, vi } from 'vitest';
import type { Sandbox } from '../../../../src/core/ports';
import { EnvwrightError } from '../../../../src/core/errors';
import { message } from '../../../../src/shared/message';
import { settings } from '../../../../src/shared/settings';
import { leaky, unavailable, type Backend } from '../../../../src/node/sandbox/backend';
import { createSandboxProvider, type SandboxProviderOptions } from '../../../../src/node/sandbox/provider';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
type Name = Backend['name'];

function working(name: Name): Backend & { disposed: number; starts: number } {
  const backend = {
    name, disposed: 0, starts: 0,
    start: (): Promise<Sandbox> => {
      backend.starts += 1;
      return Promise.resolve({
        backend: name, python: '3.12.0', packages: {}, health: [{ name: `${name} self-test`, ok: true, detail: 'none succeeded', next: null }],
        open: () => Promise.reject(new Error('not opened here')), dispose: () => (backend.disposed += 1),
      });
    },
  };
  return backend;
}
const failing = (name: Name, error: Error): Backend => ({ name, start: () => Promise.reject(error) });
const noLandlock = unavailable(message('no landlock'), message('a newer kernel'));

const provide = (backends: Backend[], options: Partial<SandboxProviderOptions> = {}) =>
  createSandboxProvider({ choice: 'auto', assetsDir: '/nowhere', cacheDir: '/nowhere', logger, backends, ...options });

describe('the provider', () => {
  it('takes the first backend that passes, in the order it was given', async () => {
    const sandbox = await provide([failing('native', noLandlock), working('pyodide')]).get();
    expect(sandbox.backend).toBe('pyodide');
  });

  it('leaves seatbelt to macOS', async () => {
    const sandbox = await provide([working('seatbelt'), working('pyodide')]).get();
    expect(sandbox.backend).toBe(process.platform === 'darwin' ? 'seatbelt' : 'pyodide');
  });

  it('never takes another than the one that was demanded', async () => {
    const provider = provide([failing('native', noLandlock), working('pyodide')], { choice: 'native' });
    await expect(provider.get()).rejects.toMatchObject({ code: 'sandbox/unavailable', what: message('no landlock') });
  });

  it('never hands out a backend that an attack came through', async () => {
    const provider = provide([failing('native', leaky('native', ['files/read: /etc/passwd'])), failing('pyodide', new Error('broken'))]);
    const error: unknown = await provider.get().catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'sandbox/unavailable' });
    expect(String(error)).toContain('/etc/passwd');
  });

  it('tells of every backend what was found, also after a failure', async () => {
    const provider = provide([failing('native', noLandlock), working('pyodide')]);
    expect((await provider.health()).slice(0, 3)).toEqual([
      { name: 'sandbox native', ok: false, detail: 'no landlock', next: 'a newer kernel' },
      { name: 'sandbox pyodide', ok: true, detail: 'Python 3.12.0', next: null },
      { name: 'pyodide self-test', ok: true, detail: 'none succeeded', next: null },
    ]);
    const noPython = new EnvwrightError('python/not-found', message('No Python.'), message('Install it.'));
    const failed = provide([failing('native', noPython)]);
    expect((await failed.health())[0]).toEqual({ name: 'sandbox native', ok: false, detail: 'No Python.', next: 'Install it.' });
    await expect(failed.get()).rejects.toMatchObject({ code: 'sandbox/unavailable', next: message('Install it.') });
  });

  it('says that containment cannot be switched off, and whether the embedded Python has math-verify: a fault only where it is in use', async () => {
    const about = async (backend: Name) => (await provide([working(backend)]).health()).slice(2).map(({ name, ok }) => [name, ok]);
    expect(await about('native')).toEqual([['containment', true], ['embedded Python: math-verify', true]]);
    expect(await about('pyodide')).toEqual([['containment', true], ['embedded Python: math-verify', false]]);
    const settingsOfTheSandbox = Object.entries(settings).filter(([key]) => key.startsWith('sandbox.')).map(([, { schema }]) => schema);
    for (const off of ['off', 'none', 'unsafe', false, null]) expect(settings['sandbox.backend'].schema.safeParse(off).success).toBe(false);
    expect(settingsOfTheSandbox.some((schema) => schema.safeParse(false).success)).toBe(false);
  });

  it('starts once for all who ask at the same time, and again only after a failure', async () => {
    const backend = working('native');
    const provider = provide([backend]);
    const [one, two] = await Promise.all([provider.get(), provider.get()]);
    expect(one).toBe(two);
    expect(backend.starts).toBe(1);
    let tries = 0;
    const flaky: Backend = { name: 'native', start: (context) => (++tries === 1 ? Promise.reject(noLandlock) : working('native').start(context)) };
    const second = provide([flaky]);
    await expect(second.get()).rejects.toThrow();
    await expect(second.get()).resolves.toMatchObject({ backend: 'native' });
  });

  it('lets one caller give up without stopping the start for the others', async () => {
    let ready!: (sandbox: Sandbox) => void;
    const slow: Backend = { name: 'native', start: () => new Promise((resolve) => (ready = resolve)) };
    const provider = provide([slow]);
    const controller = new AbortController();
    const [impatient, patient] = [provider.get(controller.signal), provider.get()];
    controller.abort();
    await expect(impatient).rejects.toMatchObject({ name: 'AbortError' });
    ready(await working('native').start({} as never));
    await expect(patient).resolves.toMatchObject({ backend: 'native' });
  });

  it('disposes of what it started, and gives nothing after that', async () => {
    const backend = working('native');
    const provider = provide([backend]);
    await provider.get();
    provider.dispose();
    await vi.waitFor(() => expect(backend.disposed).toBe(1));
    await expect(provider.get()).rejects.toMatchObject({ code: 'sandbox/unavailable' });
  });
});
