import { join } from 'node:path';
import type { Backend } from './backend';
import { startPyodide } from './pyodide/backend';
import { installedWheels } from './pyodide/wheels';

/** Python in WebAssembly, from the files that come with the extension. */
export const pyodideBackend: Backend = {
  name: 'pyodide',
  start: async ({ assetsDir, cacheDir, limits, maxSessions }, signal) =>
    startPyodide(
      {
        folders: { pyodide: join(assetsDir, 'pyodide'), python: join(assetsDir, 'python'), cache: join(cacheDir, 'pyodide') },
        script: join(assetsDir, 'workers', 'pyodide.child.mjs'),
        wheels: await installedWheels(cacheDir),
        limits,
        maxSessions,
      },
      signal,
    ),
};
