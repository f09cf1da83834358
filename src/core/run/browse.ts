/** What of a run is shown, and in which order: by a filter, and by what is known of its games. */
import type { Verdict } from '../../shared/findings';
import type { MemoryEntry } from '../memory/readMemory';
import { unhurried } from './breath';
import type { RunGame, RunInventory, RunReject, RunStep } from './inventory';
import { stem } from './paths';

/** Win rate and regret of a game. `plays` null: by the run, which does not say on how many plays they rest. */
export interface GameFigures {
  readonly winRate: number | null;
  readonly regret: number | null;
  readonly plays: number | null;
}

/** What is known of games, by the stem of their files: a game in play and the copy of its step are one. */
export interface GameFacts {
  readonly figures: ReadonlyMap<string, GameFigures>;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

/** `number`: as the run numbers them. `regret`: the highest first, over all steps; games without one last. */
export const GAME_ORDERS = ['number', 'regret'] as const;
export type GameOrder = (typeof GAME_ORDERS)[number];

/** `filter`: words that all must be found in a game's name, skill or verdict, in a reject's name, stage or reason. */
export interface BrowseChoice {
  readonly filter: string;
  readonly order: GameOrder;
}

/** What is left of a run. `steps` is empty when games are ordered over all of them; `hidden` counts games and rejects that the filter leaves out. */
export interface BrowsedRun {
  readonly playing: readonly RunGame[];
  readonly steps: readonly { readonly step: RunStep; readonly games: readonly RunGame[] }[];
  readonly all: readonly RunGame[];
  readonly rejects: readonly RunReject[];
  readonly hidden: number;
}

/** The name by which a game is known in all of its places. */
export function gameKey(file: string): string {
  return stem(file);
}

/** The figures of the games that the memory names; the newest record of a game counts. */
export function figuresOfMemory(entries: readonly MemoryEntry[]): Map<string, GameFigures> {
  const finite = (value: number | null): number | null => (value !== null && Number.isFinite(value) ? value : null);
  return new Map(entries.flatMap(({ gameFile, winRate, regret }) => (gameFile === null ? [] : [[gameKey(gameFile), { winRate: finite(winRate), regret: finite(regret), plays: null }] as const])));
}

/** Chooses and orders what is shown; lets others have their turn meanwhile. Newest steps first. */
export async function browse({ games, rejects, steps }: RunInventory, facts: GameFacts, { filter, order }: BrowseChoice): Promise<BrowsedRun> {
  const words = filter.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const holds = (...texts: (string | null | undefined)[]): boolean => {
    if (words.length === 0) return true;
    const text = texts.join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const kept: RunGame[] = [];
  const byRollout = new Map<number, RunGame[]>();
  const regrets = new Map<RunGame, number>();
  await unhurried(games, (game) => {
    const key = gameKey(game.file);
    if (!holds(key, game.slug.replaceAll('_', ' '), facts.verdicts.get(key) ?? 'unchecked')) return;
    kept.push(game);
    const own = byRollout.get(game.rollout);
    if (own) own.push(game);
    else byRollout.set(game.rollout, [game]);
    const regret = facts.figures.get(key)?.regret ?? null;
    if (regret !== null) regrets.set(game, regret);
  });
  const byRegret = (own: readonly RunGame[]): readonly RunGame[] => {
    if (order !== 'regret') return own;
    const known = own.flatMap((game) => { const regret = regrets.get(game); return regret === undefined ? [] : [{ game, regret }]; });
    return [...known.sort((a, b) => b.regret - a.regret).map(({ game }) => game), ...own.filter((game) => !regrets.has(game))];
  };
  const shownSteps = steps.toReversed().map((step) => ({ step, games: byRollout.get(step.rollout) ?? [] }));
  const keptRejects = rejects.filter(({ file, stage, reason }) => holds(stem(file), stage, reason));
  return {
    playing: byRegret(kept.filter(({ inPlay }) => inPlay)),
    steps: order === 'regret' ? [] : words.length === 0 ? shownSteps : shownSteps.filter((each) => each.games.length > 0),
    all: order === 'regret' ? byRegret(kept.toReversed()) : [],
    rejects: keptRejects,
    hidden: games.length - kept.length + rejects.length - keptRejects.length,
  };
}
