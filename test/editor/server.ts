import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runOrThrow } from './process';
import { ensureServedEditor } from './servedEditor';

const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'files.autoSave': 'off',
  'git.enabled': false,
  'files.simpleDialog.enable': true,
  'window.dialogStyle': 'custom',
  'remote.autoForwardPorts': false,
  'editor.accessibilitySupport': 'off',
};

/** How a server is started. `trust` false switches workspace trust off, as tests of everything else need it. */
export interface ServerOptions {
  readonly settings?: Record<string, unknown>;
  readonly env?: NodeJS.ProcessEnv;
  readonly vsix?: string;
  readonly trust?: boolean;
  readonly password?: string;
}

/** A running server; `stop` ends its whole process tree and removes its profile. */
export interface EditorServer {
  readonly authority: string;
  readonly log: string;
  url(folder: string, payload?: readonly (readonly [string, string])[]): string;
  stop(): Promise<void>;
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });

const isUp = (url: string) =>
  new Promise<boolean>((resolve) => {
    http.get(url, (reply) => {
      reply.resume();
      resolve(reply.statusCode === 200);
    }).on('error', () => resolve(false));
  });

/** Starts the npm-served editor on a free loopback port with a profile of its own. */
export async function startServer({ settings = {}, env = {}, vsix, trust = false, password }: ServerOptions = {}): Promise<EditorServer> {
  const editor = await ensureServedEditor();
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'envwright-editor-'));
  const home = path.join(root, 'home');
  const temporary = path.join(root, 'tmp');
  const user = path.join(root, 'user');
  const extensions = path.join(root, 'extensions');
  for (const folder of [home, temporary, path.join(user, 'User'), extensions]) fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(
    path.join(user, 'User', 'settings.json'),
    JSON.stringify({ ...quietSettings, 'security.workspace.trust.enabled': trust, ...settings }, null, 2),
  );
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    // An empty gallery: nothing is looked up. A home of its own: the workbench reads settings folders below the real one.
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    HOME: home,
    TMPDIR: temporary,
    ...(password ? { PASSWORD: password } : {}),
    ...env,
  };
  for (const name of ['VSCODE_IPC_HOOK_CLI', 'NODE_OPTIONS', 'ELECTRON_RUN_AS_NODE']) delete environment[name];
  const profile = ['--config', path.join(root, 'config.yaml'), '--user-data-dir', user, '--extensions-dir', extensions];
  if (vsix) {
    await runOrThrow(editor.node, [editor.entry, ...profile, '--install-extension', vsix], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  const port = await freePort();
  const authority = `127.0.0.1:${port}`;
  const log = path.join(root, 'server.log');
  const output = fs.openSync(log, 'w');
  const child = spawn(
    editor.node,
    [editor.entry, '--auth', password ? 'password' : 'none', '--bind-addr', authority, ...profile, '--disable-telemetry', '--disable-update-check',
      ...(trust ? [] : ['--disable-workspace-trust']), '--disable-getting-started-override', '--disable-proxy', '--reconnection-grace-time', '1'],
    // A process group of its own, so that the whole tree can be ended by its id.
    { env: environment, stdio: ['ignore', output, output], detached: true },
  );
  fs.closeSync(output);
  const stop = async () => {
    await endGroup(child);
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  const deadline = Date.now() + 60_000;
  while (!(await isUp(`http://${authority}/healthz`))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      const text = fs.readFileSync(log, 'utf8');
      await stop();
      throw new Error(`The npm-served editor did not start.\n${text}`);
    }
    await sleep(50);
  }
  return {
    authority,
    log,
    url: (folder, payload = []) =>
      `http://${authority}/?${new URLSearchParams({ folder, ...(payload.length > 0 ? { payload: JSON.stringify(payload) } : {}) }).toString()}`,
    stop,
  };
}

async function endGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-pid, name);
    } catch {
      // The group is gone already.
    }
  };
  signal('SIGTERM');
  const timer = setTimeout(() => signal('SIGKILL'), 5_000);
  await exited;
  clearTimeout(timer);
}
