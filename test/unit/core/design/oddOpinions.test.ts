import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hintIn } from '../../../../src/core/design/hint';
import { findHintLeak, leakOf } from '../../../../src/core/design/hintLeak';
import { readScreen, screenEnvironment } from '../../../../src/core/design/screen';
import { holds, inWords, plainText } from '../../../../src/core/design/toldValues';
import { ModelError } from '../../../../src/core/models/errors';
import type { ChatEvent, ModelClient } from '../../../../src/core/ports';
import { message } from '../../../../src/shared/message';
import { hastyClock } from '../../../fakes/clocks';
import { scriptedSandbox, type FakeStep } from '../../../fakes/scriptedSandbox';

const signal = new AbortController().signal;
const singles = (...values: string[]) => values.map((value, seed) => ({ seed, values: [value] }));
const NUMBERS = singles('4711', '1234', '52800', '9006', '3077');
const leaked = (hint: string, answers = NUMBERS): readonly string[] => leakOf(hint, answers).values;

describe('an answer in a hint is found however it is written', () => {
  it.each([
    'It is 4711.', 'It is 4,711.', "It is 4'711", 'It is 4_711', 'It is 4711.0', 'Take 4 7 1 1', 'Take 4-7-1-1.', 'Take four thousand seven hundred eleven.',
    'Take Four Thousand, seven-hundred and eleven', 'Take ４７１１', 'Take 4\u200b7\u200b11', '\u202e4711\u202c', 'a\u00004711\u0007b', `${'word '.repeat(20_000)}4711`, '\ud83d 4711 \udc00', '4711\n\n',
  ])('%j', (hint) => {
    expect(leaked(hint)).toEqual(['4711']);
  });

  it.each([['0.5', 'one half, so 1/2'], ['0.5', 'about 50%'], ['3/4', 'it is 0.75'], ['\\frac{3}{4}', 'it is 0.75'], ['SESAME', 's.e.s.a.m.e'], ['SESAME', 'S E S A M E'], ['open-42-gate', 'say OPEN-42-GATE']])('%s in %j', (value, hint) => {
    expect(leaked(hint, singles(value, 'x1', 'y22', 'z333'))).toEqual([value]);
  });

  it('also when it is short or common, where the hint says that it is the answer', () => {
    expect(leaked('The answer is 42.', singles('42', '17', '23', '99', '61'))).toEqual(['42']);
    expect(leaked('Add the 42 tiles.', singles('42', '17', '23', '99', '61'))).toEqual([]);
    expect(leaked('The answer is a letter.', singles('A', 'B', 'C', 'D', 'E'))).toEqual([]);
  });

  it('also when it is the same on every seed', () => {
    expect(leakOf('Say blueberry.', singles(...Array.from({ length: 16 }, () => 'blueberry')))).toMatchObject({ values: ['blueberry'], tested: 16 });
  });

  it('every whole number below a million is read in words', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 999_999 }), (number) => holds(plainText(`Take ${inWords(number)} of them`), String(number))));
    expect([19, 40, 305, 1000, 12_345].map(inWords)).toEqual(['nineteen', 'forty', 'three hundred five', 'one thousand', 'twelve thousand three hundred forty five']);
  });
});

describe('what is no leak', () => {
  it.each(['', '   ', 'Add the two numbers and box the sum.', '14711', '4711.5', '47 then 11', 'Numbers have 4 digits: 1, 2, 3', 'four thousand seven hundred eleventh', 'It is 4,711,000'])('%j', (hint) => {
    expect(leaked(hint)).toEqual([]);
  });

  it('the names of a few classes are the form of the answer, unless the hint says which one it is', () => {
    const classes = singles(...Array.from({ length: 16 }, (_, seed) => (seed % 3 === 0 ? 'valid' : 'invalid')));
    expect(leaked('Say whether the sequence is valid or invalid.', classes)).toEqual([]);
    expect(leaked('The answer is invalid.', classes)).toEqual(['invalid']);
  });
});

