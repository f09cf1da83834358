import { describe, expect, it } from 'vitest';
import { readPython } from '../../../../../src/core/environment/pythonDocument';
import type { EpisodeFact, EpisodeSpec, Move, Opening, ProbeFacts, Purpose } from '../../../../../src/core/checks/probe/facts';
import { DOMAIN_SEEDS, SEEDS, step } from '../../../../../src/core/checks/probe/query';
import { secondRound } from '../../../../../src/core/checks/probe/battery';
import { profileOf } from '../../../../../src/core/checks/probe/profile';
import { stepNotReplayable, threadSensitiveScoring } from '../../../../../src/core/checks/probe/rules/determinism';
import { stepAfterEndPays } from '../../../../../src/core/checks/probe/rules/episode';
import { guessable } from '../../../../../src/core/checks/probe/rules/exploits';
import { answerLeakedInObservation } from '../../../../../src/core/checks/probe/rules/leaks';
import { initRaises, resetTimeout } from '../../../../../src/core/checks/probe/rules/robustness';
import { solutionDoesNotWin } from '../../../../../src/core/checks/probe/rules/solvability';
import { formatMessage } from '../../../../../src/shared/message';
import type { HostError, LoadResult, SolutionResult, StepResult, WireText } from '../../../../../src/shared/hostProtocol';
import { testParser } from '../../../../fakes/pythonParser';
import { environment } from '../static/harness';

const parser = await testParser();
const file = readPython(parser, environment());
const load: LoadResult = {
  kind: 'load', className: 'GameEnv', classLine: 1, candidates: ['GameEnv'], toolUse: false, multiMessage: false, hasSolution: true, maxTurns: 5, tools: null, importMs: 1, constructMs: 1,
};
const text = (value: string): WireText => ({ type: 'str', text: value, length: value.length, cut: false });
const flag = (value: boolean): StepResult['terminated'] => ({ type: 'bool', repr: value ? 'True' : 'False', number: Number(value), json: value });
const solution = (value: string): SolutionResult => ({ kind: 'solution', value: { type: 'str', repr: `'${value}'`, json: value }, text: text(value) });
const none = { snapshot: null, solution: null, solutionError: null, criteria: null };

/** What a step gave: the action, the reward, whether it terminated the episode. */
type Made = readonly [action: string, reward: number, terminated: boolean];

function episode(purpose: Purpose, seed: number, made: readonly Made[], more: { observation?: string; answer?: string; spec?: Partial<EpisodeSpec> } = {}): EpisodeFact {
  const moves = made.map(([action]): Move => step(action));
  return {
    spec: { purpose, seed, moves, ...more.spec }, load, maxTurns: load.maxTurns,
    reset: { kind: 'reset', observation: text(more.observation ?? 'A task.'), info: { type: 'dict', repr: '{}', json: {} }, shape: null, ms: 0.1 },
    atReset: { ...none, solution: more.answer === undefined ? null : solution(more.answer) },
    turns: made.map(([action, reward, terminated], at) => ({
      move: moves[at]!, tool: null, criteria: null,
      step: {
        kind: 'step', action, observation: text('.'), reward: { type: 'float', repr: String(reward), number: reward }, terminated: flag(terminated), truncated: flag(false),
        info: { type: 'dict', repr: '{}', json: {} }, shape: null, ms: 0.1,
      },
    })),
    atEnd: none, earlier: null, company: null, failure: null,
  };
}

function facts(parts: Partial<ProbeFacts>): ProbeFacts {
  return {
    file, profile: 's', load, loadError: null, episodes: [], openings: [], importEffects: null, effects: { printed: 0, printLines: [], audits: [], globalChanges: [] },
    python: '3.12.0', callMs: 5000, lines: { asked: 0, of: () => undefined }, ...parts,
  };
}

const firesOn = (rule: typeof guessable, parts: Partial<ProbeFacts>): string[] => rule(facts(parts)).findings.map(({ message }) => formatMessage(message));

