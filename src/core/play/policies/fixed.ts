import type { Move, PastTurn, Policy, Turn } from '../policy';
import { perEpisode, solutionMoves } from './solve';

/** Plays the environment's own `solution()`. */
export function oraclePolicy(): Policy {
  const plan = perEpisode(solutionMoves);
  return {
    name: 'oracle', simulated: true, usesHint: false,
    note: 'The oracle plays the environment’s own solution(); a hint changes nothing.',
    move: async (turn) => (await plan(turn))[turn.past.length] ?? null,
  };
}

/** An action of a script: a reply, or a move with native calls, as a saved episode holds it. */
export type ScriptedMove = string | Move;

const SOLUTION = '<solution()>';

/** Plays saved actions; `<solution()>` in a text becomes the environment's solution at that moment. */
export function scriptPolicy(actions: readonly ScriptedMove[]): Policy {
  return {
    name: 'script', simulated: true, usesHint: false,
    note: 'A script plays the same actions with and without a hint.',
    move: async (turn) => {
      const action = actions[turn.past.length];
      if (action === undefined) return null;
      const move = typeof action === 'string' ? { reply: action } : action;
      if (!move.reply.includes(SOLUTION)) return move;
      return { ...move, reply: move.reply.replaceAll(SOLUTION, (await turn.solution()) ?? '') };
    },
  };
}

/** Says nothing at every turn. */
export function noopPolicy(): Policy {
  return {
    name: 'noop', simulated: true, usesHint: false,
    note: 'Doing nothing is the same with and without a hint.',
    move: () => Promise.resolve({ reply: '' }),
  };
}

/** Asks a person; null from them ends the episode. */
export function humanPolicy(ask: (turn: Turn, signal: AbortSignal) => Promise<Move | null>): Policy {
  return { name: 'human', simulated: true, usesHint: true, note: null, move: ask };
}

/** Lets `then` play on from step `at` (from 0) of what `first` plays. */
export function takeOver(first: Policy, at: number, then: Policy): Policy {
  return {
    name: `${first.name}, then ${then.name}`,
    simulated: first.simulated || then.simulated,
    usesHint: first.usesHint || then.usesHint,
    note: then.note ?? first.note,
    move: (turn, signal) => (turn.past.length < at ? first : then).move(turn, signal),
  };
}

/** The moves of a saved episode, to be played again by {@link scriptPolicy}. */
export function movesOfEpisode(steps: readonly { readonly reply: string; readonly thinking: string; readonly calls: PastTurn['move']['calls'] }[]): Move[] {
  return steps.map(({ reply, thinking, calls }) => ({ reply, thinking, ...(calls?.length && !reply.includes('<tool_call>') ? { calls } : {}) }));
}
