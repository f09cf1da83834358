import { expect, it } from 'vitest';
import { locateShared } from '../../../../../src/core/checks/static/locate';
import { environment, firesOn, read } from './harness';

const stepOf = (lines: string): string => `    def step(self, action):\n${lines.replace(/^/gm, '        ')}\n        return "x", 0.0, True, False, {}`;
const place = (before: string, lines: string): string | null => {
  const text = environment({ before, step: stepOf(lines) });
  const line = locateShared(read(text))?.line;
  return line === undefined ? null : (text.split('\n')[line - 1] ?? null);
};

it('what instances share is where it is made: a list that is changed, a number that is bound anew', () => {
  expect(place('LOG = []\nOTHER = []\n', 'LOG.append(action)')).toBe('LOG = []');
  expect(place('COUNT = 0\nLIMIT = 3\n', 'global COUNT\nCOUNT += LIMIT')).toBe('COUNT = 0');
  expect(place('COUNT = 0\n', 'COUNT = 1')).toBeNull();
});

it('a target that is no name, whatever stands in it, is passed over', () => {
  const odd = 'f("(").y = 1\n';
  expect(place(`COUNT = 0\n${odd}`, `${odd}global COUNT\nCOUNT += 1`)).toBe('COUNT = 0');
  expect(place(odd, odd.trim())).toBeNull();
});

it('a helper’s own attribute is not the environment’s of the same name', () => {
  const helpers = (called: string): string => `class Runner:
    def run(self, text):
        return eval(text)


class Log:
    def __init__(self, tool):
        self.tool = tool

    def note(self, text):
        return ${called}


`;
  const made = '        self.tool = Runner()\n        self.log = Log(None)\n';
  const text = (called: string): string => `${helpers(called)}class GameEnv:\n    def reset(self, seed=None):\n${made}        return "x", {}\n\n${stepOf('self.log.note(action)')}\n`;
  expect(firesOn(text('self.tool.run(text)'), 'action-is-evaluated')).toEqual([]);
  expect(firesOn(text('Runner().run(text)'), 'action-is-evaluated')).toEqual([3]);
});
