import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildDesignPrompt } from '../../../src/core/design/prompt';
import { taskOf, type DesignSetup } from '../../../src/core/design/setup';
import { KINDS, skillsOf, type DesignKind } from '../../../src/core/design/skills';
import { promptFiles } from '../../../src/node/design/promptFiles';
import { KeptPrompt, keptSetup } from '../../../src/vscode/design/keptPrompt';

const setup: DesignSetup = {
  kind: 'grounded', skill: 'Causal Inference', difficulty: 'hard', themeSeed: 7, document: null, useDocument: true, useMemory: true, drawSeed: 11, draws: { seeds: 2, negatives: 1 },
  chosen: { seeds: ['1 a.py'], negative: null }, wish: 'Shorter.',
};
const kept = (over: Partial<DesignSetup> = {}) => ({ v: 1, setup: keptSetup({ ...setup, ...over }), variant: 'noMemory', useFeedback: true, drafts: 2, corpus: '/c.jsonl' });

describe('what is kept of the panel of the prompt', () => {
  it('comes back whole through the text that the editor keeps, for every kind and skill', () => {
    const choice = fc.constantFrom(...(Object.keys(KINDS) as DesignKind[])).chain((kind) => fc.record({ kind: fc.constant(kind), skill: fc.constantFrom(...skillsOf(kind)) }));
    fc.assert(fc.property(choice, fc.nat(100_000), fc.string(), (own, themeSeed, text) => {
      const made = { ...setup, ...own, themeSeed, document: { id: 'd', text } };
      expect(KeptPrompt.parse(JSON.parse(JSON.stringify(kept(made))))).toEqual({ ...kept(made), setup: made });
    }));
  });

  it('keeps of a long document as much as gives the same prompt to the letter', async () => {
    const templates = promptFiles(join(import.meta.dirname, '../../../media'));
    for (const kind of Object.keys(KINDS) as DesignKind[]) {
      const long = { ...setup, kind, skill: skillsOf(kind)[0]!, document: { id: 'long', text: 'a  word\n'.repeat(100_000) } };
      const back = KeptPrompt.parse(kept(long)).setup;
      expect(back.document?.text.length).toBeLessThan(50_000);
      const [before, after] = await Promise.all([long, back].map((one) => buildDesignPrompt(taskOf(one, []), templates)));
      expect(after?.messages).toEqual(before?.messages);
    }
  });

  it('is refused where it is of another version, or names a skill that its kind cannot train', () => {
    for (const bad of [undefined, null, 'x', { ...kept(), v: 2 }, { ...kept(), drafts: 0 }, { ...kept(), setup: { ...setup, skill: 'Tool Selection' } }, { ...kept(), setup: { ...setup, kind: 'sung' } }]) {
      expect(KeptPrompt.safeParse(bad).success).toBe(false);
    }
  });
});
