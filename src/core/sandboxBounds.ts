/** The bounds of sessions, as the settings name them: declared there once, read from an editor's settings or a command's flags. */
import { settings, type SettingKey, type SettingValue } from '../shared/settings';
import type { SessionLimits } from './ports';

/** The settings that bound sessions. */
export const BOUND_SETTINGS = [
  'sandbox.callSeconds', 'sandbox.loadSeconds', 'sandbox.importSeconds', 'sandbox.cpuSeconds', 'sandbox.memoryMegabytes', 'sandbox.outputMegabytes',
  'sandbox.observationCharacters', 'sandbox.sessions',
] as const satisfies readonly SettingKey[];
export type BoundSetting = (typeof BOUND_SETTINGS)[number];

/** Bounds of each session, and how many there may be at once; an `open` beyond that waits. */
export interface SandboxBounds {
  readonly limits: SessionLimits;
  readonly maxSessions: number;
}

const MEGABYTE = 1024 * 1024;

/** The bounds that `read` gives for each of {@link BOUND_SETTINGS}, in the units of {@link SessionLimits}. */
export function sandboxBounds(read: <K extends BoundSetting>(key: K) => SettingValue<K>): SandboxBounds {
  return {
    limits: {
      callMs: read('sandbox.callSeconds') * 1000,
      loadMs: read('sandbox.loadSeconds') * 1000,
      importMs: read('sandbox.importSeconds') * 1000,
      cpuSeconds: read('sandbox.cpuSeconds'),
      memoryBytes: read('sandbox.memoryMegabytes') * MEGABYTE,
      outputBytes: read('sandbox.outputMegabytes') * MEGABYTE,
      observationChars: read('sandbox.observationCharacters'),
    },
    maxSessions: read('sandbox.sessions'),
  };
}

/** What holds where nobody has set anything. */
export const DEFAULT_BOUNDS = sandboxBounds(<K extends BoundSetting>(key: K) => settings[key].default as SettingValue<K>);
