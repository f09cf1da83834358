import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../../src/core/review/decision';
import { ReviewStore } from '../../../../src/core/review/reviewStore';
import { summariseReviews } from '../../../../src/core/review/reviewSummary';
import { NodeFileStore } from '../../../../src/node/files/nodeFileStore';
import { tempFolder } from '../../../helpers/tempFolder';

const files = new NodeFileStore();
const hash = (letter: string): string => letter.repeat(64);
const say = (reviewer: string, content: string, verdict: Decision['verdict'], at: string): Decision =>
  ({ version: 1, id: randomUUID(), contentHash: hash(content), file: `${content}_env.py`, reviewer, verdict, reasons: [], comment: '', at });

describe('the folders of two reviewers', () => {
  it('merge by version control without a conflict, and the merged folder holds what both said', async () => {
    const folder = tempFolder();
    const git = (...argv: string[]): string => execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', '-c', 'init.defaultBranch=main', ...argv], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    git('init', '-q');
    writeFileSync(join(folder, 'README.md'), 'a pool\n');
    git('add', '-A');
    git('commit', '-qm', 'start');
    for (const [reviewer, verdict] of [['first', 'accept'], ['second', 'reject']] as const) {
      git('checkout', '-q', '-b', reviewer, 'main');
      const store = new ReviewStore(files, folder);
      await store.decide(say(reviewer, 'a', 'accept', '2026-01-01T10:00:00Z'));
      await store.decide(say(reviewer, 'b', 'reject', '2026-01-01T10:00:00Z'));
      await store.decide(say(reviewer, 'b', verdict, '2026-01-01T11:00:00Z'));
      await store.addNote({ version: 1, id: randomUUID(), contentHash: hash('a'), file: 'a_env.py', reviewer, note: { line: 1, text: 'x', before: null, after: null, body: 'why?', at: '2026-01-01T10:00:00Z' }, answers: null });
      git('add', '-A');
      git('commit', '-qm', reviewer);
    }
    git('checkout', '-q', 'main');
    git('merge', '-q', '--no-edit', 'first');
    git('merge', '-q', '--no-edit', 'second');
    expect(git('status', '--porcelain')).toBe('');
    const { decisions, notes, problems } = await new ReviewStore(files, folder).load();
    expect(problems).toEqual([]);
    expect([decisions.length, notes.length]).toEqual([6, 2]);
    const summary = summariseReviews(decisions);
    expect(summary.reviewers).toEqual([{ name: 'first', accept: 2, reject: 0, needsWork: 0 }, { name: 'second', accept: 1, reject: 1, needsWork: 0 }]);
    expect(summary.disputed.map(({ file }) => file)).toEqual(['b_env.py']);
    expect(summary.agreement).toMatchObject({ contents: 2, share: 0.5 });
  });

  it('name a file that cannot be read, use the rest, and read each only once', async () => {
    const folder = tempFolder();
    const store = new ReviewStore(files, folder);
    await store.decide(say('first', 'a', 'accept', '2026-01-01T10:00:00Z'));
    writeFileSync(join(store.folder, 'torn.json'), '{"version": 1,');
    const { decisions, problems } = await store.load();
    expect(decisions).toHaveLength(1);
    expect(problems.map(({ file }) => file)).toEqual([join(store.folder, 'torn.json')]);
    await store.takeBack(decisions[0]!);
    expect((await store.load()).decisions).toEqual([]);
  });
});
