import type { SessionEnd, SessionLimits } from '../../core/ports';

/** Bounds that a session has unless it is opened with others. */
export const DEFAULT_LIMITS: SessionLimits = {
  callMs: 5_000,
  loadMs: 30_000,
  cpuSeconds: 120,
  memoryBytes: 1024 * 1024 * 1024,
  outputBytes: 4 * 1024 * 1024,
  observationChars: 100_000,
};

/** The setting behind each bound that can end a session, as a `SessionEnd` names it. */
export const LIMIT_SETTINGS = {
  call: 'sandbox.callSeconds',
  load: 'sandbox.loadSeconds',
  cpu: 'sandbox.cpuSeconds',
  memory: 'sandbox.memoryMegabytes',
  output: 'sandbox.outputMegabytes',
} as const;

/** A session's end without a limit to blame. */
export function plainEnd(reason: 'closed' | 'killed' | 'crashed' | 'host-died', detail: string): SessionEnd {
  return { reason, limit: null, detail };
}
