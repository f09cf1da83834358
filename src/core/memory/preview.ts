import { message } from '../../shared/message';
import { EnvwrightError } from '../errors';
import { firstCodePoints } from '../pythonText';
import { readMemory, type MemoryFile } from './readMemory';
import { DEFAULT_CAPACITY, DEFAULT_DRAWS, seedPool, standings, type PromptDraws, type Standing } from './sampling';
import {
  codeWarnings, duplicateWarnings, placeWarnings, provenanceWarnings, skillWarnings, type Provenance, type PushWarning,
} from './warnings';
import { DEFAULT_SNIPPET_CHARS, memoryText, recordText, type NewRecord } from './writeMemory';

/** The run's settings that decide what a push does. */
export interface MemorySettings {
  readonly capacity: number;
  readonly snippetChars: number;
  readonly draws: PromptDraws;
}
export const DEFAULT_SETTINGS: MemorySettings = { capacity: DEFAULT_CAPACITY, snippetChars: DEFAULT_SNIPPET_CHARS, draws: DEFAULT_DRAWS };

/** A record that makes room: it leaves the memory, or the pool that seeds are drawn from. */
export interface Displaced {
  readonly index: number;
  readonly gameFile: string | null;
  readonly from: 'memory' | 'pool';
}

/** What a push would do. `record` is the text that would stand in the file. */
export interface PushPreview {
  readonly record: string;
  readonly snippet: string;
  readonly standing: Standing;
  readonly displaces: readonly Displaced[];
  readonly warnings: readonly PushWarning[];
}

/** Refuses what cannot become a record at all. */
function checkNewRecord(record: NewRecord): void {
  const bad = (what: ReturnType<typeof message>, next: ReturnType<typeof message>): EnvwrightError => new EnvwrightError('push/bad-record', what, next);
  const { actor_win_rate: rate, regret = 0, rollout_id: rollout = 0 } = record;
  if (!(rate >= 0 && rate <= 1)) throw bad(message('A win rate is a share from 0 to 1, not {rate}.', { rate }), message('Give the share of plays with a reward above 0.'));
  if (!Number.isFinite(regret) || Math.abs(regret) > 2) throw bad(message('A regret is a difference of returns, from -2 to 2, not {regret}.', { regret }), message('Give mean return with the hint minus mean return without.'));
  if (!Number.isSafeInteger(rollout) || rollout < 0) throw bad(message('A rollout is a whole number from 0, not {rollout}.', { rollout }), message('Give the number of a rollout.'));
  if (record.code.trim() === '') throw bad(message('{file} is empty.', { file: record.game_file }), message('Choose the file of an environment.'));
  if (record.skill === '') throw bad(message('A record needs a skill.'), message('Give the skill by its display name.'));
}

/** Works out what a push does to a memory; nothing is written. Throws an `EnvwrightError` for what cannot become a record. */
export function previewPush(memory: MemoryFile, record: NewRecord, settings: MemorySettings = DEFAULT_SETTINGS, provenance?: Provenance): PushPreview {
  checkNewRecord(record);
  const { capacity, snippetChars, draws } = settings;
  const before = memory.entries;
  const text = recordText(record, snippetChars);
  const snippet = firstCodePoints(record.code, snippetChars);
  const gone = Math.max(0, before.length + 1 - capacity);
  const after = [...before.slice(gone), ...readMemory(memoryText([text])).entries].map((entry, index) => ({ ...entry, index }));
  const standing = standings(after, capacity, draws).at(-1)!;
  const evicted = before.slice(0, gone);
  const stillInPool = new Set(seedPool(after, record.skill, draws.seeds).map(({ index }) => index + gone));
  const leavesPool = seedPool(before, record.skill, draws.seeds).filter(({ index }) => index >= gone && !stillInPool.has(index));
  const broken = memory.problems.filter(({ severity }) => severity === 'error').length;
  return {
    record: text,
    snippet,
    standing,
    displaces: [
      ...evicted.map(({ index, gameFile }) => ({ index, gameFile, from: 'memory' as const })),
      ...leavesPool.map(({ index, gameFile }) => ({ index, gameFile, from: 'pool' as const })),
    ],
    warnings: [
      ...skillWarnings(record.skill),
      ...placeWarnings(before, record, standing.poolRank, draws),
      ...duplicateWarnings(before, record.game_file, snippet),
      ...codeWarnings(record.code, snippet),
      ...provenanceWarnings(provenance),
      ...(broken > 0 ? [{ id: 'memory-problems', severity: 'warning', message: broken === 1 ? message('The memory holds a fault on which the run would fail. It stays as it is.') : message('The memory holds {broken} faults on which the run would fail. They stay as they are.', { broken }) } as const] : []),
    ],
  };
}