describe('guessable', () => {
  const answers = DOMAIN_SEEDS.map((seed) => episode('seed', seed, [], { answer: `w${seed}` }));
  /** Every other seed's answer tried on every seed; `wins` of all these tries pay. */
  const tried = (wins: number): ProbeFacts['openings'] => {
    let left = wins;
    return DOMAIN_SEEDS.map((seed) => ({
      purpose: 'guess', seed, failure: null,
      openings: DOMAIN_SEEDS.filter((other) => other !== seed).map((other): Opening => {
        left -= 1;
        return { action: `\\boxed{w${other}}`, reward: left >= 0 ? 1 : 0, terminated: left >= 0, truncated: false, raised: false };
      }),
    }));
  };

  it('needs the whole interval above 1 %, not the share alone', () => {
    expect(firesOn(guessable, { episodes: answers, openings: tried(14) })).toEqual([]);
    expect(firesOn(guessable, { episodes: answers, openings: tried(40) })[0]).toContain('40 of 992 guesses won: 4.0 % (95 % interval 3.0 % to 5.4 %)');
  });

  it('does not count a seed\'s own answer', () => {
    const own = DOMAIN_SEEDS.map((seed): ProbeFacts['openings'][number] => ({
      purpose: 'guess', seed, failure: null, openings: [{ action: `\\boxed{w${seed}}`, reward: 1, terminated: true, truncated: false, raised: false }],
    }));
    expect(guessable(facts({ episodes: answers, openings: own })).notChecked).toHaveLength(1);
  });

  it('is not made where there is nothing to guess from', () => {
    expect(guessable(facts({ episodes: answers.slice(0, 3), openings: tried(0).slice(0, 0) })).notChecked).toHaveLength(1);
  });
});

describe('answer-leaked-in-observation', () => {
  const leaking = (observation: (seed: number) => string, answer = (seed: number): string => String(4000 + seed * 37)): readonly EpisodeFact[] => (
    SEEDS.map((seed) => episode('seed', seed, [], { observation: observation(seed).replace('#', answer(seed)), answer: answer(seed) }))
  );

  it.each([
    ['after a word that gives it away', (): string => 'Crack the lock. The code is #.'],
    ['in the same slot on every seed', (): string => 'Room # lies before you. Which room is it?'],
  ])('fires %s', (_, observation) => {
    expect(firesOn(answerLeakedInObservation, { episodes: leaking(observation) })).toHaveLength(1);
  });

  it('is silent when one seed keeps it, when it is short, and when it wanders', () => {
    expect(firesOn(answerLeakedInObservation, { episodes: leaking((seed) => (seed === 42 ? 'Room 1 lies before you. Which room is it?' : 'Room # lies before you. Which room is it?')) })).toEqual([]);
    expect(firesOn(answerLeakedInObservation, { episodes: leaking(() => 'Row # of nine.', (seed) => String(seed % 7)) })).toEqual([]);
    expect(firesOn(answerLeakedInObservation, { episodes: leaking((seed) => (seed % 2 === 0 ? '# 5001 5002' : '5001 5002 #')) })).toEqual([]);
  });
});

describe('a file without a solution', () => {
  const reasonsIn = (text: string): string[] => {
    const { notChecked } = solutionDoesNotWin(facts({ file: readPython(parser, text), load: { ...load, hasSolution: false } }));
    return notChecked.map((reason) => formatMessage(reason));
  };

  it('is told from one whose solution() is hidden by data', () => {
    expect(reasonsIn(environment({ solution: '' }))).toEqual(['There is no solution().']);
    expect(reasonsIn(environment())[0]).toContain('holds something else under that name');
  });
});

