/** Two sessions of plays side by side: before and after an edit, two models, two hints. */
import { message, type Message } from '../../shared/message';
import type { ArmName, ArmReport, Episode, EpisodeStatus } from '../../shared/play';
import type { Interval } from '../../shared/interval';
import { independentInterval, pairedInterval, type Pair } from '../value/intervals';
import { meanOrZero } from '../value/statistics';
import { countedReturns, FAILED, pairedRegret, summariseArm } from '../value/summary';
import { episodesOf, type SavedEpisode, type SavedSession } from './sessionRecord';

/** The mean return of one arm in both sessions. `difference` is after minus before; `paired` when it is over the same instances. */
export interface ArmComparison {
  readonly arm: ArmName;
  readonly before: ArmReport;
  readonly after: ArmReport;
  readonly difference: { readonly value: number; readonly interval: Interval | null; readonly n: number; readonly paired: boolean } | null;
}

/** An episode that came out otherwise. `flipped`: it was won and is not, or the reverse, or one of them failed. */
export interface EpisodeChange {
  readonly arm: ArmName;
  readonly seed: number | null;
  readonly play: number;
  /** Its place in the later session, from 0. */
  readonly slot: number;
  readonly kind: 'flipped' | 'return' | 'steps';
  readonly before: Pick<Episode, 'status' | 'return'>;
  readonly after: Pick<Episode, 'status' | 'return'>;
  /** The first step (from 1) that differs; null when only the end does. */
  readonly step: number | null;
}

/** What two sessions of one environment say beside each other. */
export interface SessionComparison {
  readonly arms: readonly ArmComparison[];
  readonly regret: { readonly before: ReturnType<typeof pairedRegret>; readonly after: ReturnType<typeof pairedRegret> };
  /** Episodes of the same place in both sessions, and those that came out otherwise, flipped ones first. */
  readonly compared: number;
  readonly changes: readonly EpisodeChange[];
  /** What differs between the sessions beside the plays. */
  readonly differences: readonly Message[];
}

/** Statuses in which whoever played ended the episode: when its actions are played again, they run out there. */
const ENDED_BY_POLICY: ReadonlySet<EpisodeStatus> = new Set(['context-full', 'policy-failed', 'turn-limit']);

/** Compares a session with an earlier one. Where the later is a replay of actions, steps are compared too. */
export function compareSessions(before: SavedSession, after: SavedSession): SessionComparison {
  const sameActions = after.header.origin?.kind === 'replay';
  const earlier = new Map((['noHint', 'hint'] as const).flatMap((arm) => episodesOf(before, arm).map((saved) => [place(saved), saved] as const)));
  const both = (['hint', 'noHint'] as const).flatMap((arm) => episodesOf(after, arm).flatMap((saved) => {
    const partner = earlier.get(place(saved));
    return partner && partner.episode.status !== 'cancelled' && saved.episode.status !== 'cancelled' ? [{ before: partner, after: saved }] : [];
  }));
  const changes = both.flatMap((pair) => changeOf(pair, sameActions) ?? []);
  const order = ['flipped', 'return', 'steps'];
  return {
    arms: (['hint', 'noHint'] as const).flatMap((arm) => armComparison(arm, before, after) ?? []),
    regret: { before: regretOf(before), after: regretOf(after) },
    compared: both.length,
    changes: changes.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)),
    differences: differencesOf(before, after),
  };
}

function place({ ref }: SavedEpisode): string {
  return `${ref.arm} ${ref.seed ?? 'unseeded'} ${ref.play}`;
}

function regretOf(session: SavedSession): ReturnType<typeof pairedRegret> {
  if (session.header.settings.mode !== 'paired') return null;
  return pairedRegret(episodesOf(session, 'hint').map(({ episode }) => episode), episodesOf(session, 'noHint').map(({ episode }) => episode));
}

function armComparison(arm: ArmName, before: SavedSession, after: SavedSession): ArmComparison | null {
  const [old, now] = [episodesOf(before, arm), episodesOf(after, arm)];
  if (old.length === 0 && now.length === 0) return null;
  return {
    arm, before: summariseArm(old.map(({ episode }) => episode)), after: summariseArm(now.map(({ episode }) => episode)), difference: differenceOf(old, now),
  };
}

