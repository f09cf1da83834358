import { describe, expect, it } from 'vitest';
import { hintOnlyPolicy } from '../../../../src/core/design/hintOnly';
import { tryHints } from '../../../../src/core/design/hintTrial';
import { ModelError } from '../../../../src/core/models/errors';
import { modelPolicy } from '../../../../src/core/play/policies/model';
import { simulatedLearner } from '../../../../src/core/play/policies/simulated';
import type { ChatRequest, ModelClient } from '../../../../src/core/ports';
import { message } from '../../../../src/shared/message';
import { hastyClock } from '../../../fakes/clocks';
import { scriptedSandbox, type FakeStep } from '../../../fakes/scriptedSandbox';
import { spoken } from '../../../fakes/scriptedModel';

const signal = new AbortController().signal;
const file = { name: 'e', source: '' };
const seeds = [0, 1, 2, 3];

/** Each seed has a number of its own; a reply that boxes it wins. */
const numbers = () => scriptedSandbox(() => {
  let seed = 0;
  return {
    reset: (given) => { seed = given ?? 0; return `Guess. Half of it is ${(1000 + seed) / 2}.`; },
    step: (action): FakeStep => ['', action === `\\boxed{${1000 + seed}}` ? 1 : 0, true, false],
    solution: () => `${1000 + seed}`,
  };
});

/** An agent that doubles what it sees when a hint tells it to, and repeats a number that a hint gives away. */
function agent(): ModelClient & { asked: ChatRequest[] } {
  const asked: ChatRequest[] = [];
  return {
    name: 'agent', simulated: false, asked,
    async *stream(request) {
      asked.push(request);
      await Promise.resolve();
      const text = request.messages.map(({ content }) => content).join('\n');
      const told = /answer is (\d+)/.exec(text)?.[1];
      const half = /double/i.test(text) ? /Half of it is ([\d.]+)\./.exec(text)?.[1] : undefined;
      yield* spoken(`\\boxed{${told ?? (half === undefined ? 'x' : String(Number(half) * 2))}}`);
    },
  };
}
const options = (policy: ReturnType<typeof modelPolicy>) => ({ file, sandbox: numbers(), policy, seeds, maxTurns: 5, thinking: false, concurrency: 2, clock: hastyClock() });

describe('hints that are compared', () => {
  it('are ordered by regret against the same plays without a hint, and one that leaks comes last', async () => {
    const client = agent();
    const progress: number[] = [];
    const trials = await tryHints([{ text: 'Think hard.', simulated: false }, { text: 'The answer is 1002 once.', simulated: false }, { text: 'Double the half.', simulated: false }], options(modelPolicy({ client })), (ended, of) => progress.push(ended / of), signal);
    expect(trials.map(({ hint, report, alone, leak }) => [hint.text, report.paired?.regret, alone?.mean, leak.values])).toEqual([
      ['Double the half.', 1, 0, []], ['Think hard.', 0, 0, []], ['The answer is 1002 once.', 0.25, 0.25, ['1002']],
    ]);
    // 4 plays without a hint, and 4 with each hint and 4 with each hint alone.
    expect(client.asked).toHaveLength(4 + 3 * 8);
    expect(progress.at(-1)).toBe(1);
  });

  it('have no control by something that is no model, and say that no model took part', async () => {
    const policy = simulatedLearner({ chance: 0, chanceWithHint: 1, seed: 0 });
    const [trial] = await tryHints([{ text: 'Double the half.', simulated: true }], options(policy), () => undefined, signal);
    expect(trial?.alone).toBeNull();
    expect(trial?.report.paired?.regret).toBe(1);
    expect(trial?.report.simulated).toBe(true);
  });

  it('are not compared when no play could be made: the error says why', async () => {
    let asked = 0;
    const silent: ModelClient = { name: 'silent', simulated: false, stream: () => { asked += 1; throw new ModelError('budget', message('Used up.'), message('Raise it.')); } };
    await expect(tryHints([{ text: 'a', simulated: false }], options(modelPolicy({ client: silent })), () => undefined, signal)).rejects.toMatchObject({ code: 'model/no-plays', what: { args: { why: 'Used up. Raise it.' } } });
    // A failed play is tried once more, and no play with a hint is begun.
    expect(asked).toBe(2 * seeds.length);
  });

  it('a cancelled comparison gives nothing', async () => {
    const stopper = new AbortController();
    await expect(tryHints([{ text: 'a', simulated: false }], options(modelPolicy({ client: agent() })), () => stopper.abort(), stopper.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('the agent that has the hint alone', () => {
  it('sees the hint and nothing of the environment, in no turn', async () => {
    const client = agent();
    const policy = hintOnlyPolicy(modelPolicy({ client }), 'Double it.');
    const observation = (text: string) => ({ kind: 'observation' as const, text });
    await policy.move({
      setting: { arm: 'noHint', seed: 0, play: 0, toolUse: false, tools: [] }, past: [{ shown: observation('secret one'), move: { reply: '\\boxed{1}' } }], shown: observation('secret two'),
      solution: () => Promise.resolve('s'), rehearse: () => Promise.resolve(1), otherSolutions: () => Promise.resolve(['s']), emit: () => undefined, waiting: () => undefined,
    }, signal);
    const said = JSON.stringify(client.asked[0]?.messages);
    expect(said).toContain('HINT: Double it.');
    expect(said).not.toContain('secret');
  });
});
