/** A curriculum as the memory file of a run, and back. */
import { contentHash } from '../checks/suppression';
import { readMemory, type MemoryEntry } from '../memory/readMemory';
import { DEFAULT_SNIPPET_CHARS, memoryText, recordText, type NewRecord } from '../memory/writeMemory';
import { codePoints } from '../pythonText';
import type { Writable } from '../pythonJson';
import { baseName } from '../run/paths';
import { GAME } from '../run/runNames';
import { CurriculumEntry, type Curriculum } from './curriculum';
import { gameFileName, skillOfSlug, type ImportedSet } from './staticPool';

/** What of an entry a record has no key for; it lies in `metadata.envwright`, the one place for provenance (run contract §7). */
const Kept = CurriculumEntry.omit({ skill: true, outcome: true });

/** A memory file, and the entries that cannot be in one: without plays there is no win rate, and the run fails on a missing number. */
export interface MemorySet {
  readonly text: string;
  readonly records: readonly NewRecord[];
  /** Texts of the games that the records name, by file name. */
  readonly games: ReadonlyMap<string, string>;
  readonly notPlayed: readonly CurriculumEntry[];
}

/**
 * Lays the played entries of a curriculum out as a memory file, in their order, so that the last is evicted last.
 * @param pathOf where a game of that name will lie: the record names it.
 */
export function exportMemory({ name, entries }: Curriculum, sources: ReadonlyMap<string, string>, pathOf: (game: string) => string, snippetChars = DEFAULT_SNIPPET_CHARS): MemorySet {
  const games = new Map<string, string>();
  const records: NewRecord[] = [];
  for (const [index, entry] of entries.entries()) {
    const source = sources.get(entry.contentHash);
    if (entry.outcome === null || source === undefined) continue;
    const game = gameFileName(0, index, entry.skill);
    games.set(game, source);
    records.push(recordOf(entry, source, pathOf(game), name));
  }
  return { text: memoryText(records.map((record) => recordText(record, snippetChars))), records, games, notPlayed: entries.filter(({ outcome }) => outcome === null) };
}

/** The record of a played entry. */
export function recordOf({ skill, outcome, ...kept }: CurriculumEntry, source: string, gameFile: string, curriculum: string): NewRecord {
  return {
    game_file: gameFile, skill, code: source, actor_win_rate: outcome?.winRate ?? 0, regret: outcome?.regret ?? 0, rollout_id: 0,
    metadata: { envwright: { curriculum, plays: outcome?.plays ?? null, simulated: outcome?.simulated ?? false, ...kept } satisfies Record<string, Writable> },
  };
}

/**
 * Reads a memory file as a set. The text of a record is that of its game where `sourceOf` finds it, else the snippet when that is not
 * cut; a record whose text is missing, or is not what its digest says, is named and left out.
 */
export async function importMemory(name: string, text: string, sourceOf: (gameFile: string) => Promise<string | undefined>): Promise<ImportedSet> {
  const entries: { entry: CurriculumEntry; source: string }[] = [];
  const problems: { file: string; why: 'missing' | 'damaged' }[] = [];
  for (const record of readMemory(text).entries) {
    const file = record.gameFile === null ? `record ${record.index}` : baseName(record.gameFile);
    const source = (record.gameFile === null ? undefined : await sourceOf(record.gameFile)) ?? wholeSnippet(record);
    const entry = source === undefined ? undefined : await entryOf(record, source);
    if (source === undefined) problems.push({ file, why: 'missing' });
    else if (!entry) problems.push({ file, why: 'damaged' });
    else entries.push({ entry, source });
  }
  return { name, entries, problems };
}

const wholeSnippet = ({ snippet }: MemoryEntry): string | undefined => (snippet !== null && codePoints(snippet) < DEFAULT_SNIPPET_CHARS ? snippet : undefined);

async function entryOf({ skill, gameFile, winRate, regret, metadata }: MemoryEntry, source: string): Promise<CurriculumEntry | undefined> {
  const hash = await contentHash(source);
  const mark = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? (metadata as Record<string, unknown>)['envwright'] : undefined;
  const { plays, simulated } = (typeof mark === 'object' && mark !== null ? mark : {}) as { readonly plays?: unknown; readonly simulated?: unknown };
  const kept = Kept.safeParse(mark).data;
  if (kept && kept.contentHash !== hash) return undefined;
  const slug = GAME.exec(baseName(gameFile ?? ''))?.[3];
  const parsed = CurriculumEntry.safeParse({
    ...(kept ?? { file: gameFile ?? '', contentHash: hash, difficulty: null, kind: null, hint: null, note: '' }),
    skill: skill ?? (slug === undefined ? null : skillOfSlug(slug)),
    outcome: winRate === null ? null : { winRate, regret: regret ?? 0, plays: typeof plays === 'number' && plays >= 1 ? plays : null, simulated: simulated === true },
  });
  return parsed.data;
}