describe('seeds whose answer cannot be looked for are not counted as tested', () => {
  const leakOfSolution = (solution: string) => findHintLeak(
    { open: () => scripted(solution).get().then((sandbox) => sandbox.open()) } as never, { name: 'e', source: '' }, 'Take 4711.', signal,
  );
  const scripted = (solution: string) => scriptedSandbox(() => ({ reset: () => 'task', step: (): FakeStep => ['', 0, false, false], solution: () => solution }));

  it.each([['', 0, []], ['Walk to the door, then open it and look at the number that is on it.', 0, []], ['Answer: 4711', 16, ['4711']], ['4711', 16, ['4711']]] as const)('%j', async (solution, tested, values) => {
    expect(await leakOfSolution(solution)).toMatchObject({ tested, values });
  });
});

describe('a hint in a reply', () => {
  it.each([
    ['"Look left."', 'Look left.'], ['“Look left.”', 'Look left.'], ['"Look" first, then say "north"', '"Look" first, then say "north"'], ['**Hint:** Look.', 'Look.'], ['Hint : Look.', 'Look.'],
    ['<think>no</think>\n\nLook.', 'Look.'], ['"', '"'], ['', ''], [`hint${' '.repeat(100_000)}x`, `hint${' '.repeat(100_000)}x`],
  ])('%j', (reply, hint) => {
    expect(hintIn(reply)).toBe(hint);
  });
});

describe('a screen is a pass only for a clear yes', () => {
  it.each([
    ['Sound. \\boxed{yes}', 'yes', 'passes'], ['\\boxed{ Yes }', 'yes', 'passes'], ['\\boxed{{yes}}', 'yes', 'passes'],
    ['\\boxed{yes} \\boxed{yes}', 'yes', 'passes'],
    ['\\boxed{yes} but no: \\boxed{no}', 'undecided', 'passes'], ['\\boxed{yes} but no: \\boxed{\\text{no}}', 'undecided', 'passes'], ['\\boxed{yes} \\boxed{no', 'undecided', 'passes'],
    ['<think>\\boxed{no}</think>\\boxed{yes}', 'no', 'rejects'], ['\\boxed{no}', 'no', 'rejects'], ['\\boxed{maybe}', 'undecided', 'rejects'], ['\\boxed{yes.}', 'undecided', 'rejects'],
    ['', 'undecided', 'passes'], ['   ', 'undecided', 'passes'], ['\\boxed{}', 'undecided', 'passes'], ['yes', 'undecided', 'passes'], ['{"verdict": "yes"', 'undecided', 'passes'],
    ['I cannot help with that.', 'undecided', 'passes'], [`\\boxed${' '.repeat(50_000)}`, 'undecided', 'passes'], ['\\boxed{'.repeat(20_000), 'undecided', 'passes'],
  ] as const)('%j', (reply, verdict, inTheRun) => {
    expect(readScreen(reply)).toMatchObject({ verdict, inTheRun });
  });

  const templates = { template: (name: string) => Promise.resolve({ name, version: '1', text: 'Fit?', overridden: false }), example: () => Promise.resolve('') };
  const asked = (stream: () => AsyncIterable<ChatEvent>) => screenEnvironment({
    client: { name: 'm', simulated: false, stream } satisfies ModelClient, templates, clock: hastyClock(), code: 'x',
  }, signal);
  const done = (finishReason: string): ChatEvent => ({ type: 'done', finishReason, calls: [], usage: null, warnings: [] });

  it.each(['length', 'content_filter'])('a reply that ends with %s is none, whatever it holds', async (finishReason) => {
    const result = await asked(async function* () { await Promise.resolve(); yield { type: 'text', text: '\\boxed{yes} so far' }; yield done(finishReason); });
    expect(result.verdict).toBe('undecided');
  });

  it('a stream that breaks after a yes is none', async () => {
    const result = await asked(async function* () {
      await Promise.resolve();
      yield { type: 'text', text: '\\boxed{yes}' };
      throw new ModelError('stream-error', message('The connection broke.'), message('Try again.'));
    });
    expect(result).toMatchObject({ verdict: 'undecided', inTheRun: 'passes', reason: expect.stringContaining('broke') as string });
  });
});
