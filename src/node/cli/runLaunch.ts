import { DEFAULT_SETTINGS, type MemorySettings } from '../../core/memory/preview';
import { launchOfHeartbeat, runSettings, type RunSettings } from '../../core/run/runSettings';
import { LinkFolder } from '../../core/run/linkFolder';
import type { RunFolder } from '../../core/run/runFolder';
import { loadLaunch, storeLaunch } from '../../core/run/storedLaunch';
import type { Launch } from '../../shared/launch';
import { message } from '../../shared/message';
import { jobOfRun, readLauncher } from '../run/launchReader';
import { readProcess } from '../run/processes';
import { listRayJobs } from '../run/rayJobs';
import type { Args } from './args';
import { UsageError, type CliContext } from './context';

/** Where a run's launch flags can be read from. */
export const LAUNCH_OPTIONS = { launcher: { type: 'string' }, pid: { type: 'string' }, ray: { type: 'string' }, job: { type: 'string' } } as const;

async function readLaunch(args: Args, context: CliContext, run: RunFolder): Promise<Launch | null> {
  const [launcher, pid, ray] = [args.path('launcher'), args.integer('pid', 1), args.text('ray')];
  if ([launcher, pid, ray].filter((source) => source !== undefined).length > 1) throw new UsageError(message('Give one of --launcher, --pid and --ray.'));
  const now = context.clock.now();
  if (launcher !== undefined) return readLauncher(context.files, launcher, now);
  if (pid !== undefined) return readProcess(pid, now);
  return ray === undefined ? null : jobOfRun(await listRayJobs(ray, now, context.signal), run, args.text('job')).launch;
}

/**
 * The settings of a run: from the source that the flags name, which is then kept in the workspace; else from the link module of the live
 * run; else as they were kept. Null when nothing is known.
 */
export async function settingsOf(args: Args, context: CliContext, run: RunFolder): Promise<RunSettings | null> {
  const workspace = args.path('workspace') ?? context.cwd;
  const given = await readLaunch(args, context, run);
  if (given) await storeLaunch(context.files, workspace, run.memoryFile, given);
  const heartbeat = given ? null : await new LinkFolder(context.files, context.clock, run.cacheDir).alive();
  const launch = given ?? (heartbeat && launchOfHeartbeat(heartbeat)) ?? (await loadLaunch(context.files, workspace, run.memoryFile));
  return launch && runSettings(launch);
}

/** What decides the place of a record: as the flags of the call say, else the run's. */
export function memorySettings(args: Args, settings: RunSettings | null): MemorySettings {
  return {
    ...DEFAULT_SETTINGS,
    capacity: args.integer('max-size', 1) ?? settings?.capacity ?? DEFAULT_SETTINGS.capacity,
    snippetChars: args.integer('snippet-chars', 1) ?? DEFAULT_SETTINGS.snippetChars,
  };
}
