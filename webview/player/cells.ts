import type { ArmName } from '../../src/shared/play';
import type { CellStatus, Slot } from '../../src/shared/webviewProtocol';
import { num } from '../ui/format';
import type { IconName } from '../ui/icons';
import { t } from '../ui/strings';
import { groupOf, type StatusGroup } from './statusGroup';

/** Shape and tone class of a group. */
export const glyphs: Readonly<Record<StatusGroup, readonly [IconName, string]>> = {
  won: ['won', 'ok'], ended: ['ended', ''], truncated: ['truncated', 'warning'], failed: ['failed', 'err'],
  cancelled: ['dropped', 'muted'], running: ['running', 'info'], queued: ['queued', 'muted'],
};

/** Word of a group. */
export function groupWord(group: StatusGroup): string {
  return {
    won: t('won'), ended: t('ended, not won'), truncated: t('truncated'), failed: t('failed'),
    cancelled: t('stopped'), running: t('running'), queued: t('queued'),
  }[group];
}

/** How one episode ended, in words. */
export function statusWord(cell: { status: CellStatus; runReturn: number }): string {
  switch (cell.status) {
    case 'turn-limit': return t('stopped at the turn limit');
    case 'reply-cut': return t('truncated, cut at the token limit');
    case 'context-full': return t('truncated, the context was full');
    case 'step-raised': return t('failed, step() raised');
    case 'step-timeout': return t('failed, step() ran over its time');
    case 'policy-failed': return t('failed, the policy did not answer');
    default: return groupWord(groupOf(cell));
  }
}

/** The name of an arm at the beginning of a line. */
export function armWord(arm: ArmName): string {
  return arm === 'hint' ? t('With hint') : t('No hint');
}

/** The name of an arm within a sentence. */
export function armWordInside(arm: ArmName): string {
  return arm === 'hint' ? t('with hint') : t('no hint');
}

/** `1 step`, `8 steps`. */
export function stepsWord(n: number): string {
  return n === 1 ? t('1 step') : t('{n} steps', { n });
}

/** What hovering over a cell says: seed, arm, status, return, steps. */
export function cellLabel(slot: Slot, arm: ArmName): string {
  const cell = slot[arm];
  const where = slot.seed === null ? t('Play {n}, {arm}', { n: slot.play + 1, arm: armWordInside(arm) }) : t('Seed {seed}, {arm}', { seed: slot.seed, arm: armWordInside(arm) });
  if (!cell) return `${where}: ${t('not played')}`;
  const group = groupOf(cell);
  if (group === 'queued' || group === 'running') return `${where}: ${groupWord(group)}`;
  return `${where}: ${statusWord(cell)}, ${t('return {value}', { value: cell.return === null ? t('not a number') : num(cell.return) })}, ${stepsWord(cell.steps)}`;
}
