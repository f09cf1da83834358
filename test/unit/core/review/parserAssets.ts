import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A folder with the parser's WebAssembly files, as a build would have it. */
export function parserAssets(): string {
  const root = path.join(__dirname, '../../../..');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'envwright-parser-'));
  fs.copyFileSync(path.join(root, 'node_modules/web-tree-sitter/web-tree-sitter.wasm'), path.join(folder, 'web-tree-sitter.wasm'));
  fs.copyFileSync(path.join(root, 'node_modules/tree-sitter-python/tree-sitter-python.wasm'), path.join(folder, 'tree-sitter-python.wasm'));
  return folder;
}
