import { join } from 'node:path';
import type { Backend } from './backend';
import { startPyodide } from './pyodide/backend';

/** Python in WebAssembly, from the files that come with the extension. */
export const pyodideBackend: Backend = {
  name: 'pyodide',
  start: ({ assetsDir, cacheDir, maxSessions }, signal) =>
    startPyodide(
      {
        folders: { pyodide: join(assetsDir, 'pyodide'), python: join(assetsDir, 'python'), cache: join(cacheDir, 'pyodide') },
        script: join(assetsDir, 'workers', 'pyodide.child.mjs'),
        wheels: [],
        maxSessions,
      },
      signal,
    ),
};
