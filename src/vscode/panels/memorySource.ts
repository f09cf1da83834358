import { EnvwrightError } from '../../core/errors';
import type { RunInventory } from '../../core/run/inventory';
import { DEFAULT_CAPACITY } from '../../core/memory/sampling';
import { readMemory, type MemoryFile } from '../../core/memory/readMemory';
import type { RunMemory } from '../../core/run/push';
import type { FileStore } from '../../core/ports';
import { message, type Message } from '../../shared/message';
import type { MemoryState } from '../../shared/webviewMemory';
import type { RunSettings } from '../../core/run/runSettings';
import { runPace } from '../../core/run/pace';
import { memoryState, runName } from './memoryState';

/** What the memory view shows now, with the file it is read from. */
export interface MemorySnapshot {
  readonly state: MemoryState;
  readonly file: MemoryFile | null;
  readonly text: string;
}

const MINUTE = 60_000;

/** How long ago something was, in words. */
function ageOf(ms: number): Message {
  const minutes = Math.max(0, Math.round(ms / MINUTE));
  if (minutes < 1) return message('written just now');
  if (minutes < 120) return message('written {n} min ago', { n: minutes });
  const hours = Math.round(minutes / 60);
  return hours < 48 ? message('written {n} h ago', { n: hours }) : message('written {n} days ago', { n: Math.round(hours / 24) });
}

/** Reads a linked run's memory and what decides its fate. A file that cannot be read is a state, not a failure. */
export async function memorySnapshot(memory: RunMemory, steps: RunInventory['steps'], files: FileStore, settings: RunSettings | null, nowMs: number): Promise<MemorySnapshot> {
  const { run, store, link } = memory;
  const [heartbeat, liveness] = [await link.heartbeat(), await memory.liveness()];
  const written = await files.stat(run.memoryFile);
  const text = (await store.read()) ?? '';
  let file: MemoryFile | null = null;
  let unreadable: MemoryState['unreadable'] = null;
  try {
    if (written) file = readMemory(text);
  } catch (error) {
    if (!(error instanceof EnvwrightError)) throw error;
    const line = error.what.args['line'];
    unreadable = { what: error.what, next: error.next, line: typeof line === 'number' ? line : null, backup: (await store.newestBackup()) !== null };
  }
  const state = memoryState({
    run: runName(run.dir), path: run.memoryFile, file, liveness: { state: liveness.state, why: liveness.why }, pace: runPace({ steps }, heartbeat, settings), unreadable,
    notUsed: settings?.memory.used === false ? settings.memory.why[0] ?? null : null, capacity: settings?.capacity ?? DEFAULT_CAPACITY, age: written ? ageOf(nowMs - written.modifiedMs) : null,
  });
  return { state, file, text };
}
