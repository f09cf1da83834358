import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readPython } from '../../../../src/core/environment/pythonDocument';
import type { PythonParser } from '../../../../src/core/ports';
import { cloneGroups, CLONE_SIMILARITY, Commonness, fingerprint, similarity } from '../../../../src/core/review/novelty';
import { createPythonParser } from '../../../../src/node/checks/parser';
import { COPIES, renamed, reordered, reskinned } from '../../../helpers/copies';
import { parserAssets } from './parserAssets';

const workspace = path.join(__dirname, '../../../../media/sample-workspace');
const sourcesIn = (folder: string) =>
  fs.readdirSync(path.join(workspace, folder), { recursive: true }).map(String).filter((name) => name.endsWith('.py')).sort()
    .map((name) => fs.readFileSync(path.join(workspace, folder, name), 'utf8'));

/** The environments of the sample workspace and the games of its run: same kinds, written apart or from one pattern with other rules. */
const environments = sourcesIn('environments');
const games = sourcesIn('run/spade_games_cache');

let parser: PythonParser;
beforeAll(async () => {
  parser = await createPythonParser(parserAssets());
});
const print = (source: string) => fingerprint(readPython(parser, source).tree);

describe('novelty by structure', () => {
  it('groups renamed, re-ordered, reformatted and re-skinned copies with their original', () => {
    const commonness = new Commonness();
    [...environments, ...games].forEach((source) => commonness.add(print(source)));
    for (const [name, change] of Object.entries(COPIES)) {
      for (const source of [...environments, ...games]) {
        expect(change(source), name).not.toBe(source);
        expect(similarity(print(source), print(change(source)), commonness), `${name} ${/class (\w+)/.exec(source)?.[1]}`).toBeGreaterThanOrEqual(CLONE_SIMILARITY);
      }
    }
  });

  it('does not group different environments, also of one kind and from one pattern', () => {
    const prints = [...environments, ...games].map(print);
    const commonness = new Commonness();
    prints.forEach((one) => commonness.add(one));
    expect(cloneGroups(prints, commonness)).toEqual([]);
  });

  it('finds the groups among strangers, each with the least similarity that holds it together', () => {
    const sources = [...environments, ...games, renamed(environments[0]!), reordered(environments[1]!), reskinned(renamed(environments[0]!))];
    const prints = sources.map(print);
    const commonness = new Commonness();
    prints.forEach((one) => commonness.add(one));
    const groups = cloneGroups(prints, commonness);
    const first = environments.length + games.length;
    expect(groups.map(({ members }) => members)).toEqual([[0, first, first + 2], [1, first + 1]]);
    for (const group of groups) expect(group.similarity).toBeGreaterThanOrEqual(CLONE_SIMILARITY);
  });

  it('is symmetric, 1 for the same file', () => {
    const [a, b] = [print(environments[0]!), print(environments[3]!)];
    const commonness = new Commonness();
    expect(similarity(a, a, commonness)).toBe(1);
    expect(similarity(a, b, commonness)).toBe(similarity(b, a, commonness));
  });
});
