import { z } from 'zod';
import { classify } from '../memory/sampling';

/** What plays said of an environment, and how many there were. */
export const Outcome = z.object({
  winRate: z.number().min(0).max(1),
  regret: z.number(),
  /** Null when nobody says: records of a run do not. */
  plays: z.int().min(1).nullable(),
  /** No model took part. */
  simulated: z.boolean(),
});
export type Outcome = z.infer<typeof Outcome>;

/** One environment of a curriculum, by the content it had when it was put in. */
export const CurriculumEntry = z.object({
  file: z.string(),
  contentHash: z.string().regex(/^[0-9a-f]{64}$/),
  skill: z.string(),
  difficulty: z.enum(['easy', 'medium', 'hard']).nullable(),
  kind: z.string().nullable(),
  hint: z.string().nullable(),
  outcome: Outcome.nullable(),
  note: z.string(),
});
export type CurriculumEntry = z.infer<typeof CurriculumEntry>;

/** A named set of accepted environments in the order in which they are to be met; a file in `.envwright/curricula/`. */
export const Curriculum = z.object({ version: z.literal(1), name: z.string().min(1), entries: z.array(CurriculumEntry) });
export type Curriculum = z.infer<typeof Curriculum>;

/** Where a win rate lies for the run's memory (run contract §7), easiest last. */
const winRateBands = ['not-played', 'too-hard', 'dead-zone-low', 'seed', 'dead-zone-high', 'too-easy'] as const;
export type WinRateBand = (typeof winRateBands)[number];

/** The band of a win rate; null stands for one that nobody knows. */
export function winRateBand(winRate: number | null): WinRateBand {
  if (winRate === null) return 'not-played';
  const use = classify(winRate);
  return use === 'dead-zone' ? (winRate < 0.5 ? 'dead-zone-low' : 'dead-zone-high') : use;
}

/** What coverage looks at in one environment; null where it is not known. */
export interface Covered {
  readonly skill: string | null;
  readonly difficulty: string | null;
  readonly kind: string | null;
  readonly winRate: number | null;
}

/** How many environments a set holds of each value, and what it lacks. What is not known counts as `unknown`. */
export interface Coverage {
  readonly total: number;
  readonly bySkill: ReadonlyMap<string, number>;
  readonly byDifficulty: ReadonlyMap<string, number>;
  readonly byKind: ReadonlyMap<string, number>;
  readonly byBand: ReadonlyMap<WinRateBand, number>;
  /** Environments of a skill (as they come) and a difficulty, in the order of `difficulties`. */
  readonly grid: ReadonlyMap<string, readonly number[]>;
  /** Skill and difficulty pairs, of the wanted ones, that no environment has. */
  readonly holes: readonly { readonly skill: string; readonly difficulty: string }[];
}

/** Columns of the grid. */
export const difficulties = ['easy', 'medium', 'hard'] as const;
const UNKNOWN = 'unknown';

/** Coverage of a set against the skills and kinds that a run trains on. */
export function coverageOf(set: readonly Covered[], skills: readonly string[], kinds: readonly string[] = []): Coverage {
  const tally = <K>(keys: Iterable<K>, initial: Iterable<K>) => {
    const counts = new Map<K, number>([...initial].map((key) => [key, 0]));
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  const bySkill = tally(set.map(({ skill }) => skill ?? UNKNOWN), skills);
  const cells = tally(set.map(({ skill, difficulty }) => `${difficulty ?? UNKNOWN} ${skill ?? UNKNOWN}`), []);
  const columns = set.some(({ difficulty }) => difficulty === null) ? [...difficulties, UNKNOWN] : difficulties;
  const grid = new Map([...bySkill.keys()].map((skill) => [skill, columns.map((difficulty) => cells.get(`${difficulty} ${skill}`) ?? 0)]));
  return {
    total: set.length,
    bySkill,
    byDifficulty: tally(set.map(({ difficulty }) => difficulty ?? UNKNOWN), difficulties),
    byKind: tally(set.map(({ kind }) => kind ?? UNKNOWN), kinds),
    byBand: tally(set.map(({ winRate }) => winRateBand(winRate)), winRateBands),
    grid,
    holes: skills.flatMap((skill) => difficulties.filter((difficulty) => !cells.has(`${difficulty} ${skill}`)).map((difficulty) => ({ skill, difficulty }))),
  };
}

/** The grid as a table: its columns, and the counts of each skill. Where no difficulty is known there is one column, `all`. */
export function coverageTable({ grid, bySkill, byDifficulty }: Coverage): { readonly columns: readonly string[]; readonly rows: ReadonlyMap<string, readonly number[]> } {
  if (difficulties.every((difficulty) => byDifficulty.get(difficulty) === 0)) return { columns: ['all'], rows: new Map([...bySkill].map(([skill, count]) => [skill, [count]])) };
  return { columns: byDifficulty.has(UNKNOWN) ? [...difficulties, UNKNOWN] : difficulties, rows: grid };
}

/** What coverage looks at in an entry of a curriculum. */
export function coveredEntry({ skill, difficulty, kind, outcome }: CurriculumEntry): Covered {
  return { skill, difficulty, kind, winRate: outcome?.winRate ?? null };
}
