import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { StaticSession } from '../../src/core/checks/static/session';
import { testParser } from '../fakes/pythonParser';
import { report, summarise } from './measure';

/** A file of 300 lines: one environment with many methods, and helpers before it. */
function threeHundredLines(): string {
  const helpers = Array.from({ length: 24 }, (_, at) => `def shape_${at}(value, other=${at}):\n    """Part ${at} of the board."""\n    total = 0\n    for item in range(value):\n        total += item * other if item % 2 else item\n    if total > ${at * 10}:\n        return [total, other, f"{total} of {other}"]\n    return [value, other, "small"]\n\n\n`).join('');
  const env = readFileSync('test/fixtures/cases/05-step-uses-global-rng/env.py', 'utf8');
  const text = env.replace('\n\nclass', `\n\n${helpers}class`);
  return text + '# pad\n'.repeat(Math.max(0, 300 - text.split('\n').length));
}

it('static pass of a 300-line file after one keystroke', async () => {
  const session = new StaticSession(await testParser());
  const context = { profile: null, interpreter: null };
  const text = threeHundredLines();
  expect(text.split('\n').length).toBeGreaterThanOrEqual(300);
  const at = text.indexOf('total += item') + 'total += item'.length;
  const typed = 'abcdefghij';
  const samples: number[] = [];
  for (let round = 0; round < 60; round += 1) {
    for (let length = 0; length <= typed.length; length += 1) {
      const edited = text.slice(0, at) + typed.slice(0, length) + text.slice(at);
      const started = performance.now();
      session.check('file', edited, context);
      if (round >= 5) samples.push(performance.now() - started);
    }
  }
  const times = summarise(samples);
  report('static pass, 300 lines, one keystroke', times, '10 ms median, 30 ms p95');
  expect(times.median).toBeLessThan(10);
  expect(times.p95).toBeLessThan(30);
});

it('static pass of a 10,000-line file after one keystroke', async () => {
  const session = new StaticSession(await testParser());
  const text = Array.from({ length: 34 }, () => threeHundredLines()).join('\n');
  const samples: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const edited = `${text}\n# ${round}\n`;
    const started = performance.now();
    session.check('file', edited, { profile: null, interpreter: null });
    if (round >= 2) samples.push(performance.now() - started);
  }
  report('static pass, 10,000 lines, one keystroke (on a thread in the editor)', summarise(samples), 'none');
});
