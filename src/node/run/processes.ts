import { open, readdir, stat } from 'node:fs/promises';
import { EnvwrightError } from '../../core/errors';
import { flagsOfArguments } from '../../core/run/launchFlags';
import type { RunProcess } from '../../core/run/launchSources';
import type { Launch } from '../../shared/launch';
import { message } from '../../shared/message';

/** Longest command line that is read, in bytes. */
const LONGEST = 1 << 20;

/** The processes of this user that look like a run, by their number; empty where the system shows none. */
export async function listProcesses(nowMs: number): Promise<RunProcess[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => pid !== process.pid);
  const found: RunProcess[] = [];
  for (const pid of pids) {
    const launch = await launchOf(pid, nowMs).catch(() => null);
    if (launch) found.push({ pid, launch });
  }
  return found;
}

/** The kept flags of one process of this user. @throws EnvwrightError `run/no-such-process`, `run/no-flags`. */
export async function readProcess(pid: number, nowMs: number): Promise<Launch> {
  let launch: Launch | null;
  try {
    launch = await launchOf(pid, nowMs);
  } catch (error) {
    throw new EnvwrightError(
      'run/no-such-process', message('The command line of process {pid} cannot be read: it is gone, of another user, or this system does not show it.', { pid }),
      message('Choose another process, or give the launcher script instead.'), { cause: error },
    );
  }
  if (launch) return launch;
  throw new EnvwrightError('run/no-flags', message('Process {pid} was not started with flags of a run.', { pid }), message('Choose another process, or give the launcher script instead.'));
}

/** Null when it is no run. Only processes of this user: a command line may hold somebody else's keys. */
async function launchOf(pid: number, nowMs: number): Promise<Launch | null> {
  const folder = `/proc/${pid}`;
  if ((await stat(folder)).uid !== process.getuid?.()) throw new Error('of another user');
  const words = (await readStart(`${folder}/cmdline`)).split('\0');
  const kept = flagsOfArguments(words);
  return kept && { source: 'process', from: `pid ${pid}`, at: nowMs, ...kept };
}

async function readStart(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const bytes = Buffer.alloc(LONGEST);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, LONGEST - length, null);
      length += bytesRead;
      if (bytesRead === 0 || length === LONGEST) return bytes.toString('utf8', 0, length);
    }
  } finally {
    await file.close();
  }
}
