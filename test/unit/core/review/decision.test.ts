import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reviewerAgreement } from '../../../../src/core/review/agreement';
import { anchorNote, findAnchor } from '../../../../src/core/review/anchor';
import { currentDecisions, Decision, decisionFileName, jointVerdict, writeDecision } from '../../../../src/core/review/decision';

const hash = (letter: string) => letter.repeat(64);
const decisions = fc.record({
  version: fc.constant(1 as const),
  id: fc.stringMatching(/^[a-f0-9]{12}$/),
  contentHash: fc.constantFrom(hash('a'), hash('b'), hash('c')),
  file: fc.constantFrom('x_env.py', 'y_env.py'),
  reviewer: fc.constantFrom('first', 'second', 'third'),
  verdict: fc.constantFrom('accept' as const, 'reject' as const, 'needs-work' as const),
  reasons: fc.constant<Decision['reasons']>([]),
  comment: fc.string(),
  at: fc.constantFrom('2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z', '2026-01-02T10:00:00Z'),
});
const sets = fc.uniqueArray(decisions, { selector: ({ id }) => id });

/** What a merge of two branches of files does: the union of their names. */
const merge = (a: readonly Decision[], b: readonly Decision[]) =>
  [...new Map([...a, ...b].map((decision) => [decisionFileName(decision), decision])).values()];

describe('decisions', () => {
  it('mean the same in whatever order branches are merged, and merging twice changes nothing', () => {
    fc.assert(fc.property(sets, sets, sets, (a, b, c) => {
      const others = { a, b: b.filter((x) => !a.some((y) => y.id === x.id)), c: c.filter((x) => ![...a, ...b].some((y) => y.id === x.id)) };
      const one = currentDecisions(merge(merge(others.a, others.b), others.c));
      expect(currentDecisions(merge(others.c, merge(others.b, others.a)))).toEqual(one);
      expect(currentDecisions(merge(one, one))).toEqual(one);
    }));
  });

  it('keep one in force for each content and reviewer, the newest', () => {
    fc.assert(fc.property(sets, (all) => {
      const current = currentDecisions(all);
      expect(new Set(current.map((d) => d.contentHash + d.reviewer)).size).toBe(current.length);
      for (const decision of all) {
        const winner = current.find((d) => d.contentHash === decision.contentHash && d.reviewer === decision.reviewer);
        expect(winner!.at >= decision.at).toBe(true);
      }
    }));
  });

  it('survive writing and reading', () => {
    fc.assert(fc.property(decisions, (decision) => {
      expect(Decision.parse(JSON.parse(writeDecision(decision)))).toEqual(decision);
    }));
  });

  it('reject when one rejects and accept only when all do', () => {
    const make = (...verdicts: Decision['verdict'][]) => fc.sample(decisions, verdicts.length).map((d, i) => ({ ...d, verdict: verdicts[i]! }));
    expect(jointVerdict([])).toBeNull();
    expect(jointVerdict(make('accept', 'accept'))).toBe('accept');
    expect(jointVerdict(make('accept', 'needs-work'))).toBe('needs-work');
    expect(jointVerdict(make('accept', 'reject', 'needs-work'))).toBe('reject');
  });
});

describe('agreement', () => {
  const vote = (contentHash: string, reviewer: string, verdict: Decision['verdict']): Decision =>
    ({ version: 1, id: `${contentHash[0]}-${reviewer}-0000`, contentHash, file: 'f', reviewer, verdict, reasons: [], comment: '', at: '2026-01-01T00:00:00Z' });

  it('is nothing without a content that two decided on', () => {
    expect(reviewerAgreement([vote(hash('a'), 'first', 'accept')])).toEqual({ contents: 0, share: null, kappa: null });
  });

  it('is 1 when all agree on mixed verdicts, and below 0 when they always differ', () => {
    const same = ['a', 'b'].flatMap((c, i) => ['first', 'second'].map((r) => vote(hash(c), r, i === 0 ? 'accept' : 'reject')));
    expect(reviewerAgreement(same)).toEqual({ contents: 2, share: 1, kappa: 1 });
    const differ = ['a', 'b'].flatMap((c) => [vote(hash(c), 'first', 'accept'), vote(hash(c), 'second', 'reject')]);
    expect(reviewerAgreement(differ).share).toBe(0);
    expect(reviewerAgreement(differ).kappa).toBeCloseTo(-1);
  });
});

describe('notes', () => {
  const text = 'a = 1\nb = 2\nc = 3\n\nd = 4\n';

  it('follow their line through lines put before it', () => {
    const note = anchorNote(text, 3, 'why 3', '2026-01-01T00:00:00Z');
    expect(findAnchor(`import x\n\n${text}`, note)).toEqual({ line: 5, exact: true });
  });

  it('take the line whose neighbours fit, when several are equal', () => {
    const twice = 'x\nreturn 0\ny\nz\nreturn 0\nw\n';
    const note = anchorNote(twice, 5, 'this one', '2026-01-01T00:00:00Z');
    expect(findAnchor(`new\n${twice}`, note)).toEqual({ line: 6, exact: true });
  });

  it('stay between their neighbours when the line is gone, and say so', () => {
    const note = anchorNote(text, 2, 'b?', '2026-01-01T00:00:00Z');
    expect(findAnchor('new\na = 1\nb = 99\nc = 3\n', note)).toEqual({ line: 3, exact: false });
    expect(findAnchor('', note)).toEqual({ line: 1, exact: false });
  });

  it('find their own place in the unchanged text', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom('a', 'b', ' ', 'c = 1'), { minLength: 1 }), fc.nat(), (lines, at) => {
      const line = (at % lines.length) + 1;
      const found = findAnchor(lines.join('\n'), anchorNote(lines.join('\n'), line, 'x', '2026-01-01T00:00:00Z'));
      expect(lines[found.line - 1]).toBe(lines[line - 1]);
    }));
  });
});
