import type { SessionEnd, SessionLimits } from '../../core/ports';
import { DEFAULT_BOUNDS } from '../../core/sandboxBounds';
import type { SettingKey } from '../../shared/settings';

/** Bounds that a session has unless it is opened with others. */
export const DEFAULT_LIMITS: SessionLimits = DEFAULT_BOUNDS.limits;

/** The setting behind each bound that can end a session, as a `SessionEnd` names it. */
export const LIMIT_SETTINGS = {
  call: 'sandbox.callSeconds',
  load: 'sandbox.loadSeconds',
  cpu: 'sandbox.cpuSeconds',
  memory: 'sandbox.memoryMegabytes',
  output: 'sandbox.outputMegabytes',
} as const satisfies Record<string, SettingKey>;

/** A session's end without a limit to blame. */
export function plainEnd(reason: 'closed' | 'killed' | 'crashed' | 'host-died', detail: string): SessionEnd {
  return { reason, limit: null, detail };
}
