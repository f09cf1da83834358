import { describe, expect, it, vi } from 'vitest';
import type { Draft } from '../../../src/core/design/designer';
import type { KeptDraft } from '../../../src/core/design/storedDraft';

vi.mock('vscode', async () => import('../../fakes/vscode'));

const { draftNode } = await import('../../../src/vscode/trees/draftRows');

const cost = { calls: 1, promptTokens: 10, completionTokens: 5, ms: 12 };
const attempt = (name: string | null) => ({
  reply: '', reasoning: '', code: '', problem: null, cost, warnings: [],
  report: { file: 'a.py', verdict: 'reject' as const, class: name, profile: 's' as const, findings: [], suppressed: [], notChecked: [], timing: { staticMs: 1, probeMs: 1 } },
});
const draft: Draft = {
  attempts: [attempt('FerryEnv')], code: '', verdict: 'reject', cost,
  provenance: {
    schema: 1, model: 'm', simulated: false, at: new Date(0).toISOString(), kind: 'single-turn', skill: 'Optimization', difficulty: 'easy', theme: 't', themeSeed: 0, promptHash: 'h',
    templates: {}, memory: null, document: null, sampling: {}, thinking: null, attempts: 1,
  },
};
const kept: KeptDraft = {
  id: 1, uri: '', draft, costs: {}, batch: null,
  options: { task: { kind: 'single-turn', skill: 'Optimization', difficulty: 'easy', themeSeed: 0, document: null, examples: [] }, memory: null, sampling: {}, repairs: 1 },
};
const row = (change: Partial<KeptDraft>, grouped = false) => draftNode({ ...kept, ...change }, grouped).description?.split(' · ') ?? [];
const remadeAt = (ms: number): Draft => ({ ...draft, provenance: { ...draft.provenance, at: new Date(ms).toISOString() } });

describe('the row of a draft', () => {
  it('is named by its class, else by its task, and shows no control character of a name', () => {
    const label = (name: string | null) => draftNode({ ...kept, draft: { ...draft, attempts: [attempt(name)] } }).label;
    expect([label('FerryEnv'), label(null), label('B\u001b[31mEnv')]).toEqual(['FerryEnv', 'Optimization, easy', 'B\\u001b[31mEnv']);
    expect(row({})).toEqual(['reject', 'Optimization, easy', expect.stringMatching(/\d/), 'm']);
  });

  it('says first what tells a draft from others of its task: made again, with feedback, the repair of a file', () => {
    expect(row({ again: true })[0]).toBe('made again');
    expect(row({ draft: { ...draft, provenance: { ...draft.provenance, wish: 'shorter' } } })[0]).toBe('with feedback');
    expect(row({ options: { ...kept.options, from: { code: 'x', report: null } } })[0]).toBe('mends a file');
  });

  it('tells two that were made again by when, also under their verdict', () => {
    const [one, two] = [row({ again: true, draft: remadeAt(0) }, true), row({ again: true, draft: remadeAt(60_000) }, true)];
    expect(one[0]).toBe('made again');
    expect(one).not.toEqual(two);
  });

  it('says after how many repairs', () => {
    expect(row({ draft: { ...draft, attempts: [attempt('AEnv'), attempt('AEnv')] } }).slice(0, 2)).toEqual(['reject', 'after 1 repair']);
    expect(row({ draft: { ...draft, attempts: [attempt(null), attempt(null), attempt(null)] } }).slice(0, 2)).toEqual(['reject', 'after 2 repairs']);
  });
});
