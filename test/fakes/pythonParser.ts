import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PythonParser } from '../../src/core/ports';
import { createPythonParser } from '../../src/node/checks/parser';

const require = createRequire(import.meta.url);

/** The parser as a build has it, its files taken from the packages. */
export async function testParser(): Promise<PythonParser> {
  const folder = mkdtempSync(join(tmpdir(), 'parser-'));
  try {
    for (const name of ['web-tree-sitter', 'tree-sitter-python']) {
      const from = name === 'web-tree-sitter' ? dirname(require.resolve(name)) : dirname(require.resolve(`${name}/package.json`));
      cpSync(join(from, `${name}.wasm`), join(folder, `${name}.wasm`));
    }
    return await createPythonParser(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
