/** How the jobs of a round are divided between two sessions that play at once. */
import { median } from '../../collections';
import type { Known } from './battery';
import type { EpisodeSpec } from './facts';
import type { Job } from './plan';
import { hasEnded, lastTurn, of } from './query';

/** Milliseconds that a second session takes to begin: it compiles and imports the file for itself. */
const BEGIN_MS = 3;
/** Milliseconds that a run takes besides the calls of the file, and a snapshot. */
const RUN_MS = 0.2;
const SNAPSHOT_MS = 0.1;

/** What calls of the file take, milliseconds at the median, and how many turns an episode has at most, as round 1 saw it. */
interface Pace {
  readonly load: number;
  readonly reset: number;
  readonly step: number;
  readonly turns: number;
}

function paceOf(known: Known): Pace {
  const played = of(known, 'seed');
  const begun = played.filter(({ spec, reset }) => reset !== null && spec.moves.length > 0);
  return {
    load: (known.load?.importMs ?? 0) + (known.load?.constructMs ?? 0),
    reset: median(played.flatMap(({ reset }) => (reset === null ? [] : [reset.ms]))) ?? 0,
    step: median(played.flatMap(({ turns }) => turns.flatMap(({ step }) => (step === null ? [] : [step.ms])))) ?? 0,
    turns: begun.length > 0 && begun.every((episode) => hasEnded(lastTurn(episode))) ? Math.max(...begun.map(({ turns }) => turns.length)) : Infinity,
  };
}

function costOfEpisode({ moves, resets = 1, snapshots, pastEnd, companySeed }: EpisodeSpec, { reset, step, turns }: Pace): number {
  const made = pastEnd === true ? moves.length : Math.min(moves.length, turns);
  return reset * (resets + (companySeed === undefined ? 0 : 1)) + step * made + (snapshots === true ? SNAPSHOT_MS : 0);
}

/** About how long a job takes, milliseconds. */
function costOf(job: Job, pace: Pace): number {
  const calls = job.kind === 'openings'
    ? job.specs.reduce((sum, { actions }) => sum + actions.length * (pace.reset + pace.step), 0)
    : job.specs.reduce((sum, spec) => sum + costOfEpisode(spec, pace), 0);
  return RUN_MS + pace.load + calls;
}

/**
 * Places of the jobs that a second session should play, so that both are done at about the same time; none where one session is done sooner.
 * Only a hint: what comes of a job does not depend on who plays it.
 */
export function apart(known: Known, jobs: readonly Job[], movable: (job: Job) => boolean): ReadonlySet<number> {
  const pace = paceOf(known);
  const costs = jobs.map((job) => costOf(job, pace));
  const places = jobs.flatMap((job, at) => (movable(job) ? [at] : [])).sort((a, b) => costs[b]! - costs[a]!);
  const moved = new Set<number>();
  let stays = costs.reduce((sum, cost) => sum + cost, 0);
  let goes = BEGIN_MS;
  for (const at of places) {
    if (Math.max(stays - costs[at]!, goes + costs[at]!) >= stays) continue;
    stays -= costs[at]!;
    goes += costs[at]!;
    moved.add(at);
  }
  return moved;
}
