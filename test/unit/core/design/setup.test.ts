import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildDesignPrompt } from '../../../../src/core/design/prompt';
import { candidatesOf, choiceOf, exampleKey, examplesOf, originOf, taskOf, withKind, type DesignSetup } from '../../../../src/core/design/setup';
import { KINDS, skillsOf, type DesignKind } from '../../../../src/core/design/skills';
import { readMemory } from '../../../../src/core/memory/readMemory';
import { promptFiles } from '../../../../src/node/design/promptFiles';

const record = (at: number, over: object = {}) => ({ game_file: `g/game_${at}.py`, skill: 'Optimization', code_snippet: `class E${at}Env: ...`, actor_win_rate: 0.5, regret: at / 100, rollout_id: at, metadata: {}, ...over });
const { entries } = readMemory(JSON.stringify([
  ...Array.from({ length: 20 }, (_, at) => record(at)), record(20, { actor_win_rate: 0.95 }), record(21, { actor_win_rate: 0.02 }), record(22, { skill: 'Causal Inference' }), record(23, { actor_win_rate: 0.12 }),
]));
const setup: DesignSetup = {
  kind: 'single-turn', skill: 'Optimization', difficulty: 'easy', themeSeed: 3, document: { id: 'd:1', text: 'A document.' }, useDocument: true, useMemory: true, drawSeed: 41,
  draws: { seeds: 2, negatives: 1 }, chosen: null, wish: '',
};

describe('what a design is made of', () => {
  it('draws examples as the run does: the same seed draws the same', () => {
    const drawn = examplesOf(setup, entries);
    expect(drawn.map(({ use }) => use)).toEqual(['seed', 'seed', 'negative']);
    expect(examplesOf(setup, entries)).toEqual(drawn);
    expect(drawn.every(({ odds }) => odds !== null)).toBe(true);
  });

  it('takes the two seeds and the negative that were chosen by hand, also after the run has moved them', () => {
    const chosen = { seeds: [exampleKey(entries[0]!), exampleKey(entries[5]!)], negative: exampleKey(entries[21]!) };
    const moved = entries.slice(0).reverse();
    for (const memory of [entries, moved]) {
      expect(examplesOf({ ...setup, chosen }, memory).map(({ gameFile, use, odds }) => [gameFile, use, odds])).toEqual([['g/game_0.py', 'seed', null], ['g/game_5.py', 'seed', null], ['g/game_21.py', 'negative', null]]);
    }
    expect(examplesOf({ ...setup, chosen }, entries.slice(1))).toHaveLength(2);
    expect(originOf({ ...setup, chosen }, 'm.json')).toEqual({ file: 'm.json', drawSeed: null });
    expect(originOf(setup, 'm.json')).toEqual({ file: 'm.json', drawSeed: 41 });
  });

  it('a choice by hand begins with what the run draws, and gives the same examples', () => {
    const choice = choiceOf(setup, entries);
    const named = (of: DesignSetup) => examplesOf(of, entries).map(({ gameFile, use }) => [gameFile, use]);
    expect(choice.seeds).toHaveLength(2);
    expect(named({ ...setup, chosen: choice })).toEqual(named(setup));
    expect(choiceOf({ ...setup, chosen: { seeds: [], negative: null } }, entries)).toEqual({ seeds: [], negative: null });
  });

  it('leaves memory out and nothing else with it, and a document with what is said of it: a theme comes in its place', async () => {
    const templates = promptFiles(join(import.meta.dirname, '../../../../media'));
    const parts = async (change: Partial<DesignSetup>) => (await buildDesignPrompt(taskOf({ ...setup, ...change }, entries), templates)).parts;
    const full = await parts({});
    expect(await parts({ useMemory: false })).toEqual(full.filter(({ source }) => source !== 'memory'));
    const ungrounded = await parts({ useDocument: false });
    const [asked, whole] = [ungrounded, full].map((all) => all.filter(({ title }) => title.startsWith('skill, difficulty')));
    expect([asked?.length, whole?.length]).toEqual([1, 1]);
    expect(ungrounded.filter((part) => !asked!.includes(part))).toEqual(full.filter((part) => part.source !== 'document' && !whole!.includes(part)));
    expect(originOf({ ...setup, useMemory: false }, 'm.json')).toBeNull();
  });

  it('offers for choosing what a prompt of the skill could show, the best first', () => {
    const { seeds, negatives } = candidatesOf(entries, 'Optimization');
    expect([seeds.length, seeds[0]?.index, seeds.at(-1)?.index]).toEqual([20, 19, 0]);
    expect(negatives.map(({ index }) => index)).toEqual([20, 21]);
  });

  it('always has a skill that its kind can train', () => {
    const kinds = Object.keys(KINDS) as DesignKind[];
    fc.assert(fc.property(fc.array(fc.constantFrom(...kinds)), (chosen) => {
      const end = chosen.reduce(withKind, setup);
      expect(skillsOf(end.kind)).toContain(end.skill);
    }));
    expect(withKind(setup, 'multi-turn').skill).toBe('Optimization');
  });
});
