import { RAY_ADDRESS } from '../../core/run/launchSources';
import type { RunSourcesDocument } from '../../shared/cliDocuments';
import { listProcesses } from '../run/processes';
import { listRayJobs } from '../run/rayJobs';
import { Args } from './args';
import { EXIT, type Command } from './context';
import { Output, table } from './output';

type Source = RunSourcesDocument['sources'][number];

const text = ({ sources }: RunSourcesDocument): string => (sources.length === 0
  ? 'None was started with flags of a run.'
  : table(sources.map(({ id, status, backend, cacheDir, flags }) => [id, status, backend ?? '–', cacheDir ?? '–', Object.keys(flags).length === 1 ? '1 flag' : `${Object.keys(flags).length} flags`])));

/** Processes of this user that could be a run, for `--pid`. */
export const processesAction: Command['run'] = async (argv, context) => {
  const args = Args.parse(argv, {}, context.cwd);
  const found = await listProcesses(context.clock.now());
  const sources = found.map(({ pid, launch }): Source => ({
    id: String(pid), status: 'RUNNING', backend: launch.backend, cacheDir: launch.flags['spade-cache-dir']?.values[0] ?? null, flags: launch.flags,
  }));
  new Output(context, args).answer({ sources }, () => text({ sources }));
  return EXIT.fine;
};

/** Jobs of a Ray cluster that could be a run, for `--ray` and `--job`. */
export const jobsAction: Command['run'] = async (argv, context) => {
  const args = Args.parse(argv, { ray: { type: 'string' } }, context.cwd);
  const jobs = await listRayJobs(args.text('ray') ?? RAY_ADDRESS, context.clock.now(), context.signal);
  const sources = jobs.map(({ id, status, launch }): Source => ({
    id, status, backend: launch.backend, cacheDir: launch.flags['spade-cache-dir']?.values[0] ?? null, flags: launch.flags,
  }));
  new Output(context, args).answer({ sources }, () => text({ sources }));
  return EXIT.fine;
};
