/**
 * `npm start`: opens a real VS Code with Envwright and a copy of the sample workspace. `code` if it is on the PATH, else a
 * download, else the npm-served editor in the browser, on loopback, with a random password and trust prompts on.
 * `npm start -- --headless` runs the main job on the command line instead and prints the report.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { downloadDesktopEditor } from './desktop';
import { runHeadless } from './headless';
import { projectRoot } from './paths';
import { answers, run, runOrThrow } from './process';
import { startServer } from './server';

/** The user's own copy: what is pushed or edited there never changes the project. Kept until the next start asks for a fresh one. */
function sampleCopy(fresh: boolean): string {
  const copy = path.join(projectRoot, 'out', 'sample-workspace');
  if (fresh) fs.rmSync(copy, { recursive: true, force: true });
  if (!fs.existsSync(copy)) fs.cpSync(path.join(projectRoot, 'media', 'sample-workspace'), copy, { recursive: true });
  return copy;
}

async function openDesktop(executable: string, workspace: string): Promise<number> {
  console.log(`Opening ${executable} with the sample workspace in ${workspace}`);
  return run(executable, [`--extensionDevelopmentPath=${projectRoot}`, '--new-window', workspace]);
}

async function openServed(workspace: string): Promise<number> {
  const vsix = path.join(projectRoot, 'out', 'envwright.vsix');
  await runOrThrow('npm', ['run', '--silent', 'package', '--', '--out', vsix], { cwd: projectRoot, stdio: ['ignore', 'ignore', 'inherit'] });
  const password = randomBytes(12).toString('base64url');
  const server = await startServer({ vsix, trust: true, password, settings: { 'workbench.startupEditor': 'readme', 'security.workspace.trust.startupPrompt': 'always' } });
  console.log(`\nVS Code with Envwright is at  ${server.url(workspace)}\nPassword:                     ${password}\nCtrl+C ends it. The sample’s README, which opens first, leads through it; trust the folder, so that environments can run.`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await server.stop();
  return 0;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { headless: { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } } });
  if (values.headless) return runHeadless(sampleCopy(true));
  const workspace = sampleCopy(!values.keep);
  if (await answers('code')) return openDesktop('code', workspace);
  const desktop = process.env.DISPLAY || process.env.WAYLAND_DISPLAY || process.platform !== 'linux' ? await downloadDesktopEditor() : undefined;
  if (desktop) {
    spawn(desktop, [`--extensionDevelopmentPath=${projectRoot}`, '--new-window', workspace], { stdio: 'inherit' });
    return 0;
  }
  return openServed(workspace);
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
