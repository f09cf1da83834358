/** The probes of round 2 for tool-use files. */
import type { EpisodeSpec, Move, ProbeFacts } from './facts';
import type { Job, OpeningsSpec } from './plan';
import { observationOf, readingOf, SEEDS, step, waysOf } from './query';

type Known = Pick<ProbeFacts, 'episodes' | 'load'>;

/** Answers that a file whose expected answer is unset, or constant, may accept. */
export const FIXED_ANSWERS: readonly string[] = ['None', '', ' ', 'done', 'yes', 'true', 'success', 'completed', '0', '1'];
const MOST_TOKENS = 30;

/** What an agent could copy out of the first observation: numbers, quoted texts, names. */
export function answersIn(observation: string): string[] {
  const quoted = [...observation.matchAll(/'([^'\n]{1,60})'|"([^"\n]{1,60})"/g)].map(([, single, double]) => single ?? double ?? '');
  const tokens = observation.match(/\$?\d[\d.,]*\d|\d|\b[A-Z]{1,6}-?\d+\b|\b[A-Z][\w-]+\b/g) ?? [];
  return [...new Set([...quoted, ...tokens])].slice(0, MOST_TOKENS);
}

/** A final answer as tool-use environments read it. */
export const answer = (text: string): string => `<answer>${text}</answer>`;

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
}

const DEFAULTS: Readonly<Record<string, unknown>> = { string: 'x', integer: 1, number: 1, boolean: true, array: [], object: {} };

/** What an agent calls that makes a tool up. */
const UNKNOWN_TOOL: Move = { kind: 'tool', name: 'no_such_tool', arguments: {} };

/** One call of every declared tool, its required arguments made up from the schema. */
function madeUpCalls(tools: unknown): Move[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: { function?: { name?: unknown; parameters?: { properties?: Record<string, Schema>; required?: unknown } } } | null): Move[] => {
    const declared = tool?.function;
    if (typeof declared?.name !== 'string') return [];
    const required = Array.isArray(declared.parameters?.required) ? declared.parameters.required.filter((name) => typeof name === 'string') : [];
    const args = Object.fromEntries(required.map((name) => {
      const schema = declared.parameters?.properties?.[name];
      return [name, schema?.enum?.[0] ?? DEFAULTS[schema?.type ?? 'string'] ?? 'x'];
    }));
    return [{ kind: 'tool', name: declared.name, arguments: args }];
  });
}

/** The solution's calls, then made-up ones for tools it does not use. */
function callsFor(known: Known, seed: number): Move[] {
  const solution = (waysOf(readingOf(known, seed))[0] ?? []).filter((move) => move.kind === 'tool');
  const used = new Set(solution.map(({ name }) => name));
  const madeUp = madeUpCalls(known.load?.tools).filter((move) => move.kind === 'tool' && !used.has(move.name));
  return [...solution, ...madeUp];
}

/** Round 2 of a tool-use file. */
export function toolJobs(known: Known): Job[] {
  const jobs: Job[] = [];
  const one = (spec: EpisodeSpec): void => void jobs.push({ kind: 'episodes', specs: [spec] });
  for (const seed of SEEDS) {
    for (const moves of waysOf(readingOf(known, seed))) one({ purpose: 'solution', seed, moves, criteria: true, solutions: true });
  }
  for (const seed of SEEDS.slice(0, 4)) {
    const calls = callsFor(known, seed);
    const moves = [...calls, step('hello'), step(answer('zzz'))];
    const base = { seed, moves, snapshots: true, disturb: 'before' } as const;
    one({ ...base, purpose: 'seed', disturbance: 1 });
    one({ ...base, purpose: 'replay', disturbance: 2 });
    one({ ...base, purpose: 'disturbed', disturb: 'between', disturbance: 3 });
    one({ ...base, purpose: 'company', disturbance: 1, companySeed: seed + 1000 });
  }
  for (const seed of SEEDS.slice(0, 3)) {
    const specs = callsFor(known, seed).slice(0, 8).flatMap((move) => [1, 2].map((disturbance): EpisodeSpec => (
      { purpose: 'tool-twice', seed, moves: [move], disturb: 'between', disturbance }
    )));
    if (specs.length > 0) jobs.push({ kind: 'episodes', specs });
    const turns = Math.min(known.load?.maxTurns ?? 10, 10);
    const ending = { seed, construction: 'validate', maxTurns: turns } as const;
    one({ ...ending, purpose: 'unboxed', moves: Array.from({ length: turns * 2 + 5 }, () => step('hello')) });
    one({ ...ending, purpose: 'listed', moves: Array.from({ length: turns * 2 + 5 }, () => step(answer('zzz'))) });
    one({ purpose: 'repeat', seed, construction: 'play', moves: Array.from({ length: 10 }, () => step('hello')) });
    const way = waysOf(readingOf(known, seed))[0];
    if (way !== undefined) {
      one({ purpose: 'after-end', seed, moves: [...way, way.at(-1)!, step('hello')], pastEnd: true });
      const moves = [step(answer('zzz')), step(answer('zzz')), ...way];
      one({ purpose: 'last-turn', seed, moves, maxTurns: 3 });
      one({ purpose: 'last-turn', seed, moves });
    }
  }
  const inputs = ['', '   ', '<tool_call>{}</tool_call>', '<tool_call>{"name": 1, "arguments": []}</tool_call>', answer('²'), answer('9'.repeat(5000)), 'a'.repeat(100_000)];
  const odd: Move[] = [...inputs.map(step), ...madeUpCalls(known.load?.tools).slice(0, 8), UNKNOWN_TOOL];
  jobs.push({ kind: 'episodes', specs: odd.map((move) => ({ purpose: 'input', seed: SEEDS[0]!, moves: [move] })) });
  const openings = SEEDS.map((seed): OpeningsSpec => {
    const observation = observationOf(known, seed) ?? '';
    return { purpose: 'tool-answer', seed, actions: [...new Set([...FIXED_ANSWERS, ...answersIn(observation)].map(answer))] };
  });
  const trivial = SEEDS.map((seed): OpeningsSpec => ({ purpose: 'trivial', seed, actions: ['', '   ', 'None', observationOf(known, seed) ?? 'hello'] }));
  return [...jobs, { kind: 'openings', specs: openings }, { kind: 'openings', specs: trivial }];
}

