import { checkFile } from '../../src/core/checks/checkFile';
import { NodeFileStore } from '../../src/node/files/nodeFileStore';
import { auditCommand } from '../../src/node/cli/audit';
import { checkCommand } from '../../src/node/cli/check';
import type { CliContext, Command } from '../../src/node/cli/context';
import { corpusCommand } from '../../src/node/cli/corpus';
import { designCommand } from '../../src/node/cli/design';
import { curriculumCommand } from '../../src/node/cli/curriculum';
import { doctorCommand } from '../../src/node/cli/doctor';
import { runCli } from '../../src/node/cli/main';
import { memoryCommand } from '../../src/node/cli/memory';
import { playCommand } from '../../src/node/cli/play';
import { readCommand } from '../../src/node/cli/read';
import { runCommand } from '../../src/node/cli/run';
import { scoreCommand } from '../../src/node/cli/score';
import { SandboxError } from '../../src/core/sandboxError';
import { message } from '../../src/shared/message';
import { pythonParser } from './pythonParser';

const COMMANDS: readonly Command[] = [checkCommand, auditCommand, playCommand, scoreCommand, readCommand, corpusCommand, designCommand, memoryCommand, runCommand, curriculumCommand, doctorCommand];

/** What one command line printed and how it ended. */
export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, in a folder; nothing that would start a process or ask a server is there. */
export async function cli(cwd: string, argv: readonly string[], more: Partial<CliContext> = {}): Promise<CliResult> {
  let [out, err, ids] = ['', '', 0];
  const none = (): never => {
    throw new Error('not in this test');
  };
  const context: CliContext = {
    cwd,
    version: '1.2.3',
    env: {},
    signal: new AbortController().signal,
    clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
    files: new NodeFileStore(),
    stdin: () => Promise.resolve(''),
    confirm: () => Promise.resolve(false),
    stdout: (text) => { out += text; },
    stderr: (text) => { err += text; },
    newId: () => `id${(ids += 1)}`,
    parser: pythonParser,
    checks: async () => {
      const parser = await pythonParser();
      return { check: (input, sandbox, signal) => checkFile({ parser, sandbox }, input, signal), dispose: () => undefined };
    },
    sandbox: () => Promise.resolve({
      get: () => Promise.reject(new SandboxError('sandbox/unavailable', message('No sandbox in this test.'), message('None is needed.'))),
      health: () => Promise.resolve([{ name: 'sandbox', ok: false, detail: 'none', next: null }]),
      dispose: () => undefined,
    }),
    model: none,
    offlineModel: none,
    templates: { template: none, example: none },
    pythonFolder: '/opt/envwright/python',
    interpreter: () => Promise.resolve([]),
    installWheels: none,
    testEndpoint: none,
    ...more,
  };
  const code = await runCli(argv, COMMANDS, context);
  return { code, out, err };
}
