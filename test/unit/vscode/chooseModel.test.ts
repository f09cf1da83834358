import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Interaction } from '../../../src/vscode/interaction';
import { offered, state } from '../../fakes/vscode';

vi.mock('vscode', async () => import('../../fakes/vscode'));
const { chooseModel } = await import('../../../src/vscode/models/chooseModel');
const { fillProfiles } = await import('../../../src/vscode/models/profileCommands');

beforeEach(() => {
  state.isTrusted = true;
  state.user.clear();
  state.workspaceSettings.clear();
  offered.models = [{ id: 'x', name: 'Editor Model', vendor: 'v', family: 'f', maxInputTokens: 9 }];
});

/** Chooses the row of each list whose label fits, and types the texts in turn. */
function choosing(labels: readonly RegExp[], typed: readonly string[] = []) {
  const [rows, texts, shown] = [[...labels], [...typed], [] as string[]];
  const interaction = {
    pick: ({ choices }: { choices: { label?: string; value?: unknown }[] }) => {
      shown.push(choices.map(({ label }) => label ?? '—').join(' | '));
      const wanted = rows.shift();
      return Promise.resolve(choices.find(({ label }) => label !== undefined && wanted?.test(label))?.value);
    },
    input: () => Promise.resolve(texts.shift()),
    confirm: () => Promise.resolve(true),
  } as unknown as Interaction;
  return { interaction, shown };
}
const models = { label: 'offline', endpoints: () => ['http://localhost:1/v1'], reach: (endpoint: string) => Promise.resolve({ endpoint, apiKey: undefined }) };
const ports = (ids: readonly string[]) => ({ listModels: () => Promise.resolve(ids.map((id) => ({ id, context: 4_096 }))) });
const settings = () => Object.fromEntries(state.user);

describe('choosing a model', () => {
  it('takes one that the server lists', async () => {
    const { interaction, shown } = choosing([/localhost/, /two/]);
    expect(await chooseModel({ models: models as never, ports: ports(['one', 'two']), interaction })).toBe('two');
    expect(settings()).toEqual({ 'model.endpoint': 'http://localhost:1/v1', 'model.name': 'two', 'model.provider': 'openai-compatible' });
    expect(shown[1]).toBe('one | two');
  });

  it('asks for the address of another server, and for the name where it lists none', async () => {
    const { interaction } = choosing([/Another server/], ['http://localhost:2/v1', 'mine']);
    expect(await chooseModel({ models: models as never, ports: ports([]), interaction })).toBe('mine');
    expect(settings()).toMatchObject({ 'model.endpoint': 'http://localhost:2/v1', 'model.name': 'mine' });
  });

  it('takes a language model of the editor, or none', async () => {
    await chooseModel({ models: models as never, ports: ports([]), interaction: choosing([/Editor Model/]).interaction });
    expect(settings()).toEqual({ 'model.name': 'v/f', 'model.provider': 'vscode-lm' });
    await chooseModel({ models: models as never, ports: ports([]), interaction: choosing([/Offline/]).interaction });
    expect(settings()).toMatchObject({ 'model.provider': 'offline-samples' });
  });

  it('changes nothing when dismissed, and not in an untrusted workspace', async () => {
    for (const labels of [[], [/localhost/], [/Another server/]]) await chooseModel({ models: models as never, ports: ports(['one']), interaction: choosing(labels).interaction });
    state.isTrusted = false;
    await expect(chooseModel({ models: models as never, ports: ports([]), interaction: choosing([/Offline/]).interaction })).rejects.toMatchObject({ code: expect.stringMatching(/trust/) as string });
    expect(settings()).toEqual({});
  });
});

describe('profiles of the linked run', () => {
  const run = (flags: object | null) => ({ settings: () => Promise.resolve(flags && { launch: { from: 'run.sh', flags } }) }) as never;
  const flag = (value: string) => ({ values: [value], notes: [] });

  it('are set by role, and leave endpoints and models as they are', async () => {
    state.user.set('model.profiles', { hint: { model: 'small', temperature: 1 } });
    await fillProfiles({ run: run({ 'spade-env-temperature': flag('0.8'), 'spade-hint-max-tokens': flag('512') }), interaction: choosing([]).interaction });
    expect(settings()['model.profiles']).toMatchObject({ designer: { temperature: 0.8, thinking: false }, hint: { model: 'small', temperature: 0.3, maxTokens: 512 } });
  });

  it('of a run whose flags are not known, or say nothing of sampling, are an error with the next step', async () => {
    await expect(fillProfiles({ run: run(null), interaction: choosing([]).interaction })).rejects.toMatchObject({ code: 'run/no-flags' });
    await expect(fillProfiles({ run: run({}), interaction: choosing([]).interaction })).rejects.toMatchObject({ code: 'run/no-sampling' });
  });
});
