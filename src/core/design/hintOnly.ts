import type { PastTurn, Policy, Shown, Turn } from '../play/policy';

/** What stands where the observation was. */
const HIDDEN = 'The observation is withheld.';

/**
 * A control: the same agent, which is shown the hint and nothing of the environment. What it wins, it wins by the hint
 * alone: a hint that says the answer pays here as well as it does in play.
 */
export function hintOnlyPolicy(policy: Policy, hint: string): Policy {
  const blind = (shown: Shown, first: boolean): Shown =>
    shown.kind === 'observation' ? { kind: 'observation', text: first ? `${HIDDEN}\n\nHINT: ${hint}` : HIDDEN } : { kind: 'results', results: shown.results.map((result) => ({ ...result, output: HIDDEN })) };
  return {
    ...policy,
    name: `${policy.name}, hint only`,
    move: (turn, signal) => {
      const past = turn.past.map(({ shown, move }, at): PastTurn => ({ shown: blind(shown, at === 0), move }));
      const seen: Turn = {
        ...turn, past, shown: blind(turn.shown, turn.past.length === 0),
        solution: () => Promise.resolve(null), rehearse: () => Promise.resolve(null), otherSolutions: () => Promise.resolve([]),
      };
      return policy.move(seen, signal);
    },
  };
}
