import { message } from '../../../../shared/message';
import type { FindingDraft, ProbeRule } from '../../check';
import { locateAttribute, locateCriteria, locateMethod } from '../../static/locate';
import type { EpisodeFact, OpeningsFact, ProbeFacts } from '../facts';
import { errorText, found, grouped, nothingFound, notMade, replay, seedsOf, seedText, tracebackOf, whenLoaded } from '../judge';
import { actionsOf, of, readingOf, shown } from '../query';
import { answer } from '../toolBattery';

const toolRange = (facts: ProbeFacts, name: string): FindingDraft['range'] => (
  locateMethod(facts.file, facts.file.method(`tool_${name}`) === null ? 'execute_tool' : `tool_${name}`)
);

/** The declared parameter names of each tool of a function-calling schema. */
function declared(tools: unknown): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const tool of Array.isArray(tools) ? (tools as { function?: { name?: unknown; parameters?: { properties?: object } } }[]) : []) {
    const name = tool?.function?.name;
    if (typeof name === 'string') found.set(name, new Set(Object.keys(tool.function?.parameters?.properties ?? {})));
  }
  return found;
}

/** `tool-schema-mismatch`: the declared parameters differ from the method's. */
export const toolSchemaMismatch: ProbeRule = whenLoaded((facts) => {
  const methods = facts.load!.toolMethods;
  if (methods === undefined) return notMade(message('The parameters of the tool methods could not be read.'));
  const findings = [...declared(facts.load!.tools)].flatMap(([name, names]): FindingDraft[] => {
    const method = methods[name];
    if (method === undefined) return [];
    const taken = new Set(method.map((parameter) => parameter.name));
    const open = method.some(({ variadic }) => variadic);
    const unknown = open ? [] : [...names].filter((parameter) => !taken.has(parameter));
    const missing = method.filter((parameter) => parameter.required && !names.has(parameter.name)).map((parameter) => parameter.name);
    if (unknown.length === 0 && missing.length === 0) return [];
    return [{
      range: toolRange(facts, name),
      message: message('tool_{name} and its declaration differ: declared but not taken {unknown}; required but not declared {missing}. A call by the schema fails in play. Make both the same.', {
        name, unknown: unknown.join(', ') || 'nothing', missing: missing.join(', ') || 'nothing',
      }),
      evidence: { expected: [...names].join(', '), actual: [...taken].join(', ') },
    }];
  });
  return found(findings);
});

/** `execute-tool-bad-return`: execute_tool returns the wrong shape. */
export const executeToolBadReturn: ProbeRule = whenLoaded((facts) => {
  const bad = facts.episodes.flatMap((episode) => episode.turns.flatMap(({ tool }, turn) => (tool !== null && tool.shape !== null ? [{ episode, turn, tool }] : [])));
  const first = bad[0];
  if (first === undefined) return facts.episodes.some(({ turns }) => turns.some(({ tool }) => tool !== null)) ? nothingFound : notMade(message('No tool could be called.'));
  const { type, length } = first.tool.shape!;
  const call = shown(actionsOf(first.episode.spec, first.turn + 1).at(-1) ?? '', 80);
  return found([{
    range: locateMethod(facts.file, 'execute_tool'),
    message: type === 'dict' ? message('execute_tool returned a dict without output or returncode for {call}. The run cannot read the result of the tool. Give both on every way out.', { call }) : message('execute_tool returned {type} instead of a dict with output and returncode. The run cannot read the result of the tool.', { type: length === null ? type : `${type} of length ${length}` }),
    evidence: replay(first.episode.spec, first.turn, { expected: '{"output", "returncode"}', actual: type }),
  }]);
});

const accepted = ({ openings }: OpeningsFact, action: string): boolean => openings.some((opening) => opening.action === action && opening.terminated && (opening.reward ?? 0) > 0);
const answersTried = (facts: ProbeFacts): OpeningsFact[] => facts.openings.filter(({ purpose, openings }) => purpose === 'tool-answer' && openings.length > 0);

/** The answer that a seed's own solution gives, in lower case; null when it is not known. */
function ownAnswer(facts: ProbeFacts, seed: number): string | null {
  const reading = readingOf(facts, seed);
  return reading?.kind === 'tools' ? reading.answer.trim().toLowerCase() : null;
}

