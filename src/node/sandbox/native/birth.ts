import type { SessionLimits } from '../../../core/ports';
import type { HostGreeting } from '../../../shared/hostProtocol';
import type { Channel } from '../channel';

/** A session that has greeted and has not been asked anything. */
export interface Birth {
  readonly channel: Channel;
  readonly greeting: HostGreeting;
  /** False once the process that bore it is gone. */
  readonly alive: () => boolean;
}

/** True when a session born under `a` may serve under `b`: the bounds that its process was given are the same. */
export function sameAtBirth(a: SessionLimits, b: SessionLimits): boolean {
  return a.memoryBytes === b.memoryBytes && a.cpuSeconds === b.cpuSeconds && a.observationChars === b.observationChars;
}
