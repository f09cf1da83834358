import { z } from 'zod';
import { MemoryFindingId, type MemoryState } from '../../src/shared/webviewMemory';
import { MemoryClass } from '../../src/shared/memory';
import { firstSkill, SORTS, type Ui } from './model';

/** What a reload finds again, for the same file. */
const Saved = z.object({
  file: z.string(),
  ui: z.object({
    skill: z.string().nullable(), kind: MemoryClass.nullable(), finding: MemoryFindingId.nullable(), query: z.string(), sort: z.enum(SORTS), selected: z.string().nullable(),
  }),
});

/** The view as it was left, or as it opens: at the skill with most records. */
export function restoreUi(saved: unknown, { file, rows }: Pick<MemoryState, 'file' | 'rows'>): Ui {
  const parsed = Saved.safeParse(saved);
  if (parsed.success && parsed.data.file === file) return parsed.data.ui;
  return { skill: firstSkill(rows), kind: null, finding: null, query: '', sort: 'use', selected: null };
}
