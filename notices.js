/* Names what other people wrote in the bundles, with its licences: each of them asks to go where the code goes. */
const fs = require('node:fs');
const path = require('node:path');

const own = (name) => fs.readFileSync(path.join(__dirname, 'licenses', name), 'utf8');
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
  if (!text) throw new Error(`${name} brings no licence text: add one to notices.js.`);
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

module.exports = { bundledPackages, notices };
