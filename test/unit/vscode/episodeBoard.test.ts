import { describe, expect, it } from 'vitest';
import type { EpisodeRef, PlayEvent } from '../../../src/core/play/events';
import type { ArmName, Episode, EpisodeStep } from '../../../src/shared/play';
import { message } from '../../../src/shared/message';
import { EpisodeBoard } from '../../../src/vscode/play/episodeBoard';
import { outcomeInEpisode, outcomeOf } from '../../../src/core/play/trained';

const step = (more: Partial<EpisodeStep> = {}): EpisodeStep => ({
  observation: 'See.', reply: '\\boxed{1}', thinking: '', action: '\\boxed{1}', calls: [], reward: 1, terminated: true, truncated: false, notices: [], ...more,
});
const episode = (seed: number, value: number | null, more: Partial<Episode> = {}): Episode => ({
  seed, steps: [step()], finalObservation: 'Done.', return: value, runReturn: value ?? 1, status: 'terminated', error: null, ...more,
});
const ref = (arm: ArmName, slot: number): EpisodeRef => ({ arm, slot, seed: slot, play: 0 });
const detail = { ms: 3, tokens: 7, trace: null };
const places = [{ seed: 0, play: 0 }, { seed: 1, play: 0 }];
const board = () => new EpisodeBoard({ noHint: places, hint: places, hintText: 'Look left.', isPaired: true });

function played(on: EpisodeBoard, arm: ArmName, slot: number, steps: EpisodeStep[], value: number | null): void {
  const events: PlayEvent[] = [
    { type: 'started', ref: ref(arm, slot), attempt: 0 },
    ...steps.flatMap((done, index): PlayEvent[] => [
      { type: 'shown', ref: ref(arm, slot), step: index, observation: done.observation },
      { type: 'step', ref: ref(arm, slot), step: index, done, detail },
    ]),
    { type: 'ended', ref: ref(arm, slot), episode: episode(slot, value, { steps }) },
  ];
  for (const event of events) on.apply(event);
}

describe('the board of a set of plays', () => {
  it('starts with every planned episode queued, and gives no gap before both plays of a seed are over', () => {
    const on = board();
    expect(on.slots().map(({ hint, noHint, gap }) => [hint?.status, noHint?.status, gap])).toEqual([['queued', 'queued', null], ['queued', 'queued', null]]);
    played(on, 'hint', 0, [step()], 1);
    expect(on.slots()[0]?.gap).toBeNull();
    played(on, 'noHint', 0, [step({ reward: 0 })], 0);
    expect(on.slots()[0]?.gap).toBe(1);
  });

  it('gives no gap where a return is not a number', () => {
    const on = board();
    played(on, 'hint', 0, [step({ reward: 'NaN' })], null);
    played(on, 'noHint', 0, [step()], 1);
    expect(on.slots()[0]?.gap).toBeNull();
  });

  it('shows the text of a step while it comes, and the step once it is made', () => {
    const on = board();
    on.apply({ type: 'started', ref: ref('hint', 0), attempt: 0 });
    expect(on.apply({ type: 'shown', ref: ref('hint', 0), step: 0, observation: 'See.' })).toMatchObject({ kind: 'begin', step: 1 });
    on.apply({ type: 'reasoning', ref: ref('hint', 0), step: 0, text: 'Hm' });
    on.apply({ type: 'text', ref: ref('hint', 0), step: 0, text: '\\box' });
    expect(on.pair({ hint: 0, noHint: null }).hint?.live).toMatchObject({ step: 1, thinking: 'Hm', reply: '\\box' });
    on.apply({ type: 'step', ref: ref('hint', 0), step: 0, done: step(), detail });
    expect(on.pair({ hint: 0, noHint: null }).hint).toMatchObject({ live: null, steps: [{ step: 1, tokens: 7 }] });
  });

  it('finds where the arms part, leaving the hint in the first observation out', () => {
    const on = board();
    played(on, 'hint', 0, [step({ observation: 'See.\n\nHINT: Look left.', terminated: false, reward: 0 }), step({ action: 'left' })], 1);
    played(on, 'noHint', 0, [step({ terminated: false, reward: 0 }), step({ action: 'right' })], 0);
    expect(on.pair({ hint: 0, noHint: 0 }).divergence).toEqual({ step: 2, part: 'reply' });
  });

  it('forgets the first attempt of an episode that is tried again', () => {
    const on = board();
    played(on, 'noHint', 1, [step()], 1);
    on.apply({ type: 'started', ref: ref('noHint', 1), attempt: 1 });
    expect(on.slots()[1]?.noHint).toMatchObject({ status: 'running', steps: 0 });
    expect(on.ended('noHint')).toEqual([]);
  });
});

describe('two episodes of one arm', () => {
  it('stand side by side, named by their seeds', () => {
    const on = board();
    played(on, 'hint', 0, [step()], 1);
    played(on, 'hint', 1, [step({ action: 'other', reward: 0 })], 0);
    const pair = on.pair({ hint: 0, noHint: 1 }, { arm: 'hint', other: false });
    expect([pair.hint?.return, pair.noHint?.return, pair.titles?.hint, pair.titles?.noHint, pair.divergence]).toEqual([
      1, 0, message('Seed {seed}, with hint', { seed: 0 }), message('Seed {seed}, with hint', { seed: 1 }), { step: 1, part: 'reply' },
    ]);
  });

  it('may come from two sessions', () => {
    const [earlier, now] = [board(), board()];
    played(earlier, 'noHint', 1, [step()], 1);
    played(now, 'noHint', 1, [step({ reward: 0 })], 0);
    const pair = now.pair({ hint: 1, noHint: 1 }, { arm: 'noHint', other: true }, earlier);
    expect([pair.hint?.return, pair.noHint?.return, pair.titles?.hint.template]).toEqual([1, 0, 'Earlier session, no hint']);
    expect(now.slotOf('noHint', 1, 0)).toBe(1);
    expect(now.slotOf('noHint', 9, 0)).toBeNull();
  });
});

describe('what the run makes of a reward', () => {
  it.each([
    [{ reward: 0.4, terminated: false }, { kind: 'not-terminal', value: null }],
    [{ reward: 1, terminated: false, truncated: true }, { kind: 'lost-truncated', value: null }],
    [{ reward: 2.18, terminated: true }, { kind: 'clipped', value: 1 }],
    [{ reward: -1, terminated: true }, { kind: 'trains', value: -1 }],
    [{ reward: 'NaN' as const, terminated: true }, { kind: 'nan-wins', value: 1 }],
    [{ reward: null, terminated: false }, { kind: 'tool-call', value: null }],
  ])('%o is %o', (given, expected) => {
    expect(outcomeOf(step(given))).toEqual(expected);
  });

  it('counts a failed play with the hint as 0 and drops one without', () => {
    const last = step({ terminated: false });
    expect(outcomeInEpisode(last, true, { status: 'policy-failed' }, 'hint')).toEqual({ kind: 'failed-counts-zero', value: 0 });
    expect(outcomeInEpisode(last, true, { status: 'policy-failed' }, 'noHint')).toEqual({ kind: 'failed-dropped', value: null });
  });
});
