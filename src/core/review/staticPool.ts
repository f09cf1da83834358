import { z } from 'zod';
import { message } from '../../shared/message';
import { contentHash } from '../checks/suppression';
import { hashOf } from '../design/provenance';
import { SKILLS } from '../design/skills';
import { EnvwrightError } from '../errors';
import type { Curriculum, CurriculumEntry } from './curriculum';
import { CurriculumEntry as EntrySchema } from './curriculum';

/** Name of the list that lies beside the games of a pool. */
export const POOL_MANIFEST = 'envwright-pool.json';

/** The list of a pool: one line a game, with the SHA-256 of its bytes. */
export const PoolManifest = z.object({
  version: z.literal(1),
  name: z.string(),
  games: z.array(EntrySchema.extend({ game: z.string().regex(/^game_\d{5}_\d{3,}_[a-z0-9_]+\.py$/), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
});
export type PoolManifest = z.infer<typeof PoolManifest>;

/** A skill as file names of the run write it. */
export function skillSlug(skill: string): string {
  return skill.toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '');
}

/** The skill that a file name of the run stands for (run contract §8), by the name that records carry; null for another. */
export function skillOfSlug(slug: string): string | null {
  return SKILLS.find((skill) => skillSlug(skill) === slug) ?? null;
}

/** Name of a game file as the run's folders have it (run contract §8). */
export function gameFileName(rollout: number, index: number, skill: string): string {
  return `game_${String(rollout).padStart(5, '0')}_${String(index).padStart(3, '0')}_${skillSlug(skill)}.py`;
}

/** Files of a pool, by name. */
export type PoolFiles = ReadonlyMap<string, string>;

/**
 * Lays a curriculum out as a static pool of games for a run, in its order. `sources` holds the text of each entry by content
 * hash; an entry whose text is missing or has changed rejects with `review/content-changed`, and nothing is given.
 */
export async function exportPool({ name, entries }: Curriculum, sources: ReadonlyMap<string, string>, rollout = 0): Promise<PoolFiles> {
  const files = new Map<string, string>();
  const games: PoolManifest['games'] = [];
  for (const [index, entry] of entries.entries()) {
    const source = sources.get(entry.contentHash);
    if (source === undefined || (await contentHash(source)) !== entry.contentHash) {
      throw new EnvwrightError(
        'review/content-changed',
        message('{file} is not what was accepted into {name}.', { file: entry.file, name }),
        message('Review the file again, or take it out of the set.'),
      );
    }
    const game = gameFileName(rollout, index, entry.skill);
    files.set(game, source);
    games.push({ ...entry, game, sha256: await hashOf(source) });
  }
  files.set(POOL_MANIFEST, `${JSON.stringify({ version: 1, name, games } satisfies PoolManifest, null, 2)}\n`);
  return files;
}

/** What a pool gave: the entries whose files are whole, and why the others were left out. */
export interface ImportedSet {
  readonly name: string;
  readonly entries: readonly { readonly entry: CurriculumEntry; readonly source: string }[];
  readonly problems: readonly { readonly file: string; readonly why: 'missing' | 'damaged' }[];
}

/** Reads a pool back; a file that is missing or whose sum differs is named and left out, the rest is used. */
export async function importPool(files: PoolFiles): Promise<ImportedSet> {
  const manifest = parseManifest(files.get(POOL_MANIFEST));
  const entries: { entry: CurriculumEntry; source: string }[] = [];
  const problems: { file: string; why: 'missing' | 'damaged' }[] = [];
  for (const { game, sha256: sum, ...entry } of manifest.games) {
    const source = files.get(game);
    if (source === undefined) problems.push({ file: game, why: 'missing' });
    else if ((await hashOf(source)) !== sum || (await contentHash(source)) !== entry.contentHash) problems.push({ file: game, why: 'damaged' });
    else entries.push({ entry, source });
  }
  return { name: manifest.name, entries, problems };
}

function parseManifest(text: string | undefined): PoolManifest {
  try {
    return PoolManifest.parse(JSON.parse(text ?? ''));
  } catch (cause) {
    throw new EnvwrightError(
      'review/not-a-pool',
      message('There is no readable {file} in this folder.', { file: POOL_MANIFEST }),
      message('Choose a folder that Envwright exported, or review the files as a folder.'),
      { cause },
    );
  }
}

/** One environment a line, for other tools: its code, hint and outcome. */
const JsonLine = EntrySchema.extend({ code: z.string() });

/** A curriculum as JSON lines. */
export function exportJsonLines({ entries }: Curriculum, sources: ReadonlyMap<string, string>): string {
  return entries.map((entry) => `${JSON.stringify({ ...entry, code: sources.get(entry.contentHash) ?? '' })}\n`).join('');
}

/** Reads JSON lines back; a line that is torn, or whose code is not what its hash says, is named by number and left out. */
export async function importJsonLines(name: string, text: string): Promise<ImportedSet> {
  const entries: { entry: CurriculumEntry; source: string }[] = [];
  const problems: { file: string; why: 'missing' | 'damaged' }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = JsonLine.safeParse(parseJson(line));
    if (parsed.success && (await contentHash(parsed.data.code)) === parsed.data.contentHash) {
      const { code, ...entry } = parsed.data;
      entries.push({ entry, source: code });
    } else {
      problems.push({ file: `line ${index + 1}`, why: 'damaged' });
    }
  }
  return { name, entries, problems };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
