import { EnvwrightError } from '../../core/errors';
import type { FileStore } from '../../core/ports';
import { flagsOfShell } from '../../core/run/launchFlags';
import type { RayJob } from '../../core/run/launchSources';
import type { RunFolder } from '../../core/run/runFolder';
import type { Launch } from '../../shared/launch';
import { message } from '../../shared/message';

/** A launcher is a script of some hundred lines. In bytes. */
const LARGEST_SCRIPT = 1 << 20;

/** The kept flags of a launcher script. @throws EnvwrightError `run/no-launcher`, `run/no-flags`. */
export async function readLauncher(files: FileStore, path: string, nowMs: number): Promise<Launch> {
  const found = await files.stat(path);
  if (!found || found.folder || found.size > LARGEST_SCRIPT) {
    throw new EnvwrightError('run/no-launcher', message('{path} is no launcher script.', { path }), message('Give the shell script that starts the run.'));
  }
  const kept = flagsOfShell((await files.read(path)) ?? '');
  if (!kept) throw new EnvwrightError('run/no-flags', message('{path} gives no flags of a run.', { path }), message('Give the shell script that starts the run, not one that it calls.'));
  return { source: 'script', from: path, at: nowMs, ...kept };
}

const ENDED: ReadonlySet<string> = new Set(['SUCCEEDED', 'FAILED', 'STOPPED']);

/** The job of a run: the one that was asked for, else the one that names its cache folder, else the only one that runs. @throws EnvwrightError `run/which-job`. */
export function jobOfRun(jobs: readonly RayJob[], run: Pick<RunFolder, 'cacheDir'>, id?: string): RayJob {
  const asked = jobs.filter((job) => job.id === id);
  const named = jobs.filter(({ launch }) => launch.flags['spade-cache-dir']?.values[0]?.replace(/\/+$/, '') === run.cacheDir);
  const running = jobs.filter(({ status }) => !ENDED.has(status));
  const [job] = id !== undefined ? asked : named.length > 0 ? named : running.length === 1 ? running : [];
  if (job) return job;
  throw new EnvwrightError(
    'run/which-job',
    jobs.length === 0 ? message('There is no job of a run.') : message('Which of these jobs is the run is not clear: {jobs}.', { jobs: jobs.map((each) => `${each.id} (${each.status})`).join(', ') }),
    message('Name the job, or give the launcher script instead.'),
  );
}
