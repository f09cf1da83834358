import type { Clock, FileStore } from '../../core/ports';
import type { LaunchSources } from '../../core/run/launchSources';
import { readLauncher } from './launchReader';
import { listProcesses } from './processes';
import { listRayJobs } from './rayJobs';

/** The places of this machine, and of the clusters it reaches, where launch flags can be read. */
export function nodeLaunchSources(files: FileStore, clock: Clock): LaunchSources {
  return {
    script: (path) => readLauncher(files, path, clock.now()),
    processes: () => listProcesses(clock.now()),
    rayJobs: (address, signal) => listRayJobs(address, clock.now(), signal),
  };
}
