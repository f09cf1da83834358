import { SIMULATED_LEARNER, type Move, type Policy, type Turn } from '../policy';
import { seededRandom } from '../random';
import { perEpisode, solutionMoves } from './solve';

/** Chances of the simulated learner, each in [0, 1], and where its chance comes from. */
export interface SimulatedLearnerOptions {
  readonly chance: number;
  readonly chanceWithHint: number;
  readonly seed: number;
  /** Called before each piece of a streamed reply: the pace to write at. */
  readonly pace?: (signal: AbortSignal) => Promise<void>;
}

const SAYS = 'Simulated learner, not a model. ';

/**
 * Plays the environment's own solution with a known chance, and otherwise a wrong answer to the end. It is no model and
 * says so in every reply; its use is to see the whole path work, and to test the statistics against a known truth.
 */
export function simulatedLearner(options: SimulatedLearnerOptions): Policy {
  const plan = perEpisode((turn) => (succeeds(options, turn) ? solutionMoves(turn) : Promise.resolve(null)));
  return {
    name: SIMULATED_LEARNER,
    simulated: true,
    usesHint: true,
    note: `The simulated learner is not a model: it plays solution() with chance ${options.chance}, ${options.chanceWithHint} with the hint.`,
    move: async (turn, signal) => {
      const moves = await plan(turn);
      const move = moves ? moves[turn.past.length] : wrong(turn);
      if (!move) return null;
      const said = { ...move, reply: `${SAYS}${move.reply}` };
      await write(said.reply, turn, options, signal);
      return said;
    },
  };
}

function succeeds({ chance, chanceWithHint, seed }: SimulatedLearnerOptions, { setting }: Turn): boolean {
  const { arm, seed: instance, play } = setting;
  return seededRandom(`${seed} ${arm} ${instance} ${play}`)() < (arm === 'hint' ? chanceWithHint : chance);
}

function wrong({ setting }: Turn): Move {
  return { reply: setting.toolUse ? '<answer>no idea</answer>' : '\\boxed{no idea}' };
}

async function write(text: string, turn: Turn, { pace }: SimulatedLearnerOptions, signal: AbortSignal): Promise<void> {
  if (!pace) return turn.emit('text', text);
  for (const piece of text.match(/\S+\s*|\s+/g) ?? []) {
    await pace(signal);
    turn.emit('text', piece);
  }
}
