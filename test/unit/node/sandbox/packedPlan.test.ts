import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packed } from '../../../../src/node/sandbox/packedPlan';
import { PlanRun, SentPlan, type ProbePlan } from '../../../../src/shared/hostProtocol';

const planOf = (...ops: ProbePlan['runs'][number]['ops']): ProbePlan => ({ batched: true, runs: [{ id: 'a', thread: 'worker', goOn: true, ops }] });
const steps = (texts: readonly string[], more: object = {}) => (
  { op: 'steps', on: 0, actions: texts.map((text) => ({ text })), count: texts.length, stopAtEnd: true, trace: false, ...more } as const
);
const whole = (text: SentPlan['texts'][number]): string => (typeof text === 'string' ? text : text[0] + text[1].repeat(text[2]) + text[3]);

/** The plan that crossed, as the host reads it. */
function read({ texts, runs, ...rest }: SentPlan): unknown {
  const textOf = (action: unknown): unknown => (typeof action === 'number' ? whole(texts[action]!) : action);
  return {
    ...rest,
    runs: runs.map((run) => PlanRun.parse({
      ...run,
      ops: run.ops.map((op) => {
        if (op.op === 'openings') return { ...op, actions: op.actions.map(textOf) };
        return op.op === 'steps' ? { ...op, actions: op.actions.map((action) => (typeof action === 'number' ? { text: textOf(action) } : action)) } : op;
      }),
    })),
  };
}

describe('a plan that crosses', () => {
  it('is read as it was, whatever its actions are', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }), fc.integer({ min: 900, max: 3000 }), fc.string()).map(([before, part, times, after]) => before + part.repeat(times) + after),
    );
    fc.assert(fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), fc.boolean(), fc.integer({ min: 0, max: 1 }), fc.option(fc.integer()), (texts, flag, on, maxTurns) => {
      const plan = planOf(
        { op: 'construct', on, construction: 'play', maxTurns, ...(flag ? { brief: true } : {}) }, { op: 'reset', on, seed: null },
        steps(texts, { on, stopAtEnd: flag, trace: !flag }), steps(['x'], { actions: [{ text: 'x', boxed: true }] }), { op: 'openings', on: 0, seed: 3, actions: texts },
      );
      const sent = SentPlan.parse(JSON.parse(JSON.stringify(packed(plan))));
      expect(read(sent)).toEqual(plan);
    }));
  });

  it('tells each action once, and a character that is repeated by its number', () => {
    const long = `\\boxed{${'9'.repeat(20_000)}}`;
    const { texts } = packed(planOf(steps(['a', long, 'a']), steps([long]), { op: 'openings', on: 0, seed: 1, actions: ['a', 'b'] }));
    expect(texts).toEqual(['a', ['\\boxed{', '9', 20_000, '}'], 'b']);
  });
});
