/** Questions that planning and judging ask of the facts. */
import { fromJsonNumber } from '../../../shared/json';
import type { StepResult, WireValue } from '../../../shared/hostProtocol';
import { readGameSolution, readToolSolution, type SolutionReading } from '../../environment/readingSolution';
import { derived } from './derived';
import { optionGroups } from './options';
import type { EpisodeFact, EpisodeSpec, Move, ProbeFacts, Purpose, TurnFact } from './facts';

/** Seeds that are probed in full: those of the loader (42, 123) and of the reset gate (0, 1, 2) are among them. */
export const SEEDS: readonly number[] = [0, 1, 2, 3, 7, 11, 42, 123];
/** Seeds whose observations and solutions make up the domain, {@link SEEDS} included: 32. */
export const DOMAIN_SEEDS: readonly number[] = [...SEEDS, ...Array.from({ length: 30 }, (_, seed) => seed).filter((seed) => !SEEDS.includes(seed))].slice(0, 32);
/** The most turns that the launchers allow an episode (run contract §2.3). */
export const BUDGET = 25;

/** A step with one action. */
export const step = (action: string): Move => ({ kind: 'step', action });
/** A step for each action. */
export const steps = (actions: readonly string[]): Move[] => actions.map(step);

function byPurpose(episodes: readonly EpisodeFact[]): ReadonlyMap<Purpose, readonly EpisodeFact[]> {
  return derived(episodes, 'by purpose', () => {
    const found = new Map<Purpose, EpisodeFact[]>();
    for (const episode of episodes) {
      const list = found.get(episode.spec.purpose);
      if (list) list.push(episode);
      else found.set(episode.spec.purpose, [episode]);
    }
    return found;
  });
}

/** The first value that an episode of a fresh reset gives for each seed. */
function firstBySeed<T>(episodes: readonly EpisodeFact[], name: string, valueOf: (episode: EpisodeFact) => T | null): ReadonlyMap<number | null, T> {
  return derived(episodes, name, () => {
    const found = new Map<number | null, T>();
    for (const episode of of({ episodes }, 'seed')) {
      const value = found.has(episode.spec.seed) ? null : valueOf(episode);
      if (value !== null) found.set(episode.spec.seed, value);
    }
    return found;
  });
}

/** Episodes of these purposes, in the order in which they were played. */
export function of(facts: Pick<ProbeFacts, 'episodes'>, ...purposes: Purpose[]): readonly EpisodeFact[] {
  const [only, ...more] = purposes;
  if (only !== undefined && more.length === 0) return byPurpose(facts.episodes).get(only) ?? [];
  return facts.episodes.filter(({ spec }) => purposes.includes(spec.purpose));
}

/** The number a reward stands for; null when it is none. */
export function rewardOf(result: StepResult | null | undefined): number | null {
  const number = result?.reward.number;
  return number === undefined ? null : fromJsonNumber(number);
}

/** Truth of a flag, as the run's wrapper reads it. */
export function flag(value: WireValue): boolean {
  if (value.json !== undefined) return Boolean(value.json);
  return value.number !== undefined && fromJsonNumber(value.number) !== 0;
}

/** The last turn of an episode; undefined when it has none. */
export const lastTurn = (episode: EpisodeFact): TurnFact | undefined => episode.turns.at(-1);
/** Whether a turn was a step that ended the episode. */
export function hasEnded(turn: TurnFact | undefined): boolean {
  const made = turn?.step ?? null;
  return made !== null && (flag(made.terminated) || flag(made.truncated));
}

/** Whether an episode's last step ended it with a reward above 0, however the end is flagged. */
export function paysAtEnd(episode: EpisodeFact): boolean {
  const last = lastTurn(episode);
  return hasEnded(last) && (rewardOf(last?.step) ?? 0) > 0;
}

/** Whether the run books an episode as won: its last step terminated it with a reward above 0 (run contract §4). */
export function wins(episode: EpisodeFact): boolean {
  const last = lastTurn(episode)?.step ?? null;
  return last !== null && flag(last.terminated) && (rewardOf(last) ?? 0) > 0;
}

