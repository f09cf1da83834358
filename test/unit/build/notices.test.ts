import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../helpers/tempFolder';

interface Metafile {
  readonly outputs: Record<string, { readonly inputs: Record<string, { readonly bytesInOutput: number }> }>;
}
interface Notices {
  readonly bundledPackages: (metafiles: readonly Metafile[]) => Set<string>;
  readonly notices: (names: Iterable<string>, root?: string) => string;
}
const { bundledPackages, notices } = createRequire(import.meta.url)('../../../esbuild.js') as Notices;

function installed(packages: Record<string, Record<string, string>>): string {
  const root = tempFolder();
  for (const [name, files] of Object.entries(packages)) {
    fs.mkdirSync(path.join(root, name), { recursive: true });
    fs.writeFileSync(path.join(root, name, 'package.json'), JSON.stringify({ version: '1.2.3', license: 'MIT', homepage: `https://${name}.example` }));
    for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(root, name, file), text);
  }
  return root;
}

it('a package is noticed when bytes of it are in a bundle, the innermost of nested ones', () => {
  const inputs = {
    'src/extension.ts': { bytesInOutput: 9 },
    'node_modules/openai/client.mjs': { bytesInOutput: 4 },
    'node_modules/@scope/part/node_modules/@inner/thing/index.js': { bytesInOutput: 1 },
    'node_modules/dropped/index.js': { bytesInOutput: 0 },
  };
  expect([...bundledPackages([{ outputs: { 'dist/extension.js': { inputs } } }])]).toEqual(['openai', '@inner/thing']);
});

it('each notice has name, version, licence, address and every licence file; those of one text stand together', () => {
  const root = installed({ b: { LICENSE: 'Permission of B' }, a: { 'LICENCE.md': 'Permission of A', NOTICE: 'A holds C' }, c: { 'License.txt': 'Permission of B\n' } });
  const text = notices(['b', 'a', 'c', 'a'], root);
  expect(text.match(/a 1\.2\.3/g)).toHaveLength(1);
  expect(text).toContain('a 1.2.3 (MIT), https://a.example\n\nPermission of A\n\nA holds C\n');
  expect(text).toContain('b 1.2.3 (MIT), https://b.example\nc 1.2.3 (MIT), https://c.example\n\nPermission of B\n');
});

it('a package without a licence text stops the build', () => {
  expect(() => notices(['bare'], installed({ bare: { 'README.md': 'no licence here' } }))).toThrow('bare brings no licence text');
});

it('Pyodide, which ships no text, has its own and that of Python', () => {
  expect(notices(['pyodide'])).toMatch(/Mozilla Public License[\s\S]+PYTHON SOFTWARE FOUNDATION LICENSE/);
});
