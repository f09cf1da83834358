import { beforeEach, describe, expect, it, vi } from 'vitest';
import { KeyRing } from '../../../src/core/models/keys';
import { Redactor } from '../../../src/core/redaction';
import { collectReply } from '../../../src/core/models/collect';
import { scriptedModel } from '../../fakes/scriptedModel';
import { state } from '../../fakes/vscode';

vi.mock('vscode', async () => import('../../fakes/vscode'));

const { ModelSource } = await import('../../../src/vscode/models/modelSource');
const { EditorSecrets } = await import('../../../src/vscode/models/secretStore');

/** A source over a secret store in memory, and a person who gives these answers in turn. */
function source(answers: (string | undefined)[], isSure = true) {
  const secrets = new Map<string, string>();
  const memento = new Map<string, unknown>();
  const asked: string[] = [];
  let confirmations = 0;
  const redactor = new Redactor();
  const storage = {
    get: (name: string) => Promise.resolve(secrets.get(name)),
    store: (name: string, value: string) => Promise.resolve(void secrets.set(name, value)),
    delete: (name: string) => Promise.resolve(void secrets.delete(name)),
  };
  const interaction = {
    input: ({ title }: { title: string }) => (asked.push(title), Promise.resolve(answers.shift())),
    confirm: () => ((confirmations += 1), Promise.resolve(isSure)),
  };
  const models = new ModelSource(
    { endpointModel, offlineModel: vi.fn() },
    new KeyRing(new EditorSecrets(storage as never, redactor)),
    interaction as never,
    { get: (key: string) => memento.get(key), update: (key: string, value: unknown) => Promise.resolve(void memento.set(key, value)) } as never,
  );
  return { models, secrets, asked, redactor, confirmed: () => confirmations };
}

const endpointModel = vi.fn((setup: unknown) => Promise.resolve({ ...scriptedModel(['yes']), name: JSON.stringify(setup) }));

function endpoint(url: string): void {
  state.user.set('model.provider', 'openai-compatible');
  state.user.set('model.name', 'some-model');
  state.user.set('model.endpoint', url);
}

beforeEach(() => {
  state.isTrusted = true;
  state.user.clear();
  state.workspaceSettings.clear();
});

describe('the key of an endpoint', () => {
  it('is asked for once, kept for its origin, and taken out of the log', async () => {
    const { models, asked, redactor } = source(['secret-key-1']);
    endpoint('https://a.example/v1');
    expect((await models.setup()).apiKey).toBe('secret-key-1');
    endpoint('https://a.example/other/v1');
    expect((await models.setup()).apiKey).toBe('secret-key-1');
    expect(asked).toHaveLength(1);
    expect(redactor.redact('got secret-key-1')).not.toContain('secret-key-1');
  });

  it('never goes to another origin: that one asks for its own', async () => {
    const { models, asked } = source(['secret-key-1', 'secret-key-2']);
    endpoint('https://a.example/v1');
    await models.setup();
    for (const [url, key] of [['https://b.example/v1', 'secret-key-2'], ['https://a.example/v1', 'secret-key-1']] as const) {
      endpoint(url);
      expect((await models.setup()).apiKey).toBe(key);
    }
    expect(asked).toHaveLength(2);
  });

  it('may be empty: the origin is remembered to need none', async () => {
    const { models, asked } = source(['']);
    endpoint('http://localhost:8000/v1');
    expect((await models.setup()).apiKey).toBeUndefined();
    expect((await models.setup()).apiKey).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  it('is not sent in the clear to another computer without a yes', async () => {
    const { models, secrets } = source(['secret-key-1'], false);
    endpoint('http://far.example/v1');
    await expect(models.setup()).rejects.toMatchObject({ code: 'model/no-key' });
    expect(secrets.size).toBe(0);
  });

  it('is not made up when the question is dismissed', async () => {
    const { models } = source([undefined]);
    endpoint('https://a.example/v1');
    await expect(models.setup()).rejects.toMatchObject({ code: 'model/no-key' });
  });
});

describe('profiles by role', () => {
  it('a role goes to its own endpoint with the key of that origin and its own extra fields', async () => {
    const { models, asked } = source(['key-of-a', 'key-of-b']);
    endpoint('https://a.example/v1');
    state.user.set('model.profiles', { hint: { endpoint: 'https://b.example/v1', model: 'small', thinking: true, extraBody: { x: 1 } } });
    expect(await models.setup('designer')).toEqual({ endpoint: 'https://a.example/v1', model: 'some-model', apiKey: 'key-of-a', idleMs: 120_000 });
    expect(await models.setup('hint')).toEqual({ endpoint: 'https://b.example/v1', model: 'small', apiKey: 'key-of-b', idleMs: 120_000, extraBody: { x: 1 } });
    expect(models.profile('hint')).toMatchObject({ thinking: true, sampling: { topP: 0.95 } });
    expect(asked).toHaveLength(2);
    expect(models.endpoints()).toEqual(['https://a.example/v1', 'https://b.example/v1']);
  });

  it('an untrusted workspace cannot set them, nor the extra fields', () => {
    const { models } = source([]);
    endpoint('https://a.example/v1');
    state.isTrusted = false;
    state.workspaceSettings.set('model.profiles', { designer: { endpoint: 'https://evil.example/v1' } });
    state.workspaceSettings.set('model.extraBody', { messages: [] });
    expect(models.profile('designer')).toMatchObject({ endpoint: 'https://a.example/v1', extraBody: {} });
  });

  it('a profile with a mistake is an error and never the model of all roles in silence', async () => {
    const { models } = source([]);
    endpoint('https://a.example/v1');
    state.user.set('model.profiles', { agent: { endpoint: 'https://b.example/v1', temprature: 1 } });
    await expect(models.client('agent')).rejects.toMatchObject({ code: 'settings/bad-profile' });
    expect(() => models.profile('designer')).toThrow(/temprature/);
  });

  it('calls of all roles are counted in one ledger, and the budget stops them all', async () => {
    const { models } = source([''], false);
    endpoint('https://a.example/v1');
    state.user.set('model.budget', 100);
    const ask = async (role: 'designer' | 'agent') => collectReply(await models.client(role), { messages: [], purpose: { role } }, new AbortController().signal);
    await ask('designer');
    await expect(ask('agent')).rejects.toMatchObject({ code: 'model/budget' });
    expect(models.ledger.roles().map(([role, { calls }]) => [role, calls])).toEqual([['designer', 1]]);
  });

  it('a work that the budget stopped is not asked about at each of its calls; the next one is', async () => {
    const { models, confirmed } = source([''], false);
    endpoint('https://a.example/v1');
    state.user.set('model.budget', 100);
    const work = async () => {
      const client = await models.client('agent');
      const outcomes: string[] = [];
      for (let call = 0; call < 3; call += 1) {
        await collectReply(client, { messages: [], purpose: { role: 'agent' } }, new AbortController().signal).then(() => outcomes.push('said'), () => outcomes.push('refused'));
      }
      return outcomes;
    };
    expect(await work()).toEqual(['said', 'refused', 'refused']);
    expect(confirmed()).toBe(1);
    expect(await work()).toEqual(['refused', 'refused', 'refused']);
    expect(confirmed()).toBe(2);
  });
});
