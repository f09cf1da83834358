/** What probe rules share: judgements, evidence, and the place in the file that a step points to. */
import type { Evidence, Range } from '../../../shared/findings';
import type { HostError } from '../../../shared/hostProtocol';
import { message, type Message } from '../../../shared/message';
import type { PythonFile } from '../../environment/pythonFile';
import type { FindingDraft, ProbeJudgement, ProbeRule } from '../check';
import { locateCondition, locateMethod, locateStepPart, type StepPart } from '../static/locate';
import type { EpisodeSpec, ProbeFacts } from './facts';
import { ACTION_LIMIT } from './actionLimit';
import { actionsOf, shown } from './query';

/** A judgement with these findings, and nothing left open. */
export const found = (findings: readonly FindingDraft[]): ProbeJudgement => ({ findings, notChecked: [] });
/** A judgement that finds nothing. */
export const nothingFound: ProbeJudgement = found([]);
/** A judgement that could not be made, and why. */
export const notMade = (reason: Message): ProbeJudgement => ({ findings: [], notChecked: [reason] });

/** A rule that needs a file that loads; without one it was not made. */
export function whenLoaded(rule: ProbeRule): ProbeRule {
  return (facts) => (facts.load === null ? notMade(message('The file does not load, so nothing could be played.')) : rule(facts));
}

/** Evidence that replays an episode up to a turn (all of it when none is given). */
export function replay(spec: EpisodeSpec, turn: number | null, more: Partial<Evidence> = {}): Evidence {
  const actions = actionsOf(spec, turn === null ? undefined : turn + 1).map((action) => shown(action, ACTION_LIMIT));
  return { seed: spec.seed, ...(actions.length > 0 || spec.moves.length > 0 ? { actions } : {}), ...(spec.maxTurns === undefined ? {} : { maxTurns: spec.maxTurns }), ...more };
}

/** Where the step of a turn returned: the line, a part of its tuple, or the condition that led there; the method before it is known. */
export function stepPlace(facts: ProbeFacts, spec: EpisodeSpec, turn: number, part: StepPart | 'line' | 'condition' = 'line'): Range {
  const line = facts.lines.of(spec, turn)?.returnLine ?? null;
  if (line === null) return locateMethod(facts.file, 'step');
  if (part === 'line') return facts.file.lines.rangeOfLine(line);
  return part === 'condition' ? locateCondition(facts.file, line) : locateStepPart(facts.file, line, part);
}

/** The innermost line of the environment's own file in a traceback; null when there is none. */
export function lineOf(error: HostError): number | null {
  return error.traceback.findLast(({ inFile }) => inFile)?.line ?? null;
}

/** The place of an exception: its innermost line in the file, else a method. */
export function errorPlace(file: PythonFile, error: HostError, method: string): Range {
  const line = lineOf(error);
  return line === null ? locateMethod(file, method) : file.lines.rangeOfLine(line);
}

/** The exception in one line. Untrusted text. */
export function errorText(error: HostError): string {
  return shown([error.type, error.message].filter((part) => part !== '').join(': '), 300);
}

/** The traceback as lines of text, the file's own frames named by line. */
export function tracebackOf(error: HostError): string[] {
  return error.traceback.map(({ file, line, function: name }) => `${file}:${line} in ${name}`);
}

/** Groups by a key, in the order of first appearance. */
export function grouped<T>(items: Iterable<T>, key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return [...groups.values()];
}

/** Seeds of episodes, each once, in order. */
export function seedsOf(episodes: readonly { readonly spec: EpisodeSpec }[]): number[] {
  return [...new Set(episodes.flatMap(({ spec }) => (spec.seed === null ? [] : [spec.seed])))].sort((a, b) => a - b);
}

/** `seed 3`, `seeds 1, 2 and 5`, `no seed`, for messages. */
export function seedText(episodes: readonly { readonly spec: EpisodeSpec }[]): string {
  const seeds = seedsOf(episodes);
  if (seeds.length === 0) return 'no seed';
  return seeds.length === 1 ? `seed ${seeds[0]}` : `seeds ${seeds.slice(0, -1).join(', ')} and ${seeds.at(-1)}`;
}
