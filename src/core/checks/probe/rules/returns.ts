import type { Fix } from '../../../../shared/findings';
import type { StepResult, WireValue } from '../../../../shared/hostProtocol';
import { fromJsonNumber } from '../../../../shared/json';
import { message } from '../../../../shared/message';
import type { FindingDraft, ProbeRule } from '../../check';
import { locateObservation, stepPartAt, type StepPart } from '../../static/locate';
import type { EpisodeFact, EpisodeSpec, ProbeFacts } from '../facts';
import { derived } from '../derived';
import { found, replay, stepPlace, whenLoaded } from '../judge';
import { shown } from '../query';

/** A step that an agent of the run could have made, with its place. */
interface Made {
  readonly spec: EpisodeSpec;
  readonly turn: number;
  readonly step: StepResult;
}

function madeSteps({ episodes }: ProbeFacts): readonly Made[] {
  return derived(episodes, 'made steps', () => {
    const made: Made[] = [];
    for (const { spec, turns } of episodes) {
      if (spec.purpose === 'after-end') continue;
      for (let turn = 0; turn < turns.length; turn += 1) {
        const { step } = turns[turn]!;
        if (step !== null) made.push({ spec, turn, step });
      }
    }
    return made;
  });
}

function tuples(facts: ProbeFacts): readonly Made[] {
  return derived(facts.episodes, 'made tuples', () => madeSteps(facts).filter(({ step }) => step.shape === null));
}

const resets = (facts: ProbeFacts): (EpisodeFact & { reset: NonNullable<EpisodeFact['reset']> })[] => (
  facts.episodes.filter((episode): episode is EpisodeFact & { reset: NonNullable<EpisodeFact['reset']> } => episode.reset !== null)
);

/** What the run's `isinstance` takes a value for: its own type, or the built-in one that it is built on, as `numpy.float64` is on float. */
const kindOf = ({ type, base }: Pick<WireValue, 'type' | 'base'>): string => base ?? type;
const NUMBERS = new Set(['int', 'float', 'bool']);

/** Wraps the part of the `return` that a step took in a call such as `bool(…)`. */
function wrap(facts: ProbeFacts, { spec, turn }: Made, part: StepPart, name: string): Fix | undefined {
  const line = facts.lines.of(spec, turn)?.returnLine ?? null;
  const node = line === null ? null : stepPartAt(facts.file, line, part);
  if (node === null) return undefined;
  const range = facts.file.range(node);
  return { title: message('Wrap it in {name}(…)', { name }), edits: [{ ...range, newText: `${name}(${node.text})` }] };
}

const withFix = (draft: FindingDraft, fix: Fix | undefined): FindingDraft => (fix === undefined ? draft : { ...draft, fix });

/** The first step of each kind of fault. */
function firstOf(made: Iterable<Made>, key: (made: Made) => string | null): { first: Made; key: string }[] {
  const firsts = new Map<string, Made>();
  for (const item of made) {
    const name = key(item);
    if (name !== null && !firsts.has(name)) firsts.set(name, item);
  }
  return [...firsts].map(([name, first]) => ({ first, key: name }));
}

/** `bad-return-shape`: reset or step returns the wrong shape. */
export const badReturnShape: ProbeRule = whenLoaded((facts) => {
  const findings: FindingDraft[] = [];
  const oddReset = resets(facts).find(({ reset }) => reset.shape !== null);
  if (oddReset !== undefined) {
    const { type, length } = oddReset.reset.shape!;
    findings.push({
      range: locateObservation(facts.file),
      message: message('reset returned {type}{length} instead of an observation and a dict. The run refuses the file: return a pair (text, dict).', {
        type, length: length === null ? '' : ` of length ${length}`,
      }),
      evidence: replay(oddReset.spec, -1, { expected: '(str, dict)', actual: type }),
    });
  }
  for (const { first, key } of firstOf(madeSteps(facts), ({ step }) => (step.shape === null ? null : `${step.shape.type}${step.shape.length === null ? '' : ` of length ${step.shape.length}`}`))) {
    findings.push({
      range: stepPlace(facts, first.spec, first.turn),
      message: message('step returned {key} instead of five values. The run refuses the file: return (observation, reward, terminated, truncated, info).', { key }),
      evidence: replay(first.spec, first.turn, { expected: 'a tuple of 5', actual: key }),
    });
  }
  for (const { first, key } of firstOf(tuples(facts), ({ step }) => (kindOf(step.observation) === 'str' ? null : step.observation.type))) {
    findings.push({
      range: stepPlace(facts, first.spec, first.turn, 'observation'),
      message: message('step returned an observation of type {key}, not str. The run\'s loader refuses it; return a text.', { key }),
      evidence: replay(first.spec, first.turn, { expected: 'str', actual: key }),
    });
  }
  return found(findings);
});

/** `terminated-not-bool`: an end flag is not a bool. */
export const terminatedNotBool: ProbeRule = whenLoaded((facts) => {
  const findings = (['terminated', 'truncated'] as const).flatMap((part) => (
    firstOf(tuples(facts), ({ step }) => (step[part].type === 'bool' ? null : step[part].type)).map(({ first, key }) => withFix({
      range: stepPlace(facts, first.spec, first.turn, part),
      message: message('{part} is of type {key}, not bool: the run\'s loader refuses the file ({part} must be a bool). Write bool(…) around it.', { part, key }),
      evidence: replay(first.spec, first.turn, { expected: 'bool', actual: `${key} ${shown(first.step[part].repr, 80)}` }),
    }, wrap(facts, first, part, 'bool')))
  ));
  return found(findings);
});

