import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FactsReader, NO_FACTS } from '../../../../src/core/review/fileFacts';
import { hintFolders, shortName } from '../../../../src/core/run/runNames';
import { NodeFileStore } from '../../../../src/node/files/nodeFileStore';
import { tempFolder } from '../../../helpers/tempFolder';

const sample = join(import.meta.dirname, '../../../../media/sample-workspace');
const game = 'game_00012_002_pattern_recognition';
let folder = '';
const facts = (path: string) => new FactsReader(new NodeFileStore()).of(join(folder, path));

beforeEach(() => {
  folder = tempFolder();
  cpSync(sample, folder, { recursive: true });
});

describe('what the folders around a file say', () => {
  it('is skill, figures and hint, for a game in play as for its copy, beside which alone the run keeps the hint', async () => {
    const hint = readFileSync(join(folder, `run/spade_games_cache/step_00012/${game}_hint.txt`), 'utf8').trim();
    const copy = await facts(`run/spade_games_cache/step_00012/${game}.py`);
    expect(copy).toMatchObject({ skill: 'Pattern Recognition', hint, winRate: 0.5 });
    expect(await facts(`run/spade_games/${game}.py`)).toEqual(copy);
  });

  it('prefers the hint beside a file, and takes none of another rollout', async () => {
    writeFileSync(join(folder, `run/spade_games/${game}_hint.txt`), ' beside \n');
    expect((await facts(`run/spade_games/${game}.py`)).hint).toBe('beside');
    expect((await facts('run/spade_games/game_00016_002_pattern_recognition.py')).hint).toBeNull();
  });

  it('is nothing for a file that stands alone, or whose memory is torn', async () => {
    expect(await facts('environments/clock_angle_env.py')).toEqual(NO_FACTS);
    mkdirSync(join(folder, 'torn/spade_games_cache'), { recursive: true });
    writeFileSync(join(folder, 'torn/spade_games_cache/env_memory.json'), '[{"game_file": "a.py"');
    expect(await facts('torn/spade_games/a.py')).toEqual(NO_FACTS);
  });
});

describe('names of a run', () => {
  it('show a game without its skill, and other files without their extension', () => {
    expect([shortName('/run/spade_games/game_00012_002_pattern_recognition.py'), shortName('a_env.py'), shortName(null)]).toEqual(['game_00012_002', 'a_env', '–']);
  });

  it('have hints in one folder for a copy, and also with the copies for a game in play', () => {
    expect(hintFolders('/run/spade_games_cache/step_00012/game_00012_002_x.py')).toEqual(['/run/spade_games_cache/step_00012']);
    expect(hintFolders('/run/games/game_00012_002_x.py')).toEqual(['/run/games', '/run/games_cache/step_00012', '/run/spade_games_cache/step_00012']);
  });
});
