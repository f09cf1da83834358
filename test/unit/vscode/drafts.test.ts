import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Draft, DesignOptions } from '../../../src/core/design/designer';
import { NodeFileStore } from '../../../src/node/files/nodeFileStore';
import { Drafts } from '../../../src/vscode/design/drafts';

const folder = mkdtempSync(join(tmpdir(), 'envwright-drafts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const files = new NodeFileStore();
const warned: string[] = [];
const open = () => new Drafts({ files: () => Promise.resolve(files), folder, log: { warn: (text) => warned.push(text) } });

const cost = { calls: 1, promptTokens: 10, completionTokens: 5, ms: 12 };
const options: DesignOptions = {
  task: { kind: 'single-turn', skill: 'Optimization', difficulty: 'easy', themeSeed: 0, document: null, examples: [] }, memory: null, sampling: {}, repairs: 1,
};
const draft = (code: string): Draft => ({
  attempts: [{ reply: '', reasoning: '', code: 'first', report: null, problem: null, cost, warnings: [] }], code, verdict: 'accept', cost,
  provenance: {
    schema: 1, model: 'm', simulated: false, at: new Date(0).toISOString(), kind: 'single-turn', skill: 'Optimization', difficulty: 'easy', theme: 't', themeSeed: 0, promptHash: 'h',
    templates: {}, memory: null, document: null, sampling: {}, thinking: null, attempts: 1,
  },
});

describe('the drafts of a workspace', () => {
  it('are there again in the next session, with their first draft and what each role used', async () => {
    const first = open();
    const one = await first.add('untitled:1', options, draft('code one'));
    await first.add('untitled:2', options, draft('code two'));
    first.addCost('  code one\n', 'hint', cost);
    first.addCost('code one', 'hint', cost);
    first.discard(2);
    const batch = await first.addBatch(9, [options, options]);
    first.setItem(batch.id, 0, { state: 'done', draft: one.id });
    await first.flushed();

    writeFileSync(join(folder, 'draft-99.json'), '{"torn');
    const next = open();
    await next.load();
    expect(next.all.map(({ id, draft: { code, attempts } }) => [id, code, attempts[0]?.code])).toEqual([[1, 'code one', 'first']]);
    expect(next.all[0]?.costs).toEqual({ designer: cost, hint: { ...cost, calls: 2, promptTokens: 20, completionTokens: 10, ms: 24 } });
    expect(next.batches.map(({ items }) => items)).toEqual([[{ state: 'done', draft: 1 }, { state: 'cancelled' }]]);
    expect(next.of('code one')?.provenance.model).toBe('m');
    expect((await next.add('', options, draft('three'))).id).toBeGreaterThan(batch.id);
    next.discardBatch(batch.id);
    await next.flushed();
    expect(readdirSync(folder).filter((name) => name.startsWith('batch-'))).toEqual([]);
    expect(warned.splice(0)).toEqual([expect.stringContaining('draft-99.json cannot be read') as unknown]);
    rmSync(join(folder, 'draft-99.json'));
  });

  it('belong to their batch also when the window went away before the batch named them, each to one item', async () => {
    const other = { ...options, task: { ...options.task, themeSeed: 1 } };
    const first = open();
    const batch = await first.addBatch(9, [options, other, options]);
    first.setItem(batch.id, 0, { state: 'done', draft: (await first.add('', options, draft('named'), { batch: batch.id })).id });
    for (const index of [1, 2]) first.setItem(batch.id, index, { state: 'running' });
    const lost = await first.add('', other, draft('lost'), { batch: batch.id });
    const alone = await first.add('', other, draft('made again'));
    await first.flushed();

    const next = open();
    await next.load();
    const items = next.batches.find(({ id }) => id === batch.id)?.items;
    expect(items).toMatchObject([{ state: 'done' }, { state: 'done', draft: lost.id }, { state: 'cancelled' }]);
    expect(next.all.find(({ id }) => id === alone.id)?.batch).toBeNull();
    next.discardBatch(batch.id);
    await next.flushed();
  });

  it('that cannot be kept are still there in this window, and the log says why', async () => {
    const drafts = new Drafts({ files: () => Promise.reject(new Error('no disk')), folder, log: { warn: (text) => warned.push(text) } });
    await drafts.add('untitled:1', options, draft('code'));
    await drafts.flushed();
    expect(drafts.all).toHaveLength(1);
    expect(warned.at(-1)).toMatch(/no disk/);
  });
});
