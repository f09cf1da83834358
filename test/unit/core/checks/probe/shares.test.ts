import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EpisodeFact } from '../../../../../src/core/checks/probe/facts';
import type { Job } from '../../../../../src/core/checks/probe/plan';
import { apart } from '../../../../../src/core/checks/probe/shares';

const nothing = { snapshot: null, solution: null, solutionError: null, criteria: null };
const flag = (value: boolean): object => ({ type: 'bool', repr: value ? 'True' : 'False', number: Number(value), json: value });

/** What round 1 saw of a file whose calls all take so long, and whose episodes end with their first step or never. */
function known(ms: number, ends = false): Parameters<typeof apart>[0] {
  const turn = { move: { kind: 'step', action: 'a' }, step: { ms, terminated: flag(ends), truncated: flag(false) }, tool: null, criteria: null };
  const episode = {
    spec: { purpose: 'seed', seed: 0, moves: [turn.move, turn.move, turn.move] }, load: null, maxTurns: null, reset: { ms }, atReset: nothing, turns: [turn],
    atEnd: nothing, earlier: null, company: null, failure: null,
  } as unknown as EpisodeFact;
  return { episodes: [episode], load: { importMs: ms, constructMs: ms } as never, file: {} as never };
}

const openings = (count: number): Job => ({ kind: 'openings', specs: [{ purpose: 'guess', seed: 0, actions: Array.from({ length: count }, (_, at) => `${at}`) }] });
const episode = (turns: number): Job => ({ kind: 'episodes', specs: [{ purpose: 'listed', seed: 0, moves: Array.from({ length: turns }, () => ({ kind: 'step', action: 'a' })) }] });
const movable = (job: Job): boolean => job.kind === 'openings';

describe('the share of a second session', () => {
  it('is nothing where calls take no time, since to begin takes longer', () => {
    expect(apart(known(0.001), [episode(3), openings(20), openings(20)], movable).size).toBe(0);
  });

  it('is about half of what the calls take, of jobs that may be moved only', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 4, maxLength: 20 }), fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 10 }), (guesses, others) => {
      const jobs = [...others.map(episode), ...guesses.map(openings)];
      const moved = apart(known(2), jobs, movable);
      for (const at of moved) expect(movable(jobs[at]!)).toBe(true);
      // Milliseconds: two calls an opening, one a turn and one a reset, and the load of each run.
      const cost = (job: Job): number => 4.2 + (job.kind === 'openings' ? job.specs[0]!.actions.length * 4 : job.specs[0]!.moves.length * 2 + 2);
      const sum = (some: readonly Job[]): number => some.reduce((total, job) => total + cost(job), 0);
      const [stays, goes] = [sum(jobs.filter((_, at) => !moved.has(at))), sum(jobs.filter((_, at) => moved.has(at)))];
      const largest = Math.max(...jobs.filter(movable).map(cost));
      expect(goes).toBeLessThanOrEqual(stays + largest);
      if (sum(jobs.filter((job) => !movable(job))) < goes) expect(stays).toBeLessThanOrEqual(goes + largest + 6);
    }));
  });

  it('counts only the turns that an episode has: one that ends at once costs no more however many moves are planned', () => {
    const jobs = [episode(60), openings(5), openings(5)];
    expect(apart(known(2, false), jobs, movable).size).toBe(2);
    expect(apart(known(2, true), jobs, movable).size).toBe(1);
  });
});