describe('solution-does-not-win', () => {
  const asked = SEEDS.map((seed) => episode('seed', seed, [], { answer: `w${seed}` }));
  const sent = (seed: number, reward: number, answer = `w${seed}`): EpisodeFact => episode('solution', seed, [[`\\boxed{w${seed}}`, reward, true]], { answer });

  it('fires on the seeds where the answer of that very instance loses', () => {
    const played = SEEDS.map((seed) => sent(seed, seed < 3 ? 0 : 1));
    expect(firesOn(solutionDoesNotWin, { episodes: [...asked, ...played] })[0]).toContain('does not win on 3 of 8 seeds');
  });

  it('says whether step pays without an end, or does not pay', () => {
    const of = (reward: number, ends: boolean) => firesOn(solutionDoesNotWin, { episodes: [...asked, ...SEEDS.map((seed) => episode('solution', seed, [[`\\boxed{w${seed}}`, reward, ends]], { answer: `w${seed}` }))] })[0];
    expect(of(1, false)).toContain('step pays 1 for it and does not end the episode');
    expect(of(0, true)).toContain('step pays 0 for it. What step reads');
  });

  it('does not count what wins on the main thread alone, where the run never steps', () => {
    const worker = SEEDS.map((seed) => sent(seed, 0));
    const main = SEEDS.slice(0, 3).map((seed) => episode('solution', seed, [[`\\boxed{w${seed}}`, 1, true]], { answer: `w${seed}`, spec: { thread: 'main' } }));
    expect(firesOn(solutionDoesNotWin, { episodes: [...asked, ...worker, ...main] })[0]).toContain('on 8 of 8 seeds: it wins on the main thread only');
  });

  it('says nothing of an instance that turned out to have another solution', () => {
    const played = SEEDS.map((seed) => sent(seed, 0, 'another'));
    const { findings, notChecked } = solutionDoesNotWin(facts({ episodes: [...asked, ...played] }));
    expect([findings.length, notChecked.length]).toEqual([0, 1]);
  });
});

describe('the guesses', () => {
  it('are as many whether or not some calls had to wait for a processor', () => {
    const plays = (slow: number): readonly EpisodeFact[] => DOMAIN_SEEDS.map((seed, at) => {
      const made = episode('seed', seed, [], { answer: `w${seed}` });
      return { ...made, reset: { ...made.reset!, ms: at < 4 ? slow : 0.1 } };
    });
    const count = (slow: number): number => secondRound({ load, file, episodes: plays(slow) }).jobs
      .flatMap((job) => (job.kind === 'openings' ? job.specs.filter(({ purpose }) => purpose === 'guess') : [])).reduce((sum, { actions }) => sum + actions.length, 0);
    expect(count(500)).toBe(count(0.1));
    expect(count(0.1)).toBeGreaterThan(900);
  });
});

describe('thread-sensitive-scoring', () => {
  const onThread = (thread: 'main' | undefined, reward: number): EpisodeFact => episode('solution', 1, [['w', reward, true]], { spec: thread === undefined ? {} : { thread } });
  const again = (reward: number): EpisodeFact => episode('after-end', 1, [['w', reward, true], ['hello', 0, true]], { spec: { pastEnd: true } });

  it('fires where one thread scores otherwise and the other always the same', () => {
    expect(firesOn(threadSensitiveScoring, { episodes: [onThread(undefined, 0), onThread('main', 1), again(0)] })).toHaveLength(1);
  });

  it('says nothing of an answer that scores differently every time, which is not replayable', () => {
    const episodes = [onThread(undefined, 0.9), onThread('main', 0.8), again(0.7)];
    const { findings, notChecked } = threadSensitiveScoring(facts({ episodes }));
    expect([findings.length, notChecked.length]).toEqual([0, 1]);
    expect(firesOn(stepNotReplayable, { episodes })[0]).toContain('the reward of step 1 differs');
  });
});

describe('the profile', () => {
  it('is no single turn where the solution is prose that cannot be sent', () => {
    const prose = 'First ask for the side letter, then take off the discount and settle the rest.';
    expect(profileOf(facts({ profile: null, episodes: SEEDS.map((seed) => episode('seed', seed, [], { answer: prose })) }))).toBe('m');
    expect(profileOf(facts({ profile: null, episodes: SEEDS.map((seed) => episode('seed', seed, [], { answer: '12' })) }))).toBe('s');
  });
});