/** `expected-answer-unset`: the expected answer is not set. */
export const expectedAnswerUnset: ProbeRule = whenLoaded((facts) => {
  const tries = answersTried(facts);
  if (tries.length === 0) return notMade(message('No answer could be tried.'));
  const beaten = tries.filter((fact) => accepted(fact, answer('None')) && ownAnswer(facts, fact.seed) !== 'none');
  if (beaten.length < Math.ceil(tries.length / 2)) return nothingFound;
  const seed = beaten[0]!.seed;
  return found([{
    range: locateAttribute(facts.file, '_expected_answer'),
    message: message('The answer None wins on {wins} of {all} seeds: the expected answer is not set. Set self._expected_answer in reset.', { wins: beaten.length, all: tries.length }),
    evidence: { seed, actions: [answer('None')], expected: 'refused', actual: 'reward 1.0, terminated', seeds: beaten.map((fact) => fact.seed) },
  }]);
});

/** `wins-without-tools`: the episode is won without calling a tool. */
export const winsWithoutTools: ProbeRule = whenLoaded((facts) => {
  const tries = answersTried(facts);
  if (tries.length === 0) return notMade(message('No answer could be tried.'));
  const several = facts.profile === 'u';
  const hits = tries.flatMap((fact) => {
    const given = fact.openings.filter((opening) => opening.terminated && (opening.reward ?? 0) > 0).map(({ action }) => action);
    const usable = several ? given.filter((action) => action === answer('done')) : given.filter((action) => {
      const text = action.slice('<answer>'.length, -'</answer>'.length).trim().toLowerCase();
      return text !== 'none';
    });
    return usable.length === 0 ? [] : [{ seed: fact.seed, action: usable[0]! }];
  });
  if (hits.length < Math.ceil(tries.length * 7 / 8) || tries.length < 4) return nothingFound;
  const { seed, action } = hits[0]!;
  return found([{
    range: facts.file.method('_check_answer') === null ? locateAttribute(facts.file, '_expected_answer') : locateMethod(facts.file, '_check_answer'),
    message: several
      ? message('The answer done wins at once, before any tool was called, on {wins} of {all} seeds. The task asks nothing. Let _check_answer test the state.', { wins: hits.length, all: tries.length })
      : message('An answer that needs no tool, such as {action}, wins on {wins} of {all} seeds. The tools are not needed. Let the answer depend on what only a tool tells.', { action: shown(action, 60), wins: hits.length, all: tries.length }),
    evidence: { seed, actions: [action], expected: 'no win', actual: 'reward above 0, terminated', seeds: hits.map((hit) => hit.seed) },
  }]);
});

/** `tool-result-random`: a tool answers differently to the same call. */
export const toolResultRandom: ProbeRule = whenLoaded((facts) => {
  const calls = of(facts, 'tool-twice').filter(({ turns }) => turns.some(({ tool }) => tool !== null));
  if (calls.length === 0) return notMade(message('No tool could be called.'));
  const pairs = grouped(calls, ({ spec }) => JSON.stringify([spec.seed, spec.moves])).filter(([a, b]) => (
    b !== undefined && a!.reset?.observation.text === b.reset?.observation.text && a!.turns[0]!.tool!.output.text !== b.turns[0]!.tool!.output.text
  ));
  return found(grouped(pairs, ([a]) => a!.turns[0]!.tool!.name).map((group): FindingDraft => {
    const [a, b] = group[0]!;
    const { name } = a!.turns[0]!.tool!;
    return {
      range: toolRange(facts, name),
      message: message('The tool {name} answers differently to the same call in the same state ({seeds}). Plays cannot be compared. Draw from a generator that reset(seed) makes.', { name, seeds: seedText(group.map(([first]) => first!)) }),
      evidence: replay(a!.spec, 0, { expected: shown(a!.turns[0]!.tool!.output.text), actual: shown(b!.turns[0]!.tool!.output.text) }),
    };
  }));
});

type Criterion = NonNullable<EpisodeFact['atReset']['criteria']>['results'][number];

/** The criteria of each seed after reset. */
function atReset(facts: ProbeFacts): { episode: EpisodeFact; results: readonly Criterion[] }[] {
  return of(facts, 'seed').flatMap((episode) => {
    const results = episode.atReset.criteria?.results ?? [];
    return results.length > 0 && episode.spec.snapshots ? [{ episode, results }] : [];
  });
}

