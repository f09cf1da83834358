import { indexOfToken, isCommon } from '../checks/probe/tokens';
import { boxesOf } from '../environment/readingBoxed';
import { readGameSolution, readToolSolution } from '../environment/readingSolution';
import { openInstance, type PlayedFile } from '../play/instance';
import type { Sandbox } from '../ports';

/** Seeds that a hint is tested on. */
export const LEAK_SEEDS = Array.from({ length: 16 }, (_, seed) => seed);

/** What of an answer stands in a hint, and on which seeds. `tested` 0: there was no solution to test with. */
export interface HintLeak {
  readonly values: readonly string[];
  readonly seeds: readonly number[];
  readonly tested: number;
}

/**
 * Looks for values of the instances' answers in a hint, which is one text for all seeds. What is part of the answer on most
 * seeds belongs to the vocabulary of the game and is no leak; neither are short and common words.
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

/** The leak of a hint, given the values of each seed's answer. Pure. */
export function leakOf(hint: string, answers: readonly { readonly seed: number; readonly values: readonly string[] }[]): HintLeak {
  const holders = new Map<string, number>();
  for (const { values } of answers) for (const value of new Set(values)) holders.set(value, (holders.get(value) ?? 0) + 1);
  const told = (value: string) => !isCommon(value) && (holders.get(value) ?? 0) <= answers.length / 2 && indexOfToken(hint, value) >= 0;
  const found = answers.map(({ seed, values }) => ({ seed, values: values.filter(told) })).filter(({ values }) => values.length > 0);
  return { values: [...new Set(found.flatMap(({ values }) => values))], seeds: found.map(({ seed }) => seed), tested: answers.length };
}

/** The values that make an answer: the whole of it, and for tool use every literal of its calls. */
function answerValues(solution: string, toolUse: boolean): string[] {
  if (!toolUse) {
    const reading = readGameSolution(solution);
    if (reading.kind !== 'actions' || reading.prose) return [];
    return (reading.ways[0] ?? []).map((action) => (boxesOf(action)[0]?.content ?? action).trim());
  }
  const reading = readToolSolution(solution);
  if (reading.kind !== 'tools') return [];
  return [reading.answer, ...reading.calls.flatMap(({ arguments: args }) => Object.values(args).flatMap(literals))];
}

function literals(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(literals) : [];
}
