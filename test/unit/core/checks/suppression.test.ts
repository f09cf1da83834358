import { describe, expect, it } from 'vitest';
import { applySuppressions, contentHash, type Suppression } from '../../../../src/core/checks/suppression';
import type { Finding, Severity } from '../../../../src/shared/findings';

const finding = (id: string, severity: Severity): Finding => ({
  line: 1, column: 1, endLine: 1, endColumn: 2, id, severity, message: { template: '', args: {} }, stage: 'probe', evidence: null, fix: null, related: [],
});
const HASH = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);
const apply = (findings: Finding[], suppressions: Suppression[], unmade: string[] = []) => (
  applySuppressions(findings, suppressions, { file: 'env.py', hash: HASH, made: (id) => !unmade.includes(id), known: (id) => ['never-ends', 'guessable'].includes(id) })
);

describe('silencing', () => {
  it('hashes the UTF-8 form with SHA-256', async () => {
    expect(await contentHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(await contentHash('é')).not.toBe(await contentHash('e'));
  });

  it('of a file holds for its content only, and the silenced are listed', () => {
    const entry = { scope: 'file', id: 'never-ends', file: 'env.py', hash: HASH } as const;
    const { open, suppressed } = apply([finding('never-ends', 'error'), finding('guessable', 'warning')], [entry]);
    expect(open.map(({ id }) => id)).toEqual(['guessable']);
    expect(suppressed.map(({ id }) => id)).toEqual(['never-ends']);
    const changed = apply([finding('never-ends', 'error')], [{ ...entry, hash: OTHER }]);
    expect(changed.open).toHaveLength(1);
    expect(changed.stale.map(({ id }) => id)).toEqual(['never-ends']);
  });

  it('of the workspace never reaches an error', () => {
    const { open, suppressed } = apply([finding('guessable', 'warning'), finding('never-ends', 'error')], [{ scope: 'workspace', id: 'guessable' }, { scope: 'workspace', id: 'never-ends' }]);
    expect(open.map(({ id }) => id)).toEqual(['never-ends']);
    expect(suppressed.map(({ id }) => id)).toEqual(['guessable']);
  });

  it('by a name that no check has silences nothing, and is told of', () => {
    for (const id of ['*', 'Never-Ends', 'never-*', 'constructor', '']) {
      for (const entry of [{ scope: 'workspace', id }, { scope: 'file', id, file: 'env.py', hash: HASH }] as const) {
        const { open, stale } = apply([finding('never-ends', 'error'), finding('guessable', 'warning')], [entry]);
        expect(open).toHaveLength(2);
        expect(stale).toMatchObject([{ id, reason: { template: expect.stringContaining('There is no check') as string } }]);
      }
      expect(apply([], [{ scope: 'file', id, file: 'another.py', hash: OTHER }]).stale).toEqual([]);
    }
  });

  it('of the workspace says why it leaves an error open', () => {
    const entry = { scope: 'workspace', id: 'never-ends' } as const;
    expect(apply([finding('never-ends', 'error')], [entry]).stale).toMatchObject([{ id: 'never-ends', reason: { template: expect.stringContaining('file by file') as string } }]);
    expect(apply([finding('never-ends', 'warning')], [entry])).toMatchObject({ open: [], stale: [] });
  });

  it('is stale when its check was made and finds nothing, not when it could not be made', () => {
    const entry = { scope: 'file', id: 'never-ends', file: 'env.py', hash: HASH } as const;
    expect(apply([], [entry]).stale).toHaveLength(1);
    expect(apply([], [entry], ['never-ends']).stale).toHaveLength(0);
  });
});
