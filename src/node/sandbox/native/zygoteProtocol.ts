import { z } from 'zod';

/** What a session is told at its birth, as the first frame on its connection. */
export interface SessionHeader {
  readonly session: string;
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
  readonly observationChars: number;
  /** True for one that is kept ready: it has time to make what it shares with the process that bore it its own. */
  readonly waits: boolean;
}

/** What the zygote is started with, as JSON on its command line. */
export interface ZygoteConfig {
  readonly socket: string;
  readonly emptyFolder: string;
  /** The interpreter as the user named it: a virtual environment is known by what lies beside it. */
  readonly executable: string;
  readonly preload: readonly string[];
  /** True when namespaces and the file system have been taken care of around the process. */
  readonly outerWall: boolean;
  /** True where a profile of macOS around the process takes the place of every layer of Linux. */
  readonly seatbelt: boolean;
}

/** How one session's process ended. `signal` is 0 when it exited by itself, with `code`. */
export const ZygoteExit = z.object({
  exit: z.string(), signal: z.int(), code: z.int(), cpuSeconds: z.number(), peakBytes: z.number(), note: z.string().optional(),
});
export type ZygoteExit = z.infer<typeof ZygoteExit>;

/** The zygote is contained and preloaded. `problems` are packages that are installed and could not be imported. */
export const ZygoteReady = z.object({
  python: z.string(), layers: z.array(z.string()), packages: z.record(z.string(), z.string().nullable()), problems: z.array(z.string()), baseBytes: z.number(),
});
export type ZygoteReady = z.infer<typeof ZygoteReady>;

/** A line of the zygote's standard output. */
export const ZygoteLine = z.union([
  ZygoteExit,
  z.object({ ready: ZygoteReady }),
  /** Nothing was started; the layer that is missing, or `start`. */
  z.object({ failed: z.object({ layer: z.string(), message: z.string() }) }),
]);
export type ZygoteLine = z.infer<typeof ZygoteLine>;
