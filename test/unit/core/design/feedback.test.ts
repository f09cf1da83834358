import { describe, expect, it } from 'vitest';
import { describeFindings } from '../../../../src/core/design/feedback';
import type { Finding, TextEdit } from '../../../../src/shared/findings';
import { message } from '../../../../src/shared/message';

const code = 'class AEnv:\n    def step(self, action):\n        return "x", 1.0, True, {}\n\n    def reset(self):\n        return f"{n}"\n';
const finding = (over: Partial<Finding>): Finding => ({ id: 'a', severity: 'error', line: 3, column: 9, endLine: 3, endColumn: 12, stage: 'static', message: message('What {n}.', { n: 1 }), evidence: null, fix: null, related: [], ...over });
const fix = (...edits: TextEdit[]): Finding['fix'] => ({ title: message('Mend'), edits });
const at = (line: number, column: number, newText: string, endLine = line, endColumn = column): TextEdit => ({ line, column, endLine, endColumn, newText });
const told = (...findings: Finding[]) => describeFindings({ findings }, code);

describe('what the designer is told of a finding', () => {
  it('quotes the line, and the line as it reads with the fix that a check knows', () => {
    expect(told(finding({ fix: fix(at(3, 32, 'False, ')) }))).toBe('1. a (error), line 3: What 1.\n   the line: return "x", 1.0, True, {}\n   write in its place: return "x", 1.0, True, False, {}');
    expect(told(finding({}))).not.toContain('write in its place');
  });

  it('makes the edits of a fix together, whatever their order, and tells all lines that they touch', () => {
    const one = told(finding({ line: 6, fix: fix(at(6, 18, '{'), at(6, 21, '}')) }));
    expect(one).toContain('write in its place: return f"{{n}}"');
    expect(told(finding({ line: 6, fix: fix(at(6, 21, '}'), at(6, 18, '{')) }))).toBe(one);
    expect(told(finding({ fix: fix(at(1, 1, 'import re\n')) }))).toContain('write in its place: import re');
    expect(told(finding({ fix: fix(at(2, 5, 'one\n    two\n    ')) }))).toContain('write in its place:     one\n       two');
  });

  it('tells no lines of a fix that only takes away, or is long', () => {
    expect(told(finding({ fix: fix(at(3, 1, '', 4, 1)) }))).not.toContain('write in its place');
    expect(told(finding({ fix: fix(at(1, 1, 'x\n'.repeat(7))) }))).not.toContain('write in its place');
  });

  it('puts errors first, leaves infos out, and says how many are left out', () => {
    const many = [finding({ id: 'i', severity: 'info' }), finding({ id: 'w', severity: 'warning' }), ...Array.from({ length: 12 }, (_, n) => finding({ id: `e${n}` }))];
    const lines = told(...many).split('\n').filter((line) => /^\d/.test(line));
    expect(lines[0]).toMatch(/^1\. e0/);
    expect(lines.at(-1)).toMatch(/^1 more/);
    expect(told(finding({ severity: 'info' }))).toBe('');
  });
});
