import { expect, it } from 'vitest';
import { optionGroups } from '../../../../../src/core/checks/probe/options';

it.each([
  ['Name the animal: otter, robin, whale, gecko. Reply with \\boxed{animal}.', ['otter', 'robin', 'whale', 'gecko']],
  ['Moves: \\boxed{left}, \\boxed{right}.', ['left', 'right']],
  ['Which lamp (1-5) is lit?', ['1', '2', '3', '4', '5']],
  ['Pick the cell, \\boxed{1} to \\boxed{3}.', ['1', '2', '3']],
  ['Door A, B or C? Reply \\boxed{letter}.', ['A', 'B', 'C']],
  ['Which?\nA) red fox\nB) blue hen\nC) green frog', ['red fox', 'blue hen', 'green frog']],
])('%s', (text, options) => {
  expect(optionGroups(text)).toContainEqual(options);
});

it('boxes say where an option begins, whatever word stands before it', () => {
  expect(optionGroups('Go with \\boxed{down} or \\boxed{up}, then \\boxed{dig}.').flat()).not.toContain('with down');
  expect(optionGroups('Send \\boxed{go north} or \\boxed{go south}.')).toContainEqual(['go north', 'go south']);
});

it('a sum, a clock and a single placeholder offer nothing', () => {
  for (const text of ['12 + 30 = ? Reply \\boxed{total}.', 'It is 17:05.', 'How many is 3.5 - 2?']) expect(optionGroups(text)).toEqual([]);
});

it.each(['-', "'", ' ', '\n', '1', 'A', 'a,', 'a, ', 'a or ', 'of a, ', ' \n', 'one, two, ', '(', 'x: '])('a long text of %j alone comes back at once', (piece) => {
  const text = `Lamp A, B or C? ${piece.repeat(100_000 / piece.length)}`;
  expect(optionGroups(text)).toContainEqual(['A', 'B', 'C']);
}, 10_000);
