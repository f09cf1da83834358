import { join } from 'node:path';
import { Language, Parser, type Tree } from 'web-tree-sitter';
import type { PythonParser } from '../../core/ports';

/** The files of the build that the parser loads. */
const RUNTIME = 'web-tree-sitter.wasm';
const GRAMMAR = 'tree-sitter-python.wasm';

let started: Promise<void> | null = null;

/**
 * A parser of Python.
 * @param assetsDir folder that holds the parser's two WebAssembly files (`dist` in a build).
 */
export async function createPythonParser(assetsDir: string): Promise<PythonParser> {
  started ??= Parser.init({ locateFile: () => join(assetsDir, RUNTIME) });
  await started;
  const parser = new Parser();
  parser.setLanguage(await Language.load(join(assetsDir, GRAMMAR)));
  return {
    parse(text: string, old?: Tree): Tree {
      const tree = parser.parse(text, old);
      if (tree === null) throw new Error('The Python parser gave no tree.');
      return tree;
    },
  };
}
