import { beforeEach, describe, expect, it, vi } from 'vitest';
import { KeyRing } from '../../../src/core/models/keys';
import { Redactor } from '../../../src/core/redaction';
import { state } from '../../fakes/vscode';

vi.mock('vscode', async () => import('../../fakes/vscode'));

const { ModelSource } = await import('../../../src/vscode/models/modelSource');
const { EditorSecrets } = await import('../../../src/vscode/models/secretStore');

/** A source over a secret store in memory, and a person who gives these answers in turn. */
function source(answers: (string | undefined)[], isSure = true) {
  const secrets = new Map<string, string>();
  const memento = new Map<string, unknown>();
  const asked: string[] = [];
  const redactor = new Redactor();
  const storage = {
    get: (name: string) => Promise.resolve(secrets.get(name)),
    store: (name: string, value: string) => Promise.resolve(void secrets.set(name, value)),
    delete: (name: string) => Promise.resolve(void secrets.delete(name)),
  };
  const interaction = {
    input: ({ title }: { title: string }) => (asked.push(title), Promise.resolve(answers.shift())),
    confirm: () => Promise.resolve(isSure),
  };
  const models = new ModelSource(
    { endpointModel: vi.fn(), offlineModel: vi.fn() },
    new KeyRing(new EditorSecrets(storage as never, redactor)),
    interaction as never,
    { get: (key: string) => memento.get(key), update: (key: string, value: unknown) => Promise.resolve(void memento.set(key, value)) } as never,
  );
  return { models, secrets, asked, redactor };
}

function endpoint(url: string): void {
  state.user.set('model.provider', 'openai-compatible');
  state.user.set('model.name', 'some-model');
  state.user.set('model.endpoint', url);
}

beforeEach(() => {
  state.isTrusted = true;
  state.user.clear();
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
