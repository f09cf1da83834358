import { z } from 'zod';
import type { PlayerState } from '../../src/shared/webviewProtocol';
import { initialUi, type UiState } from './model';
import { statusGroups } from './statusGroup';

const Compare = z.object({ arm: z.enum(['hint', 'noHint']), other: z.boolean() });

/** What a reload finds again: whose player it is, and how it stood. */
const Saved = z.object({
  uri: z.string(),
  ui: z.object({
    order: z.enum(['seed', 'gap']),
    slots: z.object({ hint: z.int().nullable(), noHint: z.int().nullable() }),
    compare: Compare.nullable().default(null),
    fold: z.boolean().default(true),
    lock: z.boolean().default(true),
    step: z.object({ arm: z.enum(['hint', 'noHint']), step: z.int() }).nullable(),
    filter: z.enum(statusGroups).nullable(),
    bin: z.int().nullable().default(null),
    arm: z.enum(['hint', 'noHint']),
    editHint: z.boolean(),
    query: z.string().nullable(),
  }),
});

/** The view's state of the same file, or a fresh one for what there is to see. */
export function restoreUi(saved: unknown, { uri, slots, comparison }: Pick<PlayerState, 'uri' | 'slots' | 'comparison'>): UiState {
  const parsed = Saved.safeParse(saved);
  // Before the first play the hint is what there is to read.
  return parsed.success && parsed.data.uri === uri ? { ...parsed.data.ui, compare: parsed.data.ui.compare?.other && !comparison ? null : parsed.data.ui.compare } : { ...initialUi, editHint: slots.length === 0 };
}
