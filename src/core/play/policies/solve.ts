import { message } from '../../../shared/message';
import { readGameSolution, readToolSolution } from '../../environment/readingSolution';
import { EnvwrightError } from '../../errors';
import type { Move, Turn } from '../policy';

/**
 * The moves that the environment's own `solution()` stands for. Of several ways to read it, the first that wins on a
 * fresh instance of the same seed is taken, else the likeliest.
 *
 * @throws EnvwrightError `play/no-solution`, `play/solution-is-prose` when there is nothing that can be played.
 */
export async function solutionMoves(turn: Turn): Promise<readonly Move[]> {
  const text = await turn.solution();
  if (text === null) {
    throw new EnvwrightError('play/no-solution', message('The environment has no solution() to play.'), message('Choose another policy, or write one.'));
  }
  return turn.setting.toolUse ? toolMoves(text) : gameMoves(text, turn);
}

function toolMoves(text: string): Move[] {
  const reading = readToolSolution(text);
  if (reading.kind !== 'tools') throw prose();
  const calls = reading.calls.map(({ name, arguments: args }, index) => ({ reply: '', calls: [{ id: `call_${index + 1}`, name, arguments: args }] }));
  return [...calls, { reply: `<answer>${reading.answer}</answer>` }];
}

async function gameMoves(text: string, turn: Turn): Promise<Move[]> {
  const reading = readGameSolution(text);
  if (reading.kind !== 'actions') throw prose();
  const { ways } = reading;
  if (ways.length > 1 || reading.prose) {
    for (const way of ways) {
      const value = await turn.rehearse(way);
      if (value === null) break;
      if (value > 0) return movesOf(way);
    }
    if (reading.prose) throw prose();
  }
  return movesOf(ways[0] ?? []);
}

function movesOf(replies: readonly string[]): Move[] {
  return replies.map((reply) => ({ reply }));
}

function prose(): EnvwrightError {
  return new EnvwrightError('play/solution-is-prose', message('The environment’s solution() is an explanation, not a list of actions.'),
    message('Only a model or a person can play by it: choose another policy.'));
}

/** Keeps what is made at the first turn of an episode for its later turns. */
export function perEpisode<T>(make: (turn: Turn) => Promise<T>): (turn: Turn) => Promise<T> {
  const made = new WeakMap<object, Promise<T>>();
  return (turn) => {
    const known = made.get(turn.past) ?? make(turn);
    made.set(turn.past, known);
    return known;
  };
}