/** Paired when every counted play of the smaller session has its partner; else of two independent means. */
function differenceOf(before: readonly SavedEpisode[], after: readonly SavedEpisode[]): ArmComparison['difference'] {
  const earlier = new Map(before.filter(({ ref }) => ref.seed !== null).map((saved) => [place(saved), saved.episode.return]));
  const pairs = after.flatMap((saved): Pair[] => {
    const partner = earlier.get(place(saved));
    return typeof partner === 'number' && saved.episode.return !== null ? [{ noHint: partner, hint: saved.episode.return }] : [];
  });
  const [old, now] = [before, after].map((all) => countedReturns(all.map(({ episode }) => episode))) as [number[], number[]];
  if (old.length === 0 || now.length === 0) return null;
  if (pairs.length === Math.min(old.length, now.length)) {
    return { value: meanOrZero(pairs.map(({ hint, noHint }) => hint - noHint)), interval: pairedInterval(pairs), n: pairs.length, paired: true };
  }
  return { value: meanOrZero(now) - meanOrZero(old), interval: independentInterval(now, old), n: Math.min(old.length, now.length), paired: false };
}

function changeOf({ before, after }: { readonly before: SavedEpisode; readonly after: SavedEpisode }, sameActions: boolean): EpisodeChange | null {
  const [old, now] = [before.episode, after.episode];
  const made = (kind: EpisodeChange['kind'], step: number | null): EpisodeChange => ({
    arm: after.ref.arm, seed: after.ref.seed, play: after.ref.play, slot: after.ref.slot, kind, step,
    before: { status: old.status, return: old.return }, after: { status: now.status, return: now.return },
  });
  const step = sameActions ? firstDifference(old, now) : null;
  // The actions that failed to come before are not there now either: that says nothing about the environment.
  const ranOut = sameActions && now.status === 'turn-limit' && ENDED_BY_POLICY.has(old.status);
  if (!ranOut && outcomeOf(old) !== outcomeOf(now)) return made('flipped', step);
  if (!ranOut && (old.return !== now.return || (sameActions && old.status !== now.status))) return made('return', step);
  return step === null ? null : made('steps', step);
}

function outcomeOf({ return: value, status }: Episode): 'won' | 'not-won' | 'failed' | 'no-number' {
  if (FAILED.has(status)) return 'failed';
  return value === null ? 'no-number' : value > 0 ? 'won' : 'not-won';
}

/** The first step, from 1, that paid, ended or answered otherwise. */
function firstDifference(before: Episode, after: Episode): number | null {
  const shown = (episode: Episode, index: number): string => {
    const { reward, terminated, truncated } = episode.steps[index]!;
    return JSON.stringify([reward, terminated, truncated, episode.steps[index + 1]?.observation ?? episode.finalObservation]);
  };
  const shared = Math.min(before.steps.length, after.steps.length);
  for (let index = 0; index < shared; index += 1) if (shown(before, index) !== shown(after, index)) return index + 1;
  return before.steps.length === after.steps.length ? null : shared + 1;
}

function differencesOf({ header: a }: SavedSession, { header: b }: SavedSession): Message[] {
  return [
    a.file === b.file ? null : message('Two files: {before} and {after}.', { before: a.file, after: b.file }),
    a.hash === b.hash ? message('The same text of the file.') : message('The file was edited between them.'),
    a.policy.name === b.policy.name ? null : message('Played by {before}, then by {after}.', { before: a.policy.name, after: b.policy.name }),
    a.settings.hint === b.settings.hint ? null : message('The hints differ.'),
    a.settings.mode === b.settings.mode ? null : message('One is paired, the other as the run plays: their means are not of the same instances.'),
    a.maxTurns === b.maxTurns ? null : message('Turn budgets of {before} and {after}.', { before: a.maxTurns, after: b.maxTurns }),
  ].filter((difference) => difference !== null);
}
