import { expect, it } from 'vitest';
import { callsMade } from '../../../../src/core/play/replay';
import type { EpisodeStep } from '../../../../src/shared/play';

const called = (reply: string, calls: EpisodeStep['calls']): EpisodeStep => ({
  observation: '', reply, thinking: '', action: '', calls, reward: null, terminated: false, truncated: false, notices: [],
});
const nested = { name: 'refund', arguments: { line: { id: 1 } } };
const reply = `<tool_call>\n${JSON.stringify(nested)}\n</tool_call>`;

it('a saved call is made again with what reached the tool: all of it, or what the run was left with', () => {
  const made = (followRun: boolean) => callsMade(called(reply, [{ id: 'a', ...nested }]), 'noHint', { thinking: false, followRun }).map(({ call, arguments: args }) => [call.name, args]);
  expect(made(false)).toEqual([['refund', { line: { id: 1 } }]]);
  expect(made(true)).toEqual([['refund', {}]]);
});

it('a step that was an action made no call', () => {
  expect(callsMade(called('\\boxed{1}', []), 'hint', { thinking: false, followRun: false })).toEqual([]);
});
