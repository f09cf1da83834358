import { KINDS, type DesignKind } from '../design/skills';
import type { Profile } from '../../shared/findings';
import { EnvwrightError } from '../errors';
import { readMemory, type MemoryEntry } from '../memory/readMemory';
import type { FileStore } from '../ports';
import { baseName, join, parentOf, stem } from '../run/paths';
import { MEMORY_FILE } from '../run/runFolder';
import { GAME, HINT_END, hintFolders } from '../run/runNames';
import type { Outcome } from './curriculum';
import { POOL_MANIFEST, PoolManifest, skillOfSlug } from './staticPool';

/** What the folders around a file say about it; null where they say nothing. */
export interface FileFacts {
  readonly skill: string | null;
  readonly difficulty: string | null;
  readonly kind: string | null;
  readonly hint: string | null;
  readonly winRate: number | null;
  readonly regret: { readonly value: number; readonly lo: number | null; readonly hi: number | null } | null;
  /** Plays behind the win rate; null when nobody says. */
  readonly plays: number | null;
  /** No model took part in the plays. */
  readonly simulated: boolean;
}

export const NO_FACTS: FileFacts = { skill: null, difficulty: null, kind: null, hint: null, winRate: null, regret: null, plays: null, simulated: false };

const KIND_OF_PROFILE = new Map(Object.values(KINDS).map(({ id, profile }): [Profile, DesignKind] => [profile, id]));

/** The kind of design that makes files of a profile. */
export function kindOf(profile: Profile | null): DesignKind | null {
  return profile === null ? null : (KIND_OF_PROFILE.get(profile) ?? null);
}

/** What is known in one folder: its pool's list, the memory of its run, its hints. */
interface Folder {
  readonly pool: ReadonlyMap<string, PoolManifest['games'][number]>;
  readonly memory: ReadonlyMap<string, MemoryEntry>;
  readonly names: ReadonlySet<string>;
}

/**
 * Looks up files: the list of a pool, the memory of a run by the names of games, hints that lie beside. Folders are read once.
 * A list or memory that cannot be read says nothing, since the files themselves can still be judged.
 */
export class FactsReader {
  private readonly folders = new Map<string, Promise<Folder>>();
  private readonly hints = new Map<string, Promise<ReadonlySet<string>>>();
  private readonly memories = new Map<string, Promise<ReadonlyMap<string, MemoryEntry>>>();

  constructor(private readonly files: FileStore) {}

  async of(file: string): Promise<FileFacts> {
    const folder = parentOf(file);
    const known = this.folders.get(folder) ?? this.folderOf(folder);
    this.folders.set(folder, known);
    const { pool, memory, names } = await known;
    const name = baseName(file);
    const [game, record, slug] = [pool.get(name), memory.get(name), GAME.exec(name)?.[3]];
    const hint = await this.hintOf(file, names);
    return {
      skill: game?.skill ?? record?.skill ?? (slug === undefined ? null : skillOfSlug(slug)),
      difficulty: game?.difficulty ?? null,
      kind: game?.kind ?? null,
      hint: game?.hint ?? hint,
      ...(game?.outcome ? outcomeFacts(game.outcome) : recordFacts(record)),
    };
  }

  /** @param beside names of what lies in the file's folder. */
  private async hintOf(file: string, beside: ReadonlySet<string>): Promise<string | null> {
    const name = `${stem(baseName(file))}${HINT_END}`;
    const [own, ...others] = hintFolders(file);
    for (const folder of [own!, ...others]) {
      const there = folder === own ? beside : await this.hintsIn(folder);
      if (there.has(name)) return (await this.files.read(join(folder, name)).catch(() => undefined))?.trim() ?? null;
    }
    return null;
  }

  private hintsIn(folder: string): Promise<ReadonlySet<string>> {
    const known = this.hints.get(folder) ?? this.files.list(folder).then((entries) => new Set(entries?.map(({ name }) => name)));
    this.hints.set(folder, known);
    return known;
  }

  private async folderOf(folder: string): Promise<Folder> {
    const names = new Set(((await this.files.list(folder)) ?? []).map(({ name }) => name));
    const cache = `${parentOf(folder)}/${baseName(folder)}_cache`;
    const places = [folder, parentOf(folder), cache, join(parentOf(folder), 'spade_games_cache')];
    const found = await Promise.all(places.map((place) => this.memoryAt(join(place, MEMORY_FILE))));
    return { names, memory: found.find(({ size }) => size > 0) ?? new Map(), pool: names.has(POOL_MANIFEST) ? await this.poolAt(join(folder, POOL_MANIFEST)) : new Map() };
  }

  private memoryAt(path: string): Promise<ReadonlyMap<string, MemoryEntry>> {
    const known = this.memories.get(path) ?? this.readMemoryAt(path);
    this.memories.set(path, known);
    return known;
  }

  private async readMemoryAt(path: string): Promise<ReadonlyMap<string, MemoryEntry>> {
    try {
      const text = await this.files.read(path);
      const entries = text === undefined ? [] : readMemory(text).entries;
      return new Map(entries.flatMap((entry): [string, MemoryEntry][] => (entry.gameFile === null ? [] : [[baseName(entry.gameFile), entry]])));
    } catch (error) {
      if (!(error instanceof EnvwrightError)) throw error;
      return new Map();
    }
  }

  private async poolAt(path: string): Promise<Folder['pool']> {
    try {
      return new Map(PoolManifest.parse(JSON.parse((await this.files.read(path)) ?? '')).games.map((game) => [game.game, game]));
    } catch {
      return new Map();
    }
  }
}

/** Facts about plays. */
type PlayFacts = Pick<FileFacts, 'winRate' | 'regret' | 'plays' | 'simulated'>;

function outcomeFacts({ winRate, regret, plays, simulated }: Outcome): PlayFacts {
  return { winRate, regret: { value: regret, lo: null, hi: null }, plays, simulated };
}

/** The outcome that the folders around a file tell; null where they tell no win rate. */
export function rememberedOutcome({ winRate, regret, plays, simulated }: PlayFacts): Outcome | null {
  return winRate === null ? null : { winRate, regret: regret?.value ?? 0, plays, simulated };
}

/** Figures of a record. Those of the run do not say how many plays they rest on; ours do, with the interval. */
function recordFacts(record: MemoryEntry | undefined): PlayFacts {
  const mark = member(record?.metadata, 'envwright');
  const [plays, interval] = [member(mark, 'plays'), member(member(mark, 'interval'), 'regret')];
  const [lo = null, hi = null] = Array.isArray(interval) ? interval.map((end) => (typeof end === 'number' ? end : null)) : [];
  const finite = (value: number | null | undefined): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
  const value = finite(record?.regret);
  return { winRate: finite(record?.winRate), regret: value === null ? null : { value, lo, hi }, plays: typeof plays === 'number' && plays >= 1 ? plays : null, simulated: member(mark, 'simulated') === true };
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>)[key] : undefined;
}
