/* Bundles the extension, the command line, the workers and the webviews into dist/, and the tests into out/; names in dist/ what other people wrote in them. */
const esbuild = require('esbuild');
const fs = require('node:fs');
const path = require('node:path');

const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');
const withTests = !production;

const common = {
  bundle: true,
  sourcemap: production ? false : 'linked',
  minify: production,
  logLevel: 'silent',
  metafile: production,
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
};
/** In a CommonJS bundle the parser's ES module would look for `import.meta.url`, which is empty there. */
const alias = { 'web-tree-sitter': require.resolve('web-tree-sitter') };
/** zod brings its messages in some fifty languages, 260 kB a bundle; problems are told in words of our own, so that English is enough. */
const zodInEnglish = {
  name: 'zod-in-english',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: "export { default as en } from './en.js';" }));
  },
};
const node = { ...common, platform: 'node', target: 'node20.17', format: 'cjs', external: ['vscode'], alias };
const web = { ...common, platform: 'browser', target: 'es2022', format: 'esm' };

/** Entry points that exist; a folder may have none yet. */
const entries = (folder, suffix) =>
  fs.existsSync(folder)
    ? fs.readdirSync(folder, { recursive: true }).map(String).filter((name) => name.endsWith(suffix)).map((name) => path.join(folder, name))
    : [];

/** Static files that the bundles load at run time: [from, to]. */
const assets = [
  ['src/python', 'dist/python'],
  ['node_modules/web-tree-sitter/web-tree-sitter.wasm', 'dist/web-tree-sitter.wasm'],
  ['node_modules/tree-sitter-python/tree-sitter-python.wasm', 'dist/tree-sitter-python.wasm'],
  ...['pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.js', 'pyodide.asm.wasm', 'python_stdlib.zip', 'pyodide-lock.json', 'package.json']
    .map((name) => [`node_modules/pyodide/${name}`, `dist/pyodide/${name}`])
    .filter(([from]) => fs.existsSync(from)),
  ...(withTests ? ['modelExtension', 'debuggerExtension'].map((name) => [`test/host/${name}/package.json`, `out/test/host/${name}/package.json`]) : []),
];

/** Packages whose files are copied as they are. */
const assetPackages = ['pyodide', 'tree-sitter-python', 'web-tree-sitter'];

function copyAssets() {
  for (const [from, to] of assets) {
    fs.cpSync(from, to, { recursive: true, filter: (source) => !source.includes('__pycache__') });
  }
}

/** Tells a watching editor when a build begins and ends, in the words its problem matcher knows. */
const problemMatcher = {
  name: 'problem-matcher',
  setup(build) {
    build.onStart(() => console.log('[build] started'));
    build.onEnd((result) => {
      for (const { text, location } of result.errors) {
        console.error(`✘ [ERROR] ${text}`);
        if (location) console.error(`    ${location.file}:${location.line}:${location.column}:`);
      }
      copyAssets();
      console.log('[build] finished');
    });
  },
};

