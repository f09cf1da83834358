import type { SnapshotResult } from '../../../shared/hostProtocol';
import { message, type Message } from '../../../shared/message';
import type { EpisodeFact, ProbeFacts } from './facts';
import { derived } from './derived';
import { of } from './query';

/** Where two episodes first differ. `turn` is -1 for what `reset` built; `path` names the attribute where the state differs. */
export interface Difference {
  readonly turn: number;
  readonly what: 'observation' | 'state' | 'solution' | 'reward' | 'end' | 'length' | 'tool';
  readonly path: string | null;
  readonly expected: string;
  readonly actual: string;
}

const TIME_APART = 3600;

/** A moment in seconds since 1970, and whether it is written with a fraction of a second, as all but one in a million are that come from a clock. */
interface Moment {
  readonly seconds: number;
  readonly isFine: boolean;
}

/** A moment as `datetime.now()` is written, by `repr` or `isoformat`; null for anything else. */
function momentOf(text: string): Moment | null {
  const call = /^datetime\.datetime\((\d+), (\d+), (\d+), (\d+), (\d+)(?:, (\d+))?(?:, (\d+))?(?:, tzinfo=.*)?\)$/.exec(text);
  if (call !== null) {
    const [year, month, day, hour, minute, second] = call.slice(1, 7).map((part) => Number(part ?? 0));
    return { seconds: Date.UTC(year!, month! - 1, day, hour, minute, second) / 1000, isFine: call[7] !== undefined };
  }
  const written = /^'(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{3,6})?(?:Z|[+-]\d\d:\d\d)?'$/.exec(text);
  return written === null ? null : { seconds: Date.parse(`${written[1]}T${written[2]}Z`) / 1000, isFine: written[3] !== undefined };
}

/** True for two values that look like the same clock read twice. One of them may be round by chance. */
function isClock(a: string, b: string): boolean {
  const [earlier, later] = [momentOf(a), momentOf(b)];
  if (earlier !== null && later !== null) return (earlier.isFine || later.isFine) && Math.abs(later.seconds - earlier.seconds) < TIME_APART;
  const [x, y] = [Number(a), Number(b)];
  const isFine = [a, b].some((text) => /\.\d{3,}$/.test(text));
  return Number.isFinite(x) && Number.isFinite(y) && isFine && Math.abs(x - y) < TIME_APART && x > 1000 && y > 1000;
}

/** Attribute paths whose values differ; clocks do not count. One empty path stands for a difference below what the snapshot lists. */
export function stateDifferences(a: SnapshotResult | null, b: SnapshotResult | null): { path: string; a: string; b: string }[] {
  if (a === null || b === null || a.digest === b.digest) return [];
  const paths = new Set([...Object.keys(a.values), ...Object.keys(b.values)]);
  const differing = [...paths].flatMap((path) => {
    const [x, y] = [a.values[path] ?? MISSING, b.values[path] ?? MISSING];
    return x === y || isClock(x, y) ? [] : [{ path, a: x, b: y }];
  });
  const clocks = [...paths].some((path) => a.values[path] !== b.values[path]);
  const hidden = Object.values(a.values).some((text) => text.endsWith('…')) || paths.size >= 400;
  return differing.length === 0 && hidden && !clocks ? [{ path: '', a: a.digest, b: b.digest }] : differing;
}

/** A path into what a class holds for all its instances: the class's name, then the attribute. */
const OF_CLASS = /^_*[A-Z]\w*\.(\w+)/;
const MISSING = '(missing)';

/** The attribute of the instance, or of its class, that a path starts with. */
export function attributeOf(path: string): string {
  return OF_CLASS.exec(path)?.[1] ?? /^[\w]+/.exec(path)?.[0] ?? '';
}

/**
 * An entry that one play made and another did not in a table of the class: that is how a table of what was once computed grows, whatever
 * task asked for it first. Where such an entry decides something, what the agent sees or is paid differs too.
 */
const isGrowth = ({ path, a, b }: { path: string; a: string; b: string }): boolean => OF_CLASS.test(path) && (a === MISSING || b === MISSING);

/** The first path in which the states after `reset` differ, entries of tables of the class left out. */
function firstStateDifference(a: EpisodeFact, b: EpisodeFact): { path: string; a: string; b: string } | undefined {
  return stateDifferences(a.atReset.snapshot, b.atReset.snapshot).find((difference) => !isGrowth(difference));
}

