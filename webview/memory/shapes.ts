import type { MemoryClass } from '../../src/shared/memory';
import type { MemoryRowView } from '../../src/shared/webviewMemory';
import type { IconName } from '../ui/icons';
import { num } from '../ui/format';
import { t } from '../ui/strings';

/** The shape and tone of a record; the word is always beside it. */
export function shapeOf({ class: kind, inPool }: Pick<MemoryRowView, 'class' | 'inPool'>): readonly [IconName, string] {
  switch (kind) {
    case 'seed': return inPool ? ['won', 'ok'] : ['ended', 'tx'];
    case 'too-easy': return ['tooEasy', 'info'];
    case 'too-hard': return ['tooHard', 'info'];
    case 'dead-zone': return ['deadZone', 'muted'];
  }
}

/** The use of a record, in words. */
export function classWord(kind: MemoryClass): string {
  return { seed: t('seed'), 'too-easy': t('too easy'), 'too-hard': t('too hard'), 'dead-zone': t('dead zone') }[kind];
}

/** A chance for people: never a false 0 or 100. */
export function chance(share: number): string {
  if (share === 0) return '0';
  if (share > 0.99 && share < 1) return t('> 99 %');
  if (share < 0.01) return t('< 1 %');
  return t('{n} %', { n: Math.round(share * 100) });
}

/** A figure, or a dash where there is none. */
export function figure(value: number | null): string {
  return value === null ? '\u2013' : num(value);
}

/** In how many regenerations something leaves. */
export function inRegenerations(count: number | null): string {
  return count === null ? '\u2013' : t('in {n}', { n: count });
}

/** Rank among the seeds of the skill. */
export function rankWords({ rank, ranked }: Pick<MemoryRowView, 'rank' | 'ranked'>): string {
  return rank === null ? '\u2013' : t('{rank} of {all}', { rank, all: ranked });
}

/** What the next prompt makes of a record, and what those until it is evicted do. */
export function drawnWords({ class: kind, odds, oddsByEviction }: Pick<MemoryRowView, 'class' | 'odds' | 'oddsByEviction'>): readonly [string, string] {
  if (odds > 0) return [chance(odds), chance(oddsByEviction)];
  return kind === 'dead-zone' ? [t('never'), t('never')] : ['0', '\u2013'];
}