const builds = [
  { ...node, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js' },
  { ...node, entryPoints: ['src/cli.ts'], outfile: 'dist/cli.js', banner: { js: '#!/usr/bin/env node' } },
  { ...node, entryPoints: entries('src/node', '.worker.ts'), outdir: 'dist/workers', outbase: 'src/node', entryNames: '[name]' },
  { ...node, format: 'esm', outExtension: { '.js': '.mjs' }, entryPoints: entries('src/node', '.child.ts'), outdir: 'dist/workers', entryNames: '[name]' },
  { ...web, entryPoints: entries('webview', '.entry.ts'), outdir: 'dist/webview', entryNames: '[name]', loader: { '.ttf': 'file', '.svg': 'dataurl' } },
  ...(withTests
    ? [
        { ...node, entryPoints: [...entries('test/host', '.test.ts'), 'test/host/index.ts', 'test/host/modelExtension/extension.ts', 'test/host/debuggerExtension/extension.ts'], outdir: 'out/test/host', outbase: 'test/host', external: ['vscode', 'mocha'] },
        { ...node, entryPoints: entries('test', '.main.ts'), outdir: 'out/test', outbase: 'test', packages: 'external' },
        { ...node, entryPoints: entries('test/e2e', '.test.ts'), outdir: 'out/test/e2e', outbase: 'test/e2e', packages: 'external' },
      ]
    : []),
]
  .filter(({ entryPoints }) => entryPoints.length > 0 && entryPoints.every((file) => fs.existsSync(file)))
  .map((options) => ({ ...options, plugins: [zodInEnglish, problemMatcher] }));

/** What of a licence's text is not in the package itself. */
const own = (name) => fs.readFileSync(path.join(__dirname, 'media', 'licenses', name), 'utf8');
const toolkitNotices = (root) => fs.readFileSync(path.join(root, '@vscode', 'webview-ui-toolkit', 'NOTICES'), 'utf8');

/** Texts for packages that bring none with them, by name; each is given the folder of the packages. */
const textsOfOthers = {
  '@microsoft/fast-element': toolkitNotices,
  '@microsoft/fast-foundation': toolkitNotices,
  '@microsoft/fast-web-utilities': toolkitNotices,
  pyodide: () => `${own('MPL-2.0.txt')}\n\nPyodide holds CPython and its standard library, under this licence:\n\n${own('Python.txt')}`,
};

/** The package that a file of a bundle is of, undefined for the project's own. */
function packageOf(file) {
  const at = file.lastIndexOf('node_modules/');
  return at < 0 ? undefined : /^(?:@[^/]+\/)?[^/]+/.exec(file.slice(at + 'node_modules/'.length))?.[0];
}

/** Names of the packages that the given esbuild metafiles put bytes of into their bundles. */
function bundledPackages(metafiles) {
  const inputs = metafiles.flatMap(({ outputs }) => Object.values(outputs)).flatMap(({ inputs: used }) => Object.entries(used));
  return new Set(inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).flatMap(([file]) => packageOf(file) ?? []));
}

/** What heads a package's notice, and its text. */
function notice(name, root) {
  const folder = path.join(root, ...name.split('/'));
  const { version, license, homepage, repository } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const files = fs.readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)(\.|$)/i.test(file)).sort();
  const text = files.length > 0 ? files.map((file) => fs.readFileSync(path.join(folder, file), 'utf8').trim()).join('\n\n') : textsOfOthers[name]?.(root).trim();
  if (!text) throw new Error(`${name} brings no licence text: add one to textsOfOthers.`);
  return { head: `${name} ${version} (${license}), ${homepage ?? repository?.url ?? repository ?? 'npm'}`, text };
}

/** The notices of packages in the folder `root`, in the order of their names, those of one text together. Throws when one has no text. */
function notices(names, root = path.join(__dirname, 'node_modules')) {
  const byText = new Map();
  for (const name of [...new Set(names)].sort()) {
    const { head, text } = notice(name, root);
    byText.set(text, [...(byText.get(text) ?? []), head]);
  }
  const line = '-'.repeat(80);
  const parts = ['Envwright holds the software below. The source of each stands at its address.', ...[...byText].map(([text, heads]) => `${heads.join('\n')}\n\n${text}`)];
  return `${parts.join(`\n\n${line}\n\n`)}\n`;
}

async function main() {
  if (!watch) for (const folder of ['dist', ...(withTests ? ['out'] : [])]) fs.rmSync(folder, { recursive: true, force: true });
  const contexts = await Promise.all(builds.map((options) => esbuild.context(options)));
  if (watch) {
    await Promise.all(contexts.map((context) => context.watch()));
    return;
  }
  try {
    const results = await Promise.all(contexts.map((context) => context.rebuild()));
    if (production) fs.writeFileSync('dist/ThirdPartyNotices.txt', notices([...bundledPackages(results.map(({ metafile }) => metafile)), ...assetPackages]));
  } finally {
    await Promise.all(contexts.map((context) => context.dispose()));
  }
}

module.exports = { bundledPackages, notices };

if (require.main === module) {
  main().catch((error) => {
    // What a bundle cannot be built for is told by the problem matcher.
    if (!error.errors) console.error(error);
    process.exit(1);
  });
}
