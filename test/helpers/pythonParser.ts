import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PythonParser } from '../../src/core/ports';
import { createPythonParser } from '../../src/node/checks/parser';

const modules = join(import.meta.dirname, '..', '..', 'node_modules');

/** The product's parser, on the files that a build would have copied. */
export function pythonParser(): Promise<PythonParser> {
  const assets = mkdtempSync(join(tmpdir(), 'envwright-assets-'));
  symlinkSync(join(modules, 'web-tree-sitter', 'web-tree-sitter.wasm'), join(assets, 'web-tree-sitter.wasm'));
  symlinkSync(join(modules, 'tree-sitter-python', 'tree-sitter-python.wasm'), join(assets, 'tree-sitter-python.wasm'));
  return createPythonParser(assets);
}
