import { isCommon, isGivenAway } from '../checks/probe/tokens';
import { boxesOf } from '../environment/readingBoxed';
import { isProse, readGameSolution, readToolSolution } from '../environment/readingSolution';
import { openInstance, type PlayedFile } from '../play/instance';
import type { Sandbox } from '../ports';
import { holds, plainText } from './toldValues';

/** Seeds that a hint is tested on. */
const LEAK_SEEDS = Array.from({ length: 16 }, (_, seed) => seed);

/** What of an answer stands in a hint, and on which seeds. `tested` counts the seeds whose answer could be looked for; 0: none could. */
export interface HintLeak {
  readonly values: readonly string[];
  readonly seeds: readonly number[];
  readonly tested: number;
}

/**
 * Looks for values of the instances' answers in a hint, which is one text for all seeds, however they are written: see {@link leakOf}.
 *
 * @throws SandboxError when the environment cannot be run.
 */
export async function findHintLeak(sandbox: Sandbox, file: PlayedFile, hint: string, signal: AbortSignal): Promise<HintLeak> {
  const { session, loaded } = await openInstance(sandbox, file, { maxTurns: 1_000 }, signal);
  const answers: { seed: number; values: string[] }[] = [];
  try {
    for (const seed of loaded.hasSolution ? LEAK_SEEDS : []) {
      await session.reset(seed, signal);
      const { text } = await session.solution(signal);
      answers.push({ seed, values: answerValues(text.text, loaded.toolUse) });
    }
  } finally {
    session.kill();
  }
  return leakOf(hint, answers);
}

/** So few kinds of answer, over many more seeds, are classes that a hint may name: `valid` and `invalid`. */
const MOST_CLASSES = 3;

interface SeedAnswer {
  readonly seed: number;
  readonly values: readonly string[];
}

/**
 * The leak of a hint, given the values of each seed's answer. What is part of the answer on most seeds, or one of a few classes, belongs to the
 * vocabulary of the game, and short and common words say nothing: those count only where the hint says that they are the answer. An answer
 * that is the same on every seed is a leak wherever it stands. Pure.
 */
export function leakOf(hint: string, answers: readonly SeedAnswer[]): HintLeak {
  const testable = answers.filter(({ values }) => values.some((value) => value.trim() !== ''));
  const holders = new Map<string, number>();
  for (const { values } of testable) for (const value of new Set(values)) holders.set(value, (holders.get(value) ?? 0) + 1);
  const single = testable.length >= 4 && testable.every(({ values }) => values.length === 1);
  const constant = single && holders.size === 1;
  const classes = single && holders.size <= MOST_CLASSES && testable.length >= 2 * holders.size;
  const vocabulary = (value: string): boolean => !constant && (classes || (holders.get(value) ?? 0) > testable.length / 2);
  const text = plainText(hint);
  const isTold = (value: string): boolean => value.trim().length > 1 && (isGivenAway(text, plainText(value)) || (!isCommon(value) && !vocabulary(value) && holds(text, value)));
  const told = new Map([...holders.keys()].map((value) => [value, isTold(value)]));
  const found = testable.map(({ seed, values }) => ({ seed, values: values.filter((value) => told.get(value)) })).filter(({ values }) => values.length > 0);
  return { values: [...new Set(found.flatMap(({ values }) => values))], seeds: found.map(({ seed }) => seed), tested: testable.length };
}

/** The values that make an answer: the whole of it, without a label before it, and for tool use every literal of its calls. */
function answerValues(solution: string, toolUse: boolean): string[] {
  if (!toolUse) {
    const reading = readGameSolution(solution);
    if (reading.kind !== 'actions' || isProse(solution)) return [];
    const way = (reading.prose ? reading.ways[1] : undefined) ?? reading.ways[0] ?? [];
    return way.map((action) => (boxesOf(action)[0]?.content ?? action).trim());
  }
  const reading = readToolSolution(solution);
  if (reading.kind !== 'tools') return [];
  return [reading.answer, ...reading.calls.flatMap(({ arguments: args }) => Object.values(args).flatMap(literals))];
}

function literals(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(literals) : [];
}