describe('step-after-end-pays', () => {
  const after = (...made: Made[]): readonly EpisodeFact[] => [episode('after-end', 1, made, { spec: { pastEnd: true } })];

  it('fires where something else than the answer pays after a win, or the answer pays more', () => {
    expect(firesOn(stepAfterEndPays, { episodes: after(['w', 1, true], ['hello', 1, true]) })).toHaveLength(1);
    expect(firesOn(stepAfterEndPays, { episodes: after(['w', 0.5, true], ['w', 1, true]) })).toHaveLength(1);
  });

  it('is silent where the answer is merely scored again, and after a loss', () => {
    expect(firesOn(stepAfterEndPays, { episodes: after(['w', 1, true], ['w', 1, true], ['hello', 0, false]) })).toEqual([]);
    expect(firesOn(stepAfterEndPays, { episodes: after(['x', 0, true], ['w', 1, true]) })).toEqual([]);
  });

  it('is silent where what pays is another right answer: one of the solution\'s own actions, or one that pays as the first too', () => {
    const paid = after(['w', 1, true], ['v', 1, true]);
    const opening: Opening = { action: 'v', reward: 1, terminated: true, truncated: false, raised: false };
    const tried = (seed: number): ProbeFacts['openings'] => [{ purpose: 'guess', seed, failure: null, openings: [opening] }];
    expect(firesOn(stepAfterEndPays, { episodes: paid, openings: tried(1) })).toEqual([]);
    expect(firesOn(stepAfterEndPays, { episodes: paid, openings: tried(2) })).toHaveLength(1);
    expect(firesOn(stepAfterEndPays, { episodes: [...paid, episode('wrong', 1, [['v', 0.8, true]])] })).toEqual([]);
    const listed = episode('seed', 1, [], { answer: '\\boxed{w}\n\\boxed{v}' });
    expect(firesOn(stepAfterEndPays, { episodes: [listed, ...after(['\\boxed{w}', 1, true], ['\\boxed{v}', 1, true])] })).toEqual([]);
  });
});

describe('a file that cannot be built', () => {
  const failing = (error: Partial<HostError>): ProbeFacts['episodes'] => [{
    ...episode('loader', 42, []), reset: null,
    failure: { kind: 'raised', where: 'load', action: null, error: { code: 'raised', type: 'NotImplementedError', message: 'define reset()', traceback: [], ...error } },
  }];
  const frame = (name: string): HostError['traceback'][number] => ({ file: 'env.py', line: 1, function: name, inFile: true });

  it('is not said to raise at import where no line of its own ran', () => {
    expect(firesOn(initRaises, { episodes: failing({}) })[0]).toContain('The constructor raises NotImplementedError');
    expect(firesOn(initRaises, { episodes: failing({ traceback: [frame('<module>')] }) })[0]).toContain('Importing the file raises NotImplementedError');
  });

  it('is told of once where the run builds another class than the one that is meant, unless the import itself fails', () => {
    const another = readPython(parser, `from tool_use_base_env import ToolUseBaseEnv as BaseEnv\n${environment()}`);
    expect(firesOn(initRaises, { file: another, episodes: failing({}) })).toEqual([]);
    expect(firesOn(initRaises, { file: another, episodes: failing({ traceback: [frame('<module>')] }) })).toHaveLength(1);
  });

  it('names the time that its constructor was given', () => {
    const hung: ProbeFacts['episodes'] = [{
      ...episode('loader', 42, []), reset: null,
      failure: { kind: 'ended', where: 'load', reason: 'time', limit: 'sandbox.loadSeconds', detail: 'it did not come back within 30 s', action: null },
    }];
    expect(firesOn(resetTimeout, { episodes: hung })[0]).toContain('__init__ did not return within 30 s');
  });
});
