import { z } from 'zod';

/** What plays said of an environment, and how many there were. */
export const Outcome = z.object({
  winRate: z.number().min(0).max(1),
  regret: z.number(),
  plays: z.int().min(1),
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
export const winRateBands = ['not-played', 'too-hard', 'dead-zone-low', 'seed', 'dead-zone-high', 'too-easy'] as const;
export type WinRateBand = (typeof winRateBands)[number];

/** The band of an outcome. */
export function winRateBand(outcome: Outcome | null): WinRateBand {
  if (outcome === null) return 'not-played';
  const { winRate } = outcome;
  if (winRate < 0.1) return 'too-hard';
  if (winRate > 0.9) return 'too-easy';
  if (winRate < 0.15) return 'dead-zone-low';
  return winRate > 0.85 ? 'dead-zone-high' : 'seed';
}

/** How many environments a set holds of each value, and what it lacks. */
export interface Coverage {
  readonly bySkill: ReadonlyMap<string, number>;
  readonly byDifficulty: ReadonlyMap<string, number>;
  readonly byKind: ReadonlyMap<string, number>;
  readonly byBand: ReadonlyMap<WinRateBand, number>;
  /** Skill and difficulty pairs, of the wanted ones, that no environment has. */
  readonly holes: readonly { readonly skill: string; readonly difficulty: string }[];
}

const difficulties = ['easy', 'medium', 'hard'] as const;

/** Coverage of a curriculum against the skills a run trains on. */
export function coverageOf({ entries }: Curriculum, skills: readonly string[]): Coverage {
  const tally = <K>(keys: Iterable<K>, initial: Iterable<K>) => {
    const counts = new Map<K, number>([...initial].map((key) => [key, 0]));
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  const filled = new Set(entries.map(({ skill, difficulty }) => `${difficulty ?? ''} ${skill}`));
  return {
    bySkill: tally(entries.map(({ skill }) => skill), skills),
    byDifficulty: tally(entries.map(({ difficulty }) => difficulty ?? 'unknown'), difficulties),
    byKind: tally(entries.map(({ kind }) => kind ?? 'unknown'), []),
    byBand: tally(entries.map(({ outcome }) => winRateBand(outcome)), winRateBands),
    holes: skills.flatMap((skill) => difficulties.filter((difficulty) => !filled.has(`${difficulty} ${skill}`)).map((difficulty) => ({ skill, difficulty }))),
  };
}
