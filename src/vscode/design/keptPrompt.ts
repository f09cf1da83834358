import { z } from 'zod';
import { DIFFICULTIES, KINDS, skillsOf, type DesignKind, type Difficulty } from '../../core/design/skills';
import type { DesignSetup } from '../../core/design/setup';
import { words } from '../../core/pythonText';
import { PromptVariant } from '../../shared/webviewDesign';

/** Documents up to this length, in UTF-16 units, are kept whole. */
const WHOLE = 200_000;

/** One word more than any prompt holds, so that the cut is still marked. */
const MOST_WORDS = Math.max(...Object.values(KINDS).map(({ documentWords }) => documentWords)) + 1;

const Seed = z.int().min(0).max(2 ** 31);
const Count = z.int().min(0).max(10);

/** What the panel of the prompt was left with, in a form that outlives the window. */
export const KeptPrompt = z.object({
  v: z.literal(1),
  setup: z.object({
    kind: z.enum(Object.keys(KINDS) as DesignKind[]),
    skill: z.enum([...new Set((Object.keys(KINDS) as DesignKind[]).flatMap((kind) => skillsOf(kind)))]),
    difficulty: z.enum(Object.keys(DIFFICULTIES) as Difficulty[]),
    themeSeed: Seed,
    document: z.object({ id: z.string(), text: z.string() }).nullable(),
    useDocument: z.boolean(),
    useMemory: z.boolean(),
    drawSeed: Seed,
    draws: z.object({ seeds: Count, negatives: Count }),
    chosen: z.object({ seeds: z.array(z.string()), negative: z.string().nullable() }).nullable(),
    wish: z.string().max(10_000),
  }).refine(({ kind, skill }) => skillsOf(kind).includes(skill)),
  variant: PromptVariant,
  useFeedback: z.boolean(),
  drafts: z.int().min(1).max(64),
  /** Path of the corpus that was open; null for none. */
  corpus: z.string().nullable(),
});
export type KeptPrompt = z.infer<typeof KeptPrompt>;

/** The set-up to keep: a long document as far as a prompt can hold it, which gives the same prompt to the letter. */
export function keptSetup(setup: DesignSetup): KeptPrompt['setup'] {
  const { document, chosen, draws, ...rest } = setup;
  return {
    ...rest,
    draws: { ...draws },
    chosen: chosen && { seeds: [...chosen.seeds], negative: chosen.negative },
    document: document && { id: document.id, text: document.text.length <= WHOLE ? document.text : words(document.text).slice(0, MOST_WORDS).join(' ') },
  };
}
