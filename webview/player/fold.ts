import type { TranscriptPair } from '../../src/shared/webviewProtocol';

/** A row of the transcripts: a step, or all steps that need no row of their own. Steps count from 1. */
export type RowPlan = { readonly kind: 'step'; readonly step: number } | { readonly kind: 'fold'; readonly from: number; readonly to: number };

/** Fewest steps that are worth folding. */
const FEWEST = 2;

/** The steps after the first that are the same in both columns, before they part; null when there are too few, or it is not known yet. */
export function sameSteps({ hint, noHint, divergence }: Pick<TranscriptPair, 'hint' | 'noHint' | 'divergence'>): { readonly from: number; readonly to: number } | null {
  if (!hint || !noHint || hint.live || noHint.live) return null;
  const end = divergence ? divergence.step - 1 : Math.min(hint.steps.length, noHint.steps.length) - 1;
  return end - 1 >= FEWEST ? { from: 2, to: end } : null;
}

/** The rows of so many steps, with the folded ones in one. */
export function rowsOf(steps: number, fold: { readonly from: number; readonly to: number } | null): RowPlan[] {
  const all = Array.from({ length: steps }, (_, index): RowPlan => ({ kind: 'step', step: index + 1 }));
  return fold ? [...all.slice(0, fold.from - 1), { kind: 'fold', ...fold }, ...all.slice(fold.to)] : all;
}
