import { spawn, type SpawnOptions } from 'node:child_process';

/** Runs a command to its end and gives its exit code; output goes where `stdio` says (default: this process's). */
export function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}

/** Like {@link run}, and rejects unless the exit code is 0. */
export async function runOrThrow(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<void> {
  const code = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with exit code ${code}`);
}

/** True when the command answers `--version`. */
export async function answers(command: string): Promise<boolean> {
  return (await run(command, ['--version'], { stdio: 'ignore' }).catch(() => 1)) === 0;
}