function criterionRange(facts: ProbeFacts, index: number, line: number | null): FindingDraft['range'] {
  return locateCriteria(facts.file)[index] ?? (line === null ? locateAttribute(facts.file, '_message_criteria') : facts.file.lines.rangeOfLine(line));
}

const noCriteria = notMade(message('There are no _message_criteria to evaluate.'));

/** Indices of the criteria, as many as the seed with the most has. */
function indices(seeds: readonly { results: readonly Criterion[] }[]): number[] {
  return Array.from({ length: Math.max(0, ...seeds.map(({ results }) => results.length)) }, (_, index) => index);
}

/** `criterion-raises-at-reset`: a criterion raises on the state that reset builds. */
export const criterionRaisesAtReset: ProbeRule = whenLoaded((facts) => {
  const seeds = atReset(facts);
  if (seeds.length === 0) return noCriteria;
  return found(indices(seeds).flatMap((index): FindingDraft[] => {
    const here = seeds.map(({ results }) => results[index]);
    const first = here[0];
    if (first === undefined || !('error' in first) || !here.every((result) => result !== undefined && 'error' in result)) return [];
    return [{
      range: criterionRange(facts, index, first.line),
      message: message('Criterion {number} raises {error} on the state that reset builds, on every tested seed. The reset gate of the run refuses such a file. Make it safe for the first state.', { number: index + 1, error: errorText(first.error) }),
      evidence: { ...replay(seeds[0]!.episode.spec, -1, { actual: errorText(first.error), traceback: tracebackOf(first.error) }), seeds: seedsOf(seeds.map(({ episode }) => episode)) },
    }];
  }));
});

/** `criterion-already-true-at-reset`: a criterion holds before anything was done. */
export const criterionAlreadyTrueAtReset: ProbeRule = whenLoaded((facts) => {
  const seeds = atReset(facts);
  if (seeds.length === 0) return noCriteria;
  const all = indices(seeds);
  const always = all.filter((index) => seeds.every(({ results }) => {
    const result = results[index];
    return result !== undefined && 'holds' in result && result.holds;
  }));
  const most = always.length * 2 > all.length;
  return found(always.map((index): FindingDraft => {
    const first = seeds[0]!.results[index]!;
    return {
      range: criterionRange(facts, index, first.line),
      ...(most ? { severity: 'error' as const } : {}),
      message: message('Criterion {number} already holds after reset, on every tested seed: the agent need do nothing for message {number}. Build a state in which it does not.', { number: index + 1 }),
      evidence: { ...replay(seeds[0]!.episode.spec, -1, { expected: 'false', actual: 'true' }), seeds: seedsOf(seeds.map(({ episode }) => episode)) },
    };
  }));
});

/** `criterion-never-true`: nothing along the solution makes a criterion true. */
export const criterionNeverTrue: ProbeRule = whenLoaded((facts) => {
  if (atReset(facts).length === 0) return noCriteria;
  const runs = of(facts, 'solution').filter(({ turns }) => turns.some(({ criteria }) => criteria !== null));
  if (runs.length === 0) return notMade(message('The solution could not be played, so no criterion could be followed along it.'));
  const count = Math.max(...runs.map(({ atReset: { criteria } }) => criteria?.results.length ?? 0));
  const never = Array.from({ length: count }, (_, index) => index).filter((index) => runs.every(({ atReset: moment, turns }) => (
    [moment.criteria, ...turns.map(({ criteria }) => criteria)].every((criteria) => {
      const result = criteria?.results[index];
      return result === undefined || !('holds' in result) || !result.holds;
    })
  )));
  return found(never.map((index): FindingDraft => ({
    range: criterionRange(facts, index, runs[0]!.atReset.criteria?.results[index]?.line ?? null),
    message: message('Criterion {number} never holds along the declared solution ({count} seeds): the agent can never pass message {number}. Test what the tools really change.', { number: index + 1, count: runs.length }),
    evidence: { ...replay(runs[0]!.spec, null, { expected: 'true at some step', actual: 'never' }), seeds: seedsOf(runs) },
  })));
});

