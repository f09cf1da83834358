import { allOptions } from '../../checks/probe/options';
import { answer, answersIn, FIXED_ANSWERS } from '../../checks/probe/toolBattery';
import { boxed } from '../../environment/readingSolution';
import type { Policy, Turn } from '../policy';
import { shownText } from '../policy';

/** Longest list that is tried one after the other or all at once. */
const MOST = 40;

/** A way to be paid without the skill: what it is called, and its replies. A reply beyond the last is the last again. */
interface Cheat {
  readonly name: string;
  replies(turn: Turn): Promise<readonly string[]>;
}

const first = ({ past, shown }: Turn): string => shownText(past[0]?.shown ?? shown);
const listed = (turn: Turn): string[] => allOptions(first(turn), MOST);
const fixed = (name: string, ...replies: string[]): Cheat => ({ name, replies: () => Promise.resolve(replies) });
const others = async (turn: Turn): Promise<string[]> => [...new Set(await turn.otherSolutions())].filter((text) => text.length <= 60 && !text.includes('\n')).slice(0, MOST);

/** The cheats that the checks try on a game, each one play. */
export const GAME_CHEATS: readonly Cheat[] = [
  fixed('the empty reply', ''),
  fixed('an empty box', '\\boxed{}'),
  fixed('None in a box', '\\boxed{None}'),
  { name: 'the observation in a box', replies: (turn) => Promise.resolve([boxed(first(turn))]) },
  { name: 'all listed options at once', replies: (turn) => Promise.resolve([boxed(listed(turn).join(', '))]) },
  { name: 'all answers of other seeds at once', replies: async (turn) => [boxed((await others(turn)).join(', '))] },
  { name: 'the listed options one after the other', replies: (turn) => Promise.resolve(listed(turn).map((option) => boxed(option))) },
  { name: 'the answers of other seeds one after the other', replies: async (turn) => (await others(turn)).map((text) => boxed(text)) },
];

/** The cheats that the checks try on a tool-use file. */
const TOOL_CHEATS: readonly Cheat[] = [
  ...FIXED_ANSWERS.map((text) => fixed(`the answer ${JSON.stringify(text)}`, answer(text))),
  { name: 'every value of the first observation, one after the other', replies: (turn) => Promise.resolve(answersIn(first(turn)).map(answer)) },
];

/** Plays of a seed after which every cheat was tried. */
export const CHEAT_PLAYS = Math.max(GAME_CHEATS.length, TOOL_CHEATS.length);

/** Plays the cheats of the checks, the next one with every play of a seed. An environment that pays one of them pays for no skill. */
export function cheatPolicy(): Policy {
  return {
    name: 'cheats', simulated: true, usesHint: false,
    note: `Play k of a seed tries cheat k. Games: ${named(GAME_CHEATS)}. Tool use: ${named(TOOL_CHEATS)}.`,
    move: async (turn) => {
      const { toolUse, play } = turn.setting;
      const cheats = toolUse ? TOOL_CHEATS : GAME_CHEATS;
      const replies = await cheats[play % cheats.length]!.replies(turn);
      return { reply: replies[Math.min(turn.past.length, replies.length - 1)] ?? '' };
    },
  };
}

function named(cheats: readonly Cheat[]): string {
  return cheats.map(({ name }, index) => `${index + 1} ${name}`).join(', ');
}
