import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flagsOfArguments, flagsOfSettings, flagsOfShell } from '../../../../src/core/run/launchFlags';
import { paceOf } from '../../../../src/core/run/pace';
import { runSettings, settingsWarnings, type RunSettings } from '../../../../src/core/run/runSettings';

const LAUNCHER = `#!/usr/bin/env bash
export WANDB_API_KEY=wandb-0123456789
# --spade-mode fixed_env   (an old trial)
ROLLOUT_ARGS=(
   --rollout-function-path envwright_link.rollout.generate
   --num-rollout 400   # all of it
   --rollout-batch-size 24
   --global-batch-size=192
)
SPADE_ARGS=(
   --spade-game-regeneration-interval 4
   --spade-skills Mathematical_Reasoning Optimization
   --spade-skills-per-regen 1
   --spade-plateau-weight "\${PLATEAU_WEIGHT:-0.6}"
   --spade-judge-api-key sk-0123456789abcdef
   --spade-cache-dir "\${OUTPUT_DIR}/spade_games_cache"
)
if [ "\${NO_MEMORY:-0}" = "1" ]; then
   echo off
else
   SPADE_ARGS+=( --spade-use-env-memory --spade-env-memory-max-size 150 )
fi
ray job submit --address="http://127.0.0.1:8265" -- python3 -m train_spade_slime \\
   --actor-num-nodes 1 \\
   --lr 1e-6 \\
   "\${ROLLOUT_ARGS[@]}" "\${SPADE_ARGS[@]}" \\
   --wandb-key 'wandb-0123456789' \\
   --spade-max-turns 25
`;

const settingsOf = (text: string): RunSettings => {
  const kept = flagsOfShell(text);
  if (!kept) throw new Error('nothing kept');
  return runSettings({ source: 'script', from: 'run.sh', at: 0, ...kept });
};

describe('a launcher script', () => {
  it('gives the flags of the run and nothing else', () => {
    const flags = flagsOfShell(LAUNCHER)?.flags ?? {};
    expect(Object.keys(flags).sort()).toEqual([
      'global-batch-size', 'num-rollout', 'rollout-batch-size', 'rollout-function-path', 'spade-cache-dir', 'spade-env-memory-max-size', 'spade-game-regeneration-interval',
      'spade-max-turns', 'spade-plateau-weight', 'spade-skills', 'spade-skills-per-regen', 'spade-use-env-memory',
    ]);
    expect(flags['global-batch-size']).toEqual({ values: ['192'], notes: [] });
    expect(flags['spade-skills']?.values).toEqual(['Mathematical_Reasoning', 'Optimization']);
    expect(flags['spade-use-env-memory']).toEqual({ values: [], notes: ['conditional'] });
    expect(JSON.stringify(flags)).not.toMatch(/0123456789/);
  });

  it('leaves variables as they are and says so', () => {
    const { open, memory } = settingsOf(LAUNCHER);
    expect(open.map(({ args }) => args['name'])).toEqual(expect.arrayContaining(['spade-plateau-weight', 'spade-cache-dir', 'spade-use-env-memory']));
    expect(memory.used).toBeNull();
  });

  it('tells the pace of the run', () => {
    const settings = settingsOf(LAUNCHER);
    expect(settings).toMatchObject({ backend: 'slime', interval: 4, batchSize: 24, capacity: 150, skillsPerRegen: 1, skills: ['Mathematical Reasoning', 'Optimization'], namesLink: true });
    expect(paceOf(settings)).toEqual({ records: 24, prompts: 24, share: 0.5, assumed: false });
    expect(paceOf(null)).toEqual({ records: 24, prompts: 4, share: 1, assumed: true });
  });

  it('that holds no flag of a run gives null', () => {
    expect(flagsOfShell('ls -la\npython3 serve.py --model x')).toBeNull();
  });
});

describe('a run that does not read its memory is said to be so', () => {
  const base = '--rollout-function-path f --spade-game-regeneration-interval 4';
  it.each([
    [`python3 x.py ${base}`, /spade-use-env-memory is off/],
    [`python3 x.py ${base} --spade-use-env-memory --spade-mode fixed_env`, /fixed_env/],
    [`python3 x.py ${base} --spade-use-env-memory --spade-static-game-pool /pool`, /static pool/],
    ['python3 x.py --rollout-function-path f --spade-use-env-memory --spade-game-regeneration-interval 0', /interval of 0/],
    ['python3 train_spade_tinker.py games_dir=/g batch_size=128', /Tinker/],
  ])('%s', (line, why) => {
    const settings = settingsOf(line);
    expect(settings.memory.used).toBe(false);
    const [warning] = settingsWarnings(settings, 'Optimization');
    expect(warning).toMatchObject({ id: 'memory-off', severity: 'warning' });
    expect(warning?.message.template).toMatch(why);
  });

  it('one that does is not', () => {
    const settings = settingsOf(`python3 x.py ${base} --spade-use-env-memory --spade-skills Optimization`);
    expect(settings.memory).toEqual({ used: true, why: [] });
    expect(settingsWarnings(settings, 'Optimization')).toEqual([]);
    expect(settingsWarnings(settings, 'Memory Recall').map(({ id }) => id)).toEqual(['skill-not-in-run']);
  });
});

describe('secrets', () => {
  it('never pass, wherever they stand among words', () => {
    const other = fc.constantFrom('--wandb-key', '--hf-token', '--openai-api-key', '--password', '-k', 'OPENAI_API_KEY=', '--spade-judge-api-key', '--rollout-auth-token');
    const keptFlag = fc.constantFrom(['--spade-use-env-memory'], ['--num-rollout', '400'], ['--spade-mode', 'x']);
    fc.assert(fc.property(fc.array(fc.oneof(keptFlag, fc.tuple(other, fc.constant('TOPSECRETVALUE'))), { maxLength: 12 }), fc.boolean(), (pairs, isNested) => {
      const words = pairs.flatMap(([flag = '', value]) => (value === undefined ? [flag] : flag.endsWith('=') ? [`${flag}${value}`] : [flag, value]));
      const kept = [flagsOfArguments(isNested ? ['bash', '-c', words.join(' ')] : words), flagsOfShell(words.join(' '))];
      expect(JSON.stringify(kept)).not.toContain('TOPSECRET');
    }));
  });

  it('in the shape of a key are taken out of values that are kept', () => {
    expect(flagsOfArguments(['--spade-judge-url', 'https://me:hunter2222@host/v1', '--spade-judge', 'sk-abcdefgh12345678'])?.flags).toEqual({
      'spade-judge-url': { values: ['https://me:[key]@host/v1'], notes: [] }, 'spade-judge': { values: ['sk-[key]'], notes: [] },
    });
  });
});

it('arguments as the link module met them read the same', () => {
  expect(flagsOfSettings({ spade_use_env_memory: true, spade_mode: null, spade_static_game_pool: '', rollout_batch_size: 24, spade_skills: ['Optimization'] })).toEqual({
    'spade-use-env-memory': { values: [], notes: [] }, 'rollout-batch-size': { values: ['24'], notes: [] }, 'spade-skills': { values: ['Optimization'], notes: [] },
  });
});
