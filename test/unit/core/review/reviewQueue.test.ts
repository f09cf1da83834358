import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PythonParser } from '../../../../src/core/ports';
import { contentHash } from '../../../../src/core/checks/suppression';
import type { Decision } from '../../../../src/core/review/decision';
import { NoveltyIndex } from '../../../../src/core/review/noveltyIndex';
import { ReviewQueue } from '../../../../src/core/review/reviewQueue';
import { SourceStore } from '../../../../src/core/review/sourceStore';
import { NodeFileStore } from '../../../../src/node/files/nodeFileStore';
import { pythonParser } from '../../../helpers/pythonParser';
import { tempFolder } from '../../../helpers/tempFolder';

const files = new NodeFileStore();
const environment = (name: string, answer: string): string =>
  `class ${name}Env:\n    def reset(self, seed=None):\n        return "Say ${answer}.", {}\n\n    def step(self, action):\n        return "Done.", float("${answer}" in action), True, False, {}\n`;

/** A queue over three files, one of them no environment. */
async function queueOf(reviewer = 'first'): Promise<{ queue: ReviewQueue; folder: string; at: (name: string) => string }> {
  const folder = tempFolder();
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('a_env.py'), environment('A', 'one'));
  writeFileSync(at('b_env.py'), environment('B', 'two'));
  writeFileSync(at('helper.py'), 'x = 1\n');
  const queue = new ReviewQueue(files, (file) => file.slice(folder.length + 1), () => reviewer);
  await queue.load(['a_env.py', 'b_env.py', 'helper.py', 'gone_env.py'].map(at));
  return { queue, folder, at };
}

const decision = (hash: string, file: string, reviewer: string, verdict: Decision['verdict']): Decision =>
  ({ version: 1, id: `${reviewer}-${verdict}-0`, contentHash: hash, file, reviewer, verdict, reasons: [], comment: '', at: '2026-01-01T10:00:00Z' });

describe('the review queue', () => {
  it('holds the environments alone, and follows verdicts and plays as they come in', async () => {
    const { queue, at } = await queueOf();
    expect(queue.list().map(({ file }) => file)).toEqual([at('a_env.py'), at('b_env.py')]);
    queue.setVerdict(queue.list()[0]!.contentHash, 'reject');
    expect(queue.list().map(({ file }) => file)).toEqual([at('b_env.py'), at('a_env.py')]);
    queue.setPlayed(queue.list()[1]!.contentHash, { regret: { value: 0.9, interval: { lo: 0.5, hi: 1 } }, disagreement: 1 });
    expect(queue.list().find(({ file }) => file === at('a_env.py'))).toMatchObject({ regret: { value: 0.9 }, disagreement: 1 });
    expect(queue.list({ verdicts: ['reject'] })).toHaveLength(1);
  });

  it('shows each reviewer what he has not decided on, when asked for that', async () => {
    const { queue } = await queueOf('second');
    const [first] = queue.list();
    queue.setDecisions([decision(first!.contentHash, 'a_env.py', 'first', 'accept')]);
    expect(queue.list()).toHaveLength(1);
    expect(queue.progress([])).toMatchObject({ total: 2, decided: 1 });
    queue.show = 'mine';
    queue.setDecisions([decision(first!.contentHash, 'a_env.py', 'first', 'accept')]);
    expect(queue.list()).toHaveLength(2);
    queue.show = 'all';
    expect(queue.list()).toHaveLength(2);
  });

  it('shows a decided file again once it has another content, with what was said of the old one', async () => {
    const { queue, at } = await queueOf();
    const hash = await contentHash(environment('A', 'one'));
    queue.setDecisions([decision(hash, 'a_env.py', 'first', 'reject')]);
    expect(queue.list().map(({ file }) => file)).toEqual([at('b_env.py')]);
    writeFileSync(at('a_env.py'), environment('A', 'three'));
    expect(await queue.reload(at('a_env.py'))).toBe(true);
    const again = queue.list().find(({ file }) => file === at('a_env.py'));
    expect(again?.stale.map(({ verdict }) => verdict)).toEqual(['reject']);
    writeFileSync(at('a_env.py'), environment('A', 'one').replaceAll('\n', '\r\n'));
    await queue.reload(at('a_env.py'));
    expect(queue.list().map(({ file }) => file)).toEqual([at('b_env.py')]);
    expect(await queue.reload(at('helper.py'))).toBe(false);
  });

  it('takes skill, hint, difficulty and figures from the folders around', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'step_00004'));
    const game = join(folder, 'step_00004', 'game_00004_001_causal_inference.py');
    writeFileSync(game, environment('C', 'one'));
    writeFileSync(game.replace('.py', '_hint.txt'), 'Look twice.\n');
    writeFileSync(join(folder, 'env_memory.json'), JSON.stringify([{ game_file: '/gone/game_00004_001_causal_inference.py', skill: 'Causal Inference', code_snippet: '', actor_win_rate: 0.5, regret: 0.25, rollout_id: 4, metadata: { envwright: { plays: 16, interval: { regret: [0.1, 0.4] } } } }]));
    const queue = new ReviewQueue(files, (file) => file, () => 'first');
    await queue.load([game]);
    expect(queue.list()[0]).toMatchObject({ skill: 'Causal Inference', regret: { value: 0.25, interval: { lo: 0.1, hi: 0.4 } }, facts: { hint: 'Look twice.', winRate: 0.5, plays: 16 } });
  });
});

describe('texts that are kept', () => {
  it('are found by their digest, and a damaged one is none', async () => {
    const folder = tempFolder();
    const store = new SourceStore(files, folder);
    const hash = await store.keep('x = 1\n');
    expect(await store.get(hash)).toBe('x = 1\n');
    writeFileSync(store.pathOf(hash), 'x = 2\n');
    expect(await store.get(hash)).toBeUndefined();
    await expect(store.need(hash, 'x.py')).rejects.toMatchObject({ code: 'review/source-gone' });
  });
});

describe('likeness by key', () => {
  let parser: PythonParser;
  beforeAll(async () => {
    parser = await pythonParser();
  });

  it('finds the nearest of the others, itself left out, and the groups', () => {
    const index = new NoveltyIndex(parser);
    const source = environment('A', 'one');
    index.add('a', source);
    index.add('copy', source.replaceAll('A', 'Z').replaceAll('action', 'said'));
    index.add('other', 'import random\n\n\nclass OtherEnv:\n    def reset(self, seed=None):\n        self.at = random.Random(seed).randint(0, 9)\n        return str(self.at), {}\n\n    def step(self, action):\n        self.at -= 1\n        if self.at < 0:\n            raise ValueError(action)\n        return "x", 0.0, self.at == 3, False, {"at": self.at}\n');
    expect(index.nearest(['a'], ['a', 'copy', 'other']).get('a')).toMatchObject({ key: 'copy', similarity: 1 });
    expect(index.nearest(['a'], ['a']).get('a')).toBeNull();
    expect(index.groups(['a', 'copy', 'other', 'unknown']).map(({ keys }) => keys)).toEqual([['a', 'copy']]);
  });
});