/** `reward-not-a-number`: the reward is not an int or float for the run. */
export const rewardNotANumber: ProbeRule = whenLoaded((facts) => found(
  firstOf(tuples(facts), ({ step }) => (NUMBERS.has(kindOf(step.reward)) ? null : step.reward.type)).map(({ first, key }) => withFix({
    range: stepPlace(facts, first.spec, first.turn, 'reward'),
    message: message('The reward is of type {key}, which is neither int nor float for the run: its loader refuses the file. Write float(…) around it.', { key }),
    evidence: replay(first.spec, first.turn, { expected: 'int or float', actual: `${key} ${shown(first.step.reward.repr, 80)}` }),
  }, key === 'NoneType' ? undefined : wrap(facts, first, 'reward', 'float'))),
));

/** The number of a reward that is one for the run; integers too long for JSON count as infinite distance from any range. */
function rewardNumber(reward: WireValue): number | null {
  const { number, repr } = reward;
  if (!NUMBERS.has(kindOf(reward))) return null;
  if (number !== undefined) return fromJsonNumber(number);
  return repr.startsWith('-') ? -Number.MAX_VALUE : Number.MAX_VALUE;
}

/** `reward-not-finite`: the reward is NaN or infinite. */
export const rewardNotFinite: ProbeRule = whenLoaded((facts) => {
  const kinds = firstOf(tuples(facts), ({ step }) => {
    const number = rewardNumber(step.reward);
    return number === null || Number.isFinite(number) ? null : String(number);
  });
  return found(kinds.map(({ first, key }) => ({
    range: stepPlace(facts, first.spec, first.turn, 'reward'),
    message: key === 'NaN'
      ? message('The reward is NaN. It passes the range check of the run\'s loader, and clipping turns it into 1.0: the run books a win. Guard the computation.')
      : message('The reward is {key}. The run\'s loader refuses it where it sees it; in play clipping makes it {clipped}. Guard the computation.', { key, clipped: key === 'Infinity' ? '1.0' : '-1.0' }),
    evidence: replay(first.spec, first.turn, { expected: 'a finite number', actual: key }),
  })));
});

/** `reward-out-of-range`: the reward is outside the range of the run. */
export const rewardOutOfRange: ProbeRule = whenLoaded((facts) => {
  const size = ({ step }: Made): string | null => {
    const number = rewardNumber(step.reward);
    if (number === null || !Number.isFinite(number) || Math.abs(number) <= 1) return null;
    return Math.abs(number) > 10 ? 'outside' : 'clipped';
  };
  return found(firstOf(tuples(facts), size).map(({ first, key }) => ({
    range: stepPlace(facts, first.spec, first.turn, 'reward'),
    ...(key === 'clipped' ? { severity: 'info' as const } : {}),
    message: key === 'clipped'
      ? message('The reward {reward} is outside [-1, 1]: the run clips it, so larger rewards train no more than 1.', { reward: shown(first.step.reward.repr, 40) })
      : message('The reward {reward} is outside [-10, 10]: the run\'s loader refuses such a file. Scale rewards to [-1, 1].', { reward: shown(first.step.reward.repr, 40) }),
    evidence: replay(first.spec, first.turn, { expected: key === 'clipped' ? '[-1, 1]' : '[-10, 10]', actual: shown(first.step.reward.repr, 80) }),
  })));
});

/** `observation-empty`: the first observation is empty or no text. */
export const observationEmpty: ProbeRule = whenLoaded((facts) => {
  const bad = resets(facts).filter(({ reset }) => reset.shape === null && (kindOf(reset.observation) !== 'str' || reset.observation.text.trim() === ''));
  const first = bad[0];
  if (first === undefined) return found([]);
  const { type, length } = first.reset.observation;
  const isText = kindOf(first.reset.observation) === 'str';
  const blank = isText && length > 0;
  return found([{
    range: locateObservation(facts.file),
    ...(blank ? { severity: 'warning' as const } : {}),
    message: isText
      ? message('The first observation is {kind}: the agent gets no task, and the run\'s loader refuses an empty one. Return the task as text.', { kind: blank ? 'blank' : 'empty' })
      : message('The first observation is of type {type}, not text: the run\'s loader refuses it. Return the task as text.', { type }),
    evidence: replay(first.spec, -1, { expected: 'a text', actual: isText ? JSON.stringify(first.reset.observation.text) : type }),
  }]);
});

/** `info-not-dict`: info is not a dict. */
export const infoNotDict: ProbeRule = whenLoaded((facts) => {
  const findings: FindingDraft[] = [];
  const odd = resets(facts).find(({ reset }) => reset.shape === null && kindOf(reset.info) !== 'dict');
  if (odd !== undefined) {
    findings.push({
      range: locateObservation(facts.file),
      message: message('reset returned info of type {type}, not dict. Return a dict, empty if there is nothing to say.', { type: odd.reset.info.type }),
      evidence: replay(odd.spec, -1, { expected: 'dict', actual: odd.reset.info.type }),
    });
  }
  for (const { first, key } of firstOf(tuples(facts), ({ step }) => (kindOf(step.info) === 'dict' ? null : step.info.type))) {
    findings.push({
      range: stepPlace(facts, first.spec, first.turn, 'info'),
      message: message('step returned info of type {key}, not dict: the run\'s loader refuses the file. Return a dict.', { key }),
      evidence: replay(first.spec, first.turn, { expected: 'dict', actual: key }),
    });
  }
  return found(findings);
});
