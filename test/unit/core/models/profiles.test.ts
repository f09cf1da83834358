import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { profilesOfLaunch } from '../../../../src/core/models/launchProfiles';
import { resolveProfile, type CommonProfile } from '../../../../src/core/models/profiles';
import { flagsOfShell } from '../../../../src/core/run/launchFlags';
import { MODEL_ROLES, RoleProfiles } from '../../../../src/shared/modelProfile';

const common: CommonProfile = {
  provider: 'openai-compatible', endpoint: 'http://localhost:8000/v1', model: 'all', temperature: 0.6, topP: 0.95, topK: null, minP: null, maxTokens: 8192,
  thinking: false, extraBody: { a: 1, b: 1 },
};

describe('the profile of a role', () => {
  it('is that of all roles where it says nothing, and its own where it does', () => {
    expect(resolveProfile('designer', common)).toEqual({
      provider: 'openai-compatible', endpoint: 'http://localhost:8000/v1', model: 'all', sampling: { temperature: 0.6, topP: 0.95, maxTokens: 8192 }, thinking: false, extraBody: { a: 1, b: 1 },
    });
    expect(resolveProfile('designer', common, { model: 'own', topK: 20, topP: null, thinking: true, extraBody: { b: 2 } })).toMatchObject({
      model: 'own', sampling: { temperature: 0.6, topK: 20, maxTokens: 8192 }, thinking: true, extraBody: { a: 1, b: 2 },
    });
  });

  it('keeps the temperature and length of hints and screens their own', () => {
    for (const role of ['hint', 'screen'] as const) {
      expect(resolveProfile(role, common).sampling).toEqual({ topP: 0.95 });
      expect(resolveProfile(role, common, { temperature: 0.1 }).sampling).toEqual({ topP: 0.95, temperature: 0.1 });
    }
  });

  it('never sends a parameter that is null', () => {
    const number = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null });
    fc.assert(fc.property(fc.constantFrom(...MODEL_ROLES), number, number, number, (role, temperature, topP, minP) => {
      const { sampling } = resolveProfile(role, { ...common, temperature, topP, minP });
      expect(Object.values(sampling).every((value) => typeof value === 'number')).toBe(true);
      expect('topP' in sampling).toBe(topP !== null);
    }));
  });
});

describe('profiles of a run', () => {
  const of = (line: string) => profilesOfLaunch(flagsOfShell(line)?.flags ?? {});

  it('are read from its launch flags, each role by its own, and the run’s defaults where a flag is left out', () => {
    const { profiles, notes } = of('python train.py --spade-actor-temperature 0.6 --spade-actor-max-tokens 4096 --spade-env-temperature=1.0 --spade-env-top-k 40 --spade-env-enable-thinking --spade-hint-max-tokens 2048');
    expect(profiles).toEqual({
      designer: { temperature: 1, topP: 0.95, topK: 40, maxTokens: 8192, thinking: true },
      agent: { temperature: 0.6, topP: 0.95, topK: 20, maxTokens: 4096, thinking: false },
      hint: { temperature: 0.3, maxTokens: 2048 },
    });
    expect(notes).toEqual([]);
    expect(RoleProfiles.safeParse(profiles).success).toBe(true);
  });

  it('leave out what is only known when the script runs, and say so', () => {
    const { profiles, notes } = of('python train.py --spade-env-temperature $TEMP --spade-actor-top-k -1 --spade-actor-temperature "${T:-0.8}" --spade-env-top-p 7');
    expect(profiles.designer).not.toHaveProperty('temperature');
    expect(profiles.designer).not.toHaveProperty('topP');
    expect(profiles.agent).toMatchObject({ topK: null, temperature: 0.8 });
    expect(notes.map(({ args }) => args['flag'])).toEqual(['spade-env-temperature', 'spade-env-top-p']);
  });

  it('are none where the flags are of another backend', () => {
    expect(of('python -m tinker_train games_dir=x').profiles).toEqual({});
  });
});
