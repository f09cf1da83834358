import { describe, expect, it } from 'vitest';
import { batchText, draftText, readBatch, readDraft, type KeptBatch, type KeptDraft } from '../../../../src/core/design/storedDraft';
import { message } from '../../../../src/shared/message';

const cost = { calls: 1, promptTokens: 10, completionTokens: null, ms: 12 };
const options: KeptDraft['options'] = {
  task: {
    kind: 'grounded', skill: 'Optimization', difficulty: 'hard', themeSeed: 3, document: { id: 'c:1', text: 'Text.' },
    examples: [{ use: 'seed', gameFile: 'g.py', code: 'x', winRate: 0.5, regret: 0.2, reason: null, rank: 1, odds: 0.5 }],
  },
  memory: { file: 'm.json', drawSeed: 4 }, sampling: { temperature: 1 }, thinking: true, repairs: 2, wish: 'harder', from: { code: 'y', report: null },
};
const kept: KeptDraft = {
  id: 7, uri: 'untitled:1', options, costs: { designer: cost, hint: cost }, batch: 2,
  draft: {
    attempts: [{ reply: 'r', reasoning: '', code: 'c', problem: null, cost, warnings: [], report: { file: 'f', verdict: 'reject', class: 'AEnv', profile: 'c', findings: [], suppressed: [], notChecked: [], timing: { staticMs: 1, probeMs: null } } }],
    code: 'c', verdict: 'reject', cost, stopped: 'Cancelled.',
    provenance: {
      schema: 1, model: 'm', simulated: false, at: new Date(0).toISOString(), kind: 'grounded', skill: 'Optimization', difficulty: 'hard', theme: 't', themeSeed: 3, promptHash: 'h',
      templates: {}, memory: null, document: null, sampling: {}, thinking: null, attempts: 1, repairs: 2, wish: 'harder', from: { hash: 'x', findings: ['a'] },
    },
  },
};
const batch: KeptBatch = {
  id: 2, at: 5, tasks: [options, options, options, options],
  items: [{ state: 'done', draft: 7 }, { state: 'running' }, { state: 'failed', code: 'model/x', what: message('W'), next: message('N') }, { state: 'queued' }],
};

describe('a kept draft', () => {
  it('is read as it was written, with everything that makes it again', () => {
    expect(readDraft(draftText(kept))).toEqual({ v: 1, ...kept });
  });

  it('that is torn, of another version or no draft is none', () => {
    const text = draftText(kept);
    for (const other of [text.slice(0, -5), text.replace('"v":1', '"v":2'), '{}', '[]', '', text.replace('"Optimization"', '"Cooking"')]) expect(readDraft(other)).toBeUndefined();
  });
});

describe('a kept batch', () => {
  it('knows what is done and what failed; what was under way has been cancelled', () => {
    expect(readBatch(batchText(batch))?.items).toEqual([batch.items[0], { state: 'cancelled' }, batch.items[2], { state: 'cancelled' }]);
    expect(readBatch('{"v":1}')).toBeUndefined();
  });
});