/** The first thing in which two episodes of the same seed and moves differ; null when they are alike as far as both went. */
export function differenceOf(a: EpisodeFact, b: EpisodeFact): Difference | null {
  if (a.reset !== null && b.reset !== null && a.reset.observation.text !== b.reset.observation.text) {
    return { turn: -1, what: 'observation', path: firstStateDifference(a, b)?.path ?? null, expected: a.reset.observation.text, actual: b.reset.observation.text };
  }
  const state = firstStateDifference(a, b);
  if (state !== undefined) return { turn: -1, what: 'state', path: state.path, expected: state.a, actual: state.b };
  const [x, y] = [a.atReset.solution?.text.text, b.atReset.solution?.text.text];
  if (x !== undefined && y !== undefined && x !== y) return { turn: -1, what: 'solution', path: null, expected: x, actual: y };
  const length = Math.min(a.turns.length, b.turns.length);
  for (let turn = 0; turn < length; turn += 1) {
    const [left, right] = [a.turns[turn]!, b.turns[turn]!];
    if (left.tool !== null && right.tool !== null && left.tool.output.text !== right.tool.output.text) {
      return { turn, what: 'tool', path: null, expected: left.tool.output.text, actual: right.tool.output.text };
    }
    // What is no tuple of five is told of by its own check, and its text may hold an address.
    if (left.step === null || right.step === null || left.step.shape !== null || right.step.shape !== null) continue;
    if (left.step.reward.repr !== right.step.reward.repr) return { turn, what: 'reward', path: null, expected: left.step.reward.repr, actual: right.step.reward.repr };
    const ends = [left.step, right.step].map(({ terminated, truncated }) => `terminated ${terminated.repr}, truncated ${truncated.repr}`);
    if (ends[0] !== ends[1]) return { turn, what: 'end', path: null, expected: ends[0]!, actual: ends[1]! };
    if (left.step.observation.text !== right.step.observation.text) {
      return { turn, what: 'observation', path: null, expected: left.step.observation.text, actual: right.step.observation.text };
    }
  }
  if (a.turns.length !== b.turns.length && a.failure?.kind !== 'ended' && b.failure?.kind !== 'ended') {
    return { turn: length, what: 'length', path: null, expected: `${a.turns.length} steps`, actual: `${b.turns.length} steps` };
  }
  return null;
}

const keyOf = ({ spec }: EpisodeFact): string => JSON.stringify([spec.seed, spec.moves]);

/** An episode with the plain one of the same seed and moves. */
export interface Compared {
  readonly base: EpisodeFact;
  readonly other: EpisodeFact;
  readonly difference: Difference | null;
}

const usable = ({ reset, failure }: EpisodeFact): boolean => reset !== null && failure?.kind !== 'not-made' && failure?.kind !== 'ended';

/** Every episode of a purpose beside its plain counterpart, those that hung or were never made left out. */
export function compared(facts: Pick<ProbeFacts, 'episodes'>, purpose: 'replay' | 'hash' | 'disturbed' | 'company'): readonly Compared[] {
  return derived(facts.episodes, `compared with ${purpose}`, () => {
    const plain = derived(facts.episodes, 'plain episodes', () => (
      new Map(of(facts, 'seed').filter((base) => base.spec.snapshots === true && usable(base)).map((base) => [keyOf(base), base]))
    ));
    return of(facts, purpose).filter(usable).flatMap((other) => {
      const base = plain.get(keyOf(other));
      return base === undefined ? [] : [{ base, other, difference: differenceOf(base, other) }];
    });
  });
}

/** Seeds on which two fresh instances differ right after `reset`. */
export function seedsThatDiffer(facts: Pick<ProbeFacts, 'episodes'>): number[] {
  return [...new Set(compared(facts, 'replay').flatMap(({ base, difference }) => (difference?.turn === -1 && base.spec.seed !== null ? [base.spec.seed] : [])))];
}

/** Why the same seed cannot be played twice; null when it can. Rules that compare plays of a seed are not made otherwise. */
export function unstable(facts: Pick<ProbeFacts, 'episodes'>): Message | null {
  return seedsThatDiffer(facts).length === 0 ? null : message('The same seed gives different tasks, so one play says nothing of the next.');
}
