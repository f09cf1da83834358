import { describe, expect, it } from 'vitest';
import type { ProbeFacts } from '../../../../../src/core/checks/probe/facts';
import { boxPatternBites } from '../../../../../src/core/checks/probe/rules/boxPatterns';
import { checkById } from '../../../../../src/core/checks/catalog';
import { toFinding } from '../../../../../src/core/checks/static/run';
import { environment, read } from './harness';

/** Facts of a file whose `solution()` gave this text on seed 0. */
function facts(text: string, solution: string | null): ProbeFacts {
  const told = solution === null ? null : { kind: 'solution' as const, value: { type: 'str', repr: solution }, text: { type: 'str', text: solution, length: solution.length, cut: false } };
  const nothing = { printed: 0, printLines: [], audits: [], globalChanges: [] };
  return {
    file: read(text), profile: 's', load: null, loadError: null, openings: [], importEffects: null, effects: nothing, python: '3.11.7', callMs: 1000, lines: { asked: 0, of: () => undefined },
    episodes: [{
      spec: { purpose: 'seed', seed: 0, moves: [] }, load: null, maxTurns: null, reset: null, turns: [], company: null, earlier: null, failure: null,
      atReset: { snapshot: null, solution: told, solutionError: null, criteria: null }, atEnd: { solution: null, solutionError: null, criteria: null },
    }],
  };
}

describe('boxed-regex-cuts-nested-braces', () => {
  const cutting = environment();
  it.each(['\\frac{1}{2}', '\\boxed{\\frac{1}{2}}', '{1, 2}'])('bites when the answer is %s, on the line of the pattern', (solution) => {
    const { findings } = boxPatternBites(facts(cutting, solution));
    expect(findings.map(({ range, evidence }) => [range.line, evidence?.seed])).toEqual([[20, 0]]);
    expect(toFinding(checkById('boxed-regex-cuts-nested-braces')!, findings[0]!, 'probe', 's')).toMatchObject({ stage: 'static', severity: 'warning' });
  });
  it.each(['42', '\\boxed{42}', '\\boxed{left}, \\boxed{right}', 'First go to the {red} door and then look behind the old chair in the corner of the room.'])('is silent when the answer is %s', (solution) => {
    expect(boxPatternBites(facts(cutting, solution)).findings).toEqual([]);
  });
  it('is silent when the pattern reads to the matching brace', () => {
    const balanced = environment({ step: '    def step(self, action):\n        m = re.search(r"\\\\boxed\\{((?:[^{}]|\\{[^{}]*\\})*)\\}", action)\n        return "x", 0.0, True, False, {}' });
    expect(boxPatternBites(facts(balanced, '\\frac{1}{2}'))).toEqual({ findings: [], notChecked: [] });
  });
  it('is not made while no answer is known', () => {
    const { findings, notChecked } = boxPatternBites(facts(cutting, null));
    expect([findings.length, notChecked.length]).toEqual([0, 1]);
  });
});
