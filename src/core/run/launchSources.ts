/** Where a run's launch flags can be read from, besides its link module. */
import type { Launch } from '../../shared/launch';

/** A process of this user that was started with flags of a run. */
export interface RunProcess {
  readonly pid: number;
  readonly launch: Launch;
}

/** A job as the list shows it, without its command line. `startedMs` in milliseconds since 1970. */
export interface RayJob {
  readonly id: string;
  readonly status: string;
  readonly startedMs: number | null;
  readonly launch: Launch;
}

/**
 * Reads launch lines, and gives only the kept flags of them: everything else is dropped before it leaves these calls. Each of them
 * throws an `EnvwrightError` that says what to do next.
 */
export interface LaunchSources {
  script(path: string): Promise<Launch>;
  /** Processes of this user that look like a run; none where the system shows none. */
  processes(): Promise<readonly RunProcess[]>;
  /** Jobs of the Ray cluster at an address, the newest first; changes nothing there. */
  rayJobs(address: string, signal?: AbortSignal): Promise<readonly RayJob[]>;
}

/** Where launchers start Ray's dashboard (run contract §8). */
export const RAY_ADDRESS = 'http://127.0.0.1:8265';