/** The actions of an episode as text, tool calls as they would be written. */
export function actionsOf(spec: EpisodeSpec, upTo = spec.moves.length): string[] {
  return spec.moves.slice(0, upTo).map((move) => (move.kind === 'step' ? move.action : `${move.name}(${JSON.stringify(move.arguments)})`));
}

/** The observation of a seed's fresh reset; null when it has none. */
export function observationOf(facts: Pick<ProbeFacts, 'episodes'>, seed: number): string | null {
  return firstBySeed(facts.episodes, 'observations', ({ reset }) => reset?.observation.text ?? null).get(seed) ?? null;
}

/** The lists of options that a seed's first observation offers. */
export function optionGroupsOf(facts: Pick<ProbeFacts, 'episodes'>, seed: number): readonly (readonly string[])[] {
  return derived(facts.episodes, `options ${seed}`, () => optionGroups(observationOf(facts, seed) ?? ''));
}

/** The text of `solution()` after a fresh reset with a seed; null when there is none, or it raised, or is no text or number. */
export function solutionOf(facts: Pick<ProbeFacts, 'episodes'>, seed: number): string | null {
  const found = firstBySeed(facts.episodes, 'solutions', ({ atReset }) => atReset.solution).get(seed);
  if (found === undefined || found.value.type === 'NoneType') return null;
  return found.text.text.trim() === '' ? null : found.text.text;
}

/** The solution of a seed as moves; null when there is no text. */
export function readingOf(facts: Pick<ProbeFacts, 'episodes' | 'load'>, seed: number): SolutionReading | null {
  const text = solutionOf(facts, seed);
  if (text === null) return null;
  return facts.load?.toolUse ? derived(facts.episodes, `tool solution ${seed}`, () => readToolSolution(text)) : derived(facts.episodes, `solution ${seed}`, () => readGameSolution(text));
}

/** The ways to play a solution, the likeliest first; empty for prose that is no tool steps. */
export function waysOf(reading: SolutionReading | null): Move[][] {
  if (reading === null || reading.kind === 'prose') return [];
  if (reading.kind === 'actions') return reading.ways.map((way) => steps(way));
  return [[...reading.calls.map((call): Move => ({ kind: 'tool', name: call.name, arguments: call.arguments })), step(`<answer>${reading.answer}</answer>`)]];
}

/** The way of playing the solution that wins on a seed: the first that the run books as won, else that pays at its end; null when none does. */
export function winningWay(facts: ProbeFacts, seed: number): EpisodeFact | null {
  const played = of(facts, 'solution').filter(({ spec }) => spec.seed === seed);
  return played.find(wins) ?? played.find(paysAtEnd) ?? null;
}

/** The reward of winning, the highest seen with the solution; null when the solution was not seen to win. */
export function winReward(facts: ProbeFacts): number | null {
  const rewards = SEEDS.flatMap((seed) => {
    const won = winningWay(facts, seed);
    return won === null ? [] : [rewardOf(lastTurn(won)?.step) ?? 0];
  });
  return rewards.length === 0 ? null : Math.max(...rewards);
}

/** Other seeds' answers that are wrong for a seed, the seed's own left out whatever its case; neutral nonsense when there are none. */
export function wrongAnswers(facts: Pick<ProbeFacts, 'episodes' | 'load'>, seed: number, count: number): readonly string[] {
  return derived(facts.episodes, `wrong answers ${seed}`, () => allWrongAnswers(facts, seed)).slice(0, count);
}

function allWrongAnswers(facts: Pick<ProbeFacts, 'episodes' | 'load'>, seed: number): readonly string[] {
  const normal = (text: string): string => text.trim().toLowerCase();
  const own = normal(solutionOf(facts, seed) ?? '');
  const others = DOMAIN_SEEDS.flatMap((other) => {
    const text = solutionOf(facts, other);
    return text === null || normal(text) === own || own.includes(normal(text)) || normal(text).includes(own) ? [] : [text.trim()];
  });
  const distinct = [...new Set(others)].filter((text) => !text.includes('\n') && text.length <= 200);
  return [...distinct, 'zzz', '-1'];
}

/** The two values as short texts for evidence. */
export function shown(text: string, limit = 400): string {
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** Deterministic numbers in [0, 1) for choices that a check makes. */
export function* choices(seed: number): Generator<number, never> {
  let state = (seed * 2654435761 + 1) >>> 0;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}
