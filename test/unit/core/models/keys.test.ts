import { describe, expect, it } from 'vitest';
import { KeyRing, sendsKeyInClear, type SecretStore } from '../../../../src/core/models/keys';

function memoryStore(): SecretStore & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    get: (name) => Promise.resolve(kept.get(name)),
    set: (name, value) => Promise.resolve(void kept.set(name, value)),
    delete: (name) => Promise.resolve(void kept.delete(name)),
  };
}

describe('API keys', () => {
  it('belong to the origin they were given for, whatever the path', async () => {
    const keys = new KeyRing(memoryStore());
    await keys.setKey('https://a.example.com/v1', ' sk-a ');
    expect(await keys.keyFor('https://a.example.com/other/v2/')).toBe('sk-a');
    for (const other of ['https://b.example.com/v1', 'http://a.example.com/v1', 'https://a.example.com:8443/v1']) {
      expect(await keys.keyFor(other)).toBeUndefined();
    }
    await keys.forgetKey('https://a.example.com');
    expect(await keys.keyFor('https://a.example.com/v1')).toBeUndefined();
  });

  it.each(['', 'two words', 'line\nbreak', 'clé'])('%j is refused', async (key) => {
    const store = memoryStore();
    await expect(new KeyRing(store).setKey('https://a.example.com', key)).rejects.toMatchObject({ code: 'model/key-malformed' });
    expect(store.kept.size).toBe(0);
  });

  it('would be readable on the way over http, except to this computer', () => {
    expect(sendsKeyInClear('http://gpu.example.com/v1')).toBe(true);
    expect(sendsKeyInClear('http://localhost:8000')).toBe(false);
    expect(sendsKeyInClear('https://gpu.example.com/v1')).toBe(false);
  });
});
