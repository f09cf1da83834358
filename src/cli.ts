import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { EnvwrightError } from './core/errors';
import type { Logger } from './core/ports';
import { version } from '../package.json';
import { auditCommand } from './node/cli/audit';
import { checkCommand } from './node/cli/check';
import type { CliContext, Command } from './node/cli/context';
import { corpusCommand } from './node/cli/corpus';
import { curriculumCommand } from './node/cli/curriculum';
import { designCommand } from './node/cli/design';
import { doctorCommand } from './node/cli/doctor';
import { runCli } from './node/cli/main';
import { memoryCommand } from './node/cli/memory';
import { playCommand } from './node/cli/play';
import { readCommand } from './node/cli/read';
import { runCommand } from './node/cli/run';
import { scoreCommand } from './node/cli/score';
import { terminalSafe } from './node/cli/terminal';
import { systemClock } from './node/clock';
import { promptFiles } from './node/design/promptFiles';
import { NodeFileStore } from './node/files/nodeFileStore';
import { formatMessage } from './shared/message';

const COMMANDS: readonly Command[] = [
  checkCommand, auditCommand, playCommand, scoreCommand, readCommand, designCommand, corpusCommand, memoryCommand, runCommand, curriculumCommand, doctorCommand,
];

const warn = (line: string): void => void process.stderr.write(`${terminalSafe(line)}\n`);
const logger: Logger = { info: () => undefined, warn, error: (line, error) => warn(error instanceof Error ? `${line} ${error.message}` : line) };

/** A yes or no from the terminal; no where there is none. */
async function confirmAtTerminal(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await asking.question(`${terminalSafe(question)} [y/N] `, { signal })).trim());
  } finally {
    asking.close();
  }
}

/** Joins core and Node; each part is loaded when a command first needs it. */
function contextOf(signal: AbortSignal): CliContext {
  const assetsDir = __dirname;
  const media = join(assetsDir, '..', 'media');
  return {
    cwd: process.cwd(),
    version,
    env: process.env,
    signal,
    clock: systemClock,
    files: new NodeFileStore(),
    stdin: () => text(process.stdin),
    confirm: (question) => confirmAtTerminal(question, signal),
    stdout: (words) => void process.stdout.write(words),
    stderr: (words) => void process.stderr.write(words),
    newId: randomUUID,
    parser: async () => (await import('./node/checks/parser')).createPythonParser(assetsDir),
    checks: async () => new (await import('./node/checks/checkThread')).CheckThread({ assetsDir, workerScript: join(assetsDir, 'workers', 'check.worker.js') }),
    sandbox: async (choice, python, bounds) => (await import('./node/sandbox/provider')).createSandboxProvider({ ...bounds, choice, pythonPath: python ?? null, assetsDir, logger }),
    model: async (choice) => (await import('./node/models/openaiClient')).createModelClient(choice),
    offlineModel: async () => {
      const [{ offlineSamples }, { readSamples }] = await Promise.all([import('./core/design/offlineSamples'), import('./node/design/sampleFiles')]);
      return offlineSamples(() => readSamples(media), systemClock);
    },
    templates: promptFiles(media),
    pythonFolder: join(assetsDir, 'python'),
    interpreter: async (python) => {
      const { findInterpreter } = await import('./node/python/interpreter');
      try {
        const { path, version } = await findInterpreter({ trusted: false, ...(python === undefined ? {} : { setting: python }) }, signal);
        return [{ name: 'interpreter', ok: true, detail: `Python ${version} at ${path}`, next: null }];
      } catch (error) {
        if (!(error instanceof EnvwrightError)) throw error;
        return [{ name: 'interpreter', ok: false, detail: formatMessage(error.what), next: formatMessage(error.next) }];
      }
    },
    installWheels: async (python, report) => {
      const [{ installEmbeddedWheels }, { findInterpreter }, { defaultCacheDir }] = await Promise.all([
        import('./node/sandbox/pyodide/wheels'), import('./node/python/interpreter'), import('./node/sandbox/cacheDir'),
      ]);
      const found = await findInterpreter({ trusted: false, ...(python === undefined ? {} : { setting: python }) }, signal).catch(() => null);
      await installEmbeddedWheels({ cacheDir: defaultCacheDir(), python: found?.path ?? null, onProgress: report }, signal);
    },
    testEndpoint: async (choice) => (await import('./node/models/connection')).testConnection(choice, signal),
  };
}

async function main(): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  // Whoever reads the output may stop reading, like `head` does: that is no defect.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', (error: NodeJS.ErrnoException) => { if (error.code !== 'EPIPE') throw error; });
  process.exitCode = await runCli(process.argv.slice(2), COMMANDS, contextOf(stop.signal));
}

void main();
