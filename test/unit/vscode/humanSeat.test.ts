import { describe, expect, it } from 'vitest';
import type { Turn } from '../../../src/core/play/policy';
import { HumanSeat } from '../../../src/vscode/play/humanSeat';

const turn: Turn = {
  setting: { arm: 'hint', seed: 3, play: 1, toolUse: true, tools: [{ function: { name: 'look', parameters: {} } }] }, past: [{ shown: { kind: 'observation', text: 'o' }, move: { reply: 'r' } }],
  shown: { kind: 'observation', text: 'See.' }, solution: () => Promise.resolve(null), rehearse: () => Promise.resolve(null), otherSolutions: () => Promise.resolve([]),
  emit: () => undefined, waiting: () => undefined,
};
const never = new AbortController().signal;

describe('the seat of a person who plays', () => {
  it('holds the turn that waits, and passes the move on', async () => {
    const seat = new HumanSeat();
    const moved = seat.ask(turn, never);
    expect(seat.turn).toMatchObject({ arm: 'hint', seed: 3, play: 1, step: 2, toolUse: true, tools: [{ name: 'look' }] });
    seat.move({ kind: 'reply', text: '\\boxed{1}' });
    expect(await moved).toEqual({ reply: '\\boxed{1}' });
    expect(seat.turn).toBeNull();
  });

  it('passes a call on as a native one, and an end as no further move', async () => {
    const seat = new HumanSeat();
    const called = seat.ask(turn, never);
    seat.move({ kind: 'call', name: 'look', arguments: { n: 1 } });
    expect(await called).toEqual({ reply: '', calls: [{ id: 'call_2', name: 'look', arguments: { n: 1 } }] });
    const ended = seat.ask(turn, never);
    seat.move({ kind: 'end' });
    expect(await ended).toBeNull();
  });

  it('is empty after a stop, and refuses a move that nobody waits for', async () => {
    const seat = new HumanSeat();
    const stopper = new AbortController();
    const moved = seat.ask(turn, stopper.signal);
    stopper.abort();
    await expect(moved).rejects.toMatchObject({ name: 'AbortError' });
    expect(seat.turn).toBeNull();
    expect(() => seat.move({ kind: 'end' })).toThrow(/not your turn/);
    await expect(seat.ask(turn, stopper.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
