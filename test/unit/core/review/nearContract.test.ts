import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { readPython } from '../../../../src/core/environment/pythonDocument';
import type { PythonParser } from '../../../../src/core/ports';
import { nearContract, wrapNearContract } from '../../../../src/core/review/nearContract';
import { createPythonParser } from '../../../../src/node/checks/parser';
import { parserAssets } from './parserAssets';

const gem = `import random


class GuessEnv:
    def reset(self, seed=None):
        self.n = random.Random(seed).randint(1, 9)
        return "Guess.", {"suffix": " Reply with \\\\boxed{n}."}

    def step(self, action):
        won = action == "\\\\boxed{%d}" % self.n
        return "Hm.", 1.0 if won else 0.0, won, False, {"suffix": " Again."}

    def solution(self):
        return str(self.n)
`;

const gym = `import random


class CounterEnv:
    def reset(self):
        self.goal = random.randint(3, 5)
        self.at = 0
        return self.at

    def step(self, action):
        self.at += action == "up"
        done = self.at >= self.goal
        return self.at, int(done), done, {"TimeLimit.truncated": False}


def make():
    return CounterEnv()
`;

const named = `class Echo:
    def reset(self, seed=None):
        return "Say hello.", {}

    def step(self, action):
        return "Bye.", 1.0, True, False, {}
`;

let parser: PythonParser;
beforeAll(async () => {
  parser = await createPythonParser(parserAssets());
});

/** Wraps a text, plays the actions on seed 7, and gives what Python printed: the observation, then each step. */
function play(source: string, ...actions: string[]): { className: string; lines: string[] } {
  const file = readPython(parser, source);
  const wrapped = wrapNearContract(file, nearContract(file)!);
  expect(readPython(parser, wrapped.source).picked?.name).toBe(wrapped.className);
  const script = `${wrapped.source}\nimport json\nenv = ${wrapped.className}(max_turns=3)\nobs, info = env.reset(seed=7)\nprint(json.dumps(obs))\n`
    + `for a in json.loads(${JSON.stringify(JSON.stringify(actions))}):\n    print(json.dumps(env.step(a)))\n`;
  const lines = execFileSync('python3', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
  return { className: wrapped.className, lines };
}

describe('near contracts', () => {
  it('complete the observation of a GEM class by its suffix', () => {
    const { className, lines } = play(gem, '\\boxed{0}');
    expect(className).toBe('GuessEnv');
    expect(JSON.parse(lines[0]!)).toBe('Guess. Reply with \\boxed{n}.');
    expect(JSON.parse(lines[1]!)).toEqual(['Hm. Again.', 0, false, false, { suffix: ' Again.' }]);
  });

  it('turn four values into five, seed the generator, take actions out of their box, and end at the limit', () => {
    const { lines } = play(gym, 'I go \\boxed{up}', '\\boxed{down}', 'up');
    expect(play(gym, 'up').lines[0]).toBe(lines[0]);
    expect(lines.slice(1).map((line) => (JSON.parse(line) as unknown[]).slice(0, 4))).toEqual([
      ['1', 0, false, false], ['1', 0, false, false], ['2', 0, false, true],
    ]);
  });

  it('give a class the name that the loader looks for', () => {
    expect(play(named, 'hello').className).toBe('EchoEnv');
  });

  it('leave alone what the run takes as it is, and what does not play at all', () => {
    expect(nearContract(readPython(parser, named.replace('class Echo', 'class EchoEnv')))).toBeNull();
    expect(nearContract(readPython(parser, 'class Thing:\n    def reset(self):\n        pass\n'))).toBeNull();
    expect(nearContract(readPython(parser, ''))).toBeNull();
  });
});
