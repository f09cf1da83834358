import fs from 'node:fs/promises';
import path from 'node:path';
import { loadPyodide, type PyodideInterface } from 'pyodide';
import type { Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ATTACKS } from '../../../../src/node/sandbox/pyodide/attacks';
import { bundledChild, folder, pyodide, removeFolders } from './kit';

afterAll(removeFolders);

/** Attacks that reach what they aim at in a Pyodide as it comes; the others test what no build of it offers today. */
const SUCCEED_IN_STOCK = new Set([
  'import js', 'import pyodide_js', 'import pyodide_js past the finder', 'run_js', 'the event loop of JavaScript', 'fetch', 'os.system', 'the file system of the host', 'a new file', 'the standard library',
  'a descriptor made writable by F_SETFL', 'a writable copy of a descriptor', 'truncation', 'renaming', 'deletion', 'a folder, a link', 'change of mode', 'environment variables',
]);

describe('the attacks of the embedded sandbox', () => {
  let stock: PyodideInterface;
  beforeAll(async () => {
    stock = await loadPyodide({ indexURL: path.resolve(import.meta.dirname, '../../../../node_modules/pyodide'), stdin: () => null });
  }, 120_000);

  it.each(EMBEDDED_ATTACKS.filter(({ name }) => SUCCEED_IN_STOCK.has(name)).map((attack) => [attack.name, attack.source]))(
    'would succeed without the sandbox: %s', (_name, source) => {
      stock.runPython('import os, sys, shutil\nif not os.path.exists("/kept"): shutil.copy(next(e for e in sys.path if e.endswith(".zip")), "/kept")');
      stock.runPython(source, { globals: stock.toPy({}) as never });
      stock.runPython('import os, sys, shutil\nzip = next(e for e in sys.path if e.endswith(".zip"))\nif os.path.exists(zip): os.chmod(zip, 0o777)\nshutil.copy("/kept", zip)');
    },
  );

  it('are all Python', () => {
    for (const { source } of EMBEDDED_ATTACKS) stock.runPython(`compile(${JSON.stringify(source)}, "attack.py", "exec")`);
  });

  it('cover what the test above names', () => {
    const names = EMBEDDED_ATTACKS.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...SUCCEED_IN_STOCK]));
    expect(new Set(names).size).toBe(names.length);
  });
});

/** Makes one change to the import lock of the bundled child. */
function weakened(from: string, to: string): Plugin {
  return {
    name: 'weakened',
    setup(build) {
      build.onLoad({ filter: /importLock\.ts$/ }, async ({ path: file }) => {
        const text = await fs.readFile(file, 'utf8');
        if (!text.includes(from)) throw new Error(`nothing to weaken: ${from}`);
        return { contents: text.replace(from, to), loader: 'ts' };
      });
    },
  };
}

describe('a backend that lets an attack through', () => {
  it.each([
    ['a lock that never closes', 'this.closed = true;', ''],
    ['a lock that lets programs be run', "'fd_read',", "'fd_read', '_emscripten_system',"],
  ])('is not used: %s', async (_name, from, to) => {
    const script = await bundledChild([weakened(from, to)]);
    await expect(pyodide({ script })).rejects.toMatchObject({ code: 'sandbox/unavailable', message: expect.stringContaining('attacks of its self-test') as unknown });
  }, 120_000);

  it('is not used when a part of it is missing', async () => {
    const empty = await folder();
    await expect(pyodide({ script: path.join(empty, 'none.mjs') })).rejects.toMatchObject({ code: 'sandbox/unavailable', message: expect.stringContaining('is missing') as unknown });
  });

  it('is not used when its child cannot be started at all', async () => {
    const script = path.join(await folder(), 'pyodide.child.mjs');
    await fs.writeFile(script, 'process.exit(3)');
    await expect(pyodide({ script })).rejects.toMatchObject({ code: 'sandbox/unavailable' });
  }, 60_000);
});
