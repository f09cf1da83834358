/** What a run's launch flags mean for its memory (run contract §7, §9). */
import type { Backend, Launch, LaunchFlag } from '../../shared/launch';
import type { Heartbeat } from '../../shared/link';
import { message, type Message } from '../../shared/message';
import type { PushWarning } from '../memory/warnings';
import { nearestSkill } from '../memory/warnings';
import { flagsOfSettings } from './launchFlags';
import { LINK_FUNCTION } from './linkInstall';

/** The settings that decide what a push does. What the flags do not tell is null. */
export interface RunSettings {
  readonly launch: Launch;
  readonly backend: Backend | null;
  /** Whether the run reads its memory; null when that hangs on something that is not known. `why` says so. */
  readonly memory: { readonly used: boolean | null; readonly why: readonly Message[] };
  /** Rollouts between regenerations. */
  readonly interval: number | null;
  /** Prompts, and so records, of a regeneration. */
  readonly batchSize: number | null;
  /** Display names of the skills that the run designs for. */
  readonly skills: readonly string[] | null;
  readonly skillsPerRegen: number | null;
  readonly capacity: number | null;
  /** True when the rollout function is that of the link module. */
  readonly namesLink: boolean | null;
  /** What could not be told from the flags. */
  readonly open: readonly Message[];
}

/** `${NAME:-4}`: the default counts unless the variable is set. */
const WITH_DEFAULT = /^\$\{\w+:?-([^}]*)\}$/;

function textOf(flag: LaunchFlag | undefined): string | null {
  const value = flag?.values[0];
  return value === undefined ? null : (WITH_DEFAULT.exec(value)?.[1] ?? value);
}

/** The number that a flag gives, also as the default of a shell variable; null when it is none. */
export function flagNumber(flag: LaunchFlag | undefined): number | null {
  const text = textOf(flag);
  return text !== null && /^-?(\d+\.?\d*|\.\d+)(e-?\d+)?$/i.test(text) ? Number(text) : null;
}

function wholeNumber(flag: LaunchFlag | undefined): number | null {
  const text = textOf(flag);
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Reads the settings out of kept flags. */
export function runSettings(launch: Launch): RunSettings {
  const flag = (name: string): LaunchFlag | undefined => launch.flags[name];
  const interval = wholeNumber(flag('spade-game-regeneration-interval'));
  const skills = flag('spade-skills')?.values.flatMap((word) => word.split(',')).filter((word) => word !== '').map((word) => nearestSkill(word) ?? word) ?? null;
  const open = Object.entries(launch.flags).flatMap(([name, { values, notes }]): Message[] => [
    ...(notes.includes('variable') ? [message('--{name} is {value} in the script: its value is only known when it runs.', { name, value: values.join(' ') })] : []),
    ...(notes.includes('conditional') ? [message('--{name} is only given under a condition of the script.', { name })] : []),
    ...(notes.includes('several') ? [message('--{name} is given more than once; the last one counts.', { name })] : []),
  ]);
  return {
    launch, backend: launch.backend, memory: memoryUse(launch, interval), interval,
    batchSize: wholeNumber(flag('rollout-batch-size')),
    skills,
    skillsPerRegen: wholeNumber(flag('spade-skills-per-regen')),
    capacity: wholeNumber(flag('spade-env-memory-max-size')),
    namesLink: flag('rollout-function-path') === undefined ? (launch.source === 'link' ? true : null) : textOf(flag('rollout-function-path')) === LINK_FUNCTION,
    open,
  };
}

function memoryUse({ backend, flags }: Launch, interval: number | null): RunSettings['memory'] {
  const off: Message[] = [];
  const unsure: Message[] = [];
  const use = flags['spade-use-env-memory'];
  const pool = flags['spade-static-game-pool'];
  if (backend === 'tinker') off.push(message('This run uses the Tinker backend, which never reads a memory.'));
  else if (use === undefined) off.push(message('This run does not read its memory (--spade-use-env-memory is off).'));
  else if (use.notes.includes('conditional')) unsure.push(message('The script switches the memory on only under a condition (--spade-use-env-memory).'));
  if (textOf(flags['spade-mode']) === 'fixed_env') off.push(message('This run plays a fixed set of environments (--spade-mode fixed_env) and reads no memory.'));
  if (pool !== undefined && pool.notes.length === 0) off.push(message('This run plays a static pool (--spade-static-game-pool) and reads no memory.'));
  else if (pool !== undefined) unsure.push(message('The script may give a static pool (--spade-static-game-pool); then the run reads no memory.'));
  if (interval === 0) off.push(message('This run never regenerates (an interval of 0) and reads no memory.'));
  return off.length > 0 ? { used: false, why: off } : { used: unsure.length > 0 ? null : true, why: unsure };
}

/** What the link module says of the run's arguments; null when it says nothing. */
export function launchOfHeartbeat({ settings, at, pid }: Heartbeat): Launch | null {
  if (!settings || Object.keys(settings).length === 0) return null;
  return { source: 'link', from: `pid ${pid}`, at: at * 1000, backend: 'slime', flags: flagsOfSettings(settings) };
}

/** Without its flags nobody knows whether the run reads its memory. */
export const UNKNOWN_MEMORY: PushWarning = {
  id: 'memory-unknown', severity: 'info', message: message('Whether this run reads its memory is not known: its launch flags were not read.'),
};

/** What is to be known of the run before a push for a skill. A run that does not read its memory stops it. */
export function settingsWarnings({ memory, skills }: RunSettings, skill: string): PushWarning[] {
  return [
    ...memory.why.map((words): PushWarning => ({ id: 'memory-off', severity: memory.used === false ? 'warning' : 'info', message: words })),
    ...(skills === null || skills.includes(skill) ? [] : [{
      id: 'skill-not-in-run', severity: 'warning', message: message('This run designs for {skills}: no prompt asks for {skill}.', { skills: skills.join(', '), skill }),
    } as const]),
  ];
}

/** A run that has begun its second rollout without a buffer uses none, whatever its flags say. */
export function bufferWarnings({ memorySize, calls = 0, rollout }: Heartbeat): PushWarning[] {
  if (memorySize !== null || calls < 2) return [];
  return [{ id: 'memory-off', severity: 'warning', message: message('The link module finds no memory in the run, in rollout {rollout}: it does not use one.', { rollout }) }];
}
