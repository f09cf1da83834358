import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TokenCounts } from '../../../src/vscode/design/tokenCounts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const settle = () => vi.advanceTimersByTimeAsync(1_000);

const server = { endpoint: 'http://localhost:1/v1', model: 'm', apiKey: undefined };

function counts(count: (text: string) => number | null, setup: typeof server | null = server) {
  const asked: string[] = [];
  const made = new TokenCounts({
    models: { quietSetup: () => Promise.resolve(setup ?? undefined) },
    ports: { countTokens: (_, text) => (asked.push(text), Promise.resolve(count(text))), contextOf: () => Promise.resolve(4_096) },
  }, () => undefined);
  return { made, asked };
}

describe('tokens by the designer’s own tokenizer', () => {
  it('are asked for once a text, after the changes have settled', async () => {
    const { made, asked } = counts((text) => text.length);
    made.want(['a']);
    made.want(['ab', 'abc']);
    await settle();
    made.want(['abc', 'abcd']);
    await settle();
    expect(asked).toEqual(['ab', 'abc', 'abcd']);
    expect([made.known.get('abcd'), made.context]).toEqual([4, 4_096]);
  });

  it('are not asked for again at a server that has no tokenizer', async () => {
    const { made, asked } = counts(() => null);
    made.want(['a', 'b']);
    await settle();
    made.want(['c']);
    await settle();
    expect(asked).toEqual(['a']);
    expect(made.known.size).toBe(0);
  });

  it('are not asked for where a key would have to be asked for first', async () => {
    const { made, asked } = counts(() => 1, null);
    made.want(['a']);
    await settle();
    expect([asked, made.context]).toEqual([[], null]);
  });

  it('nobody is asked after the panel is closed', async () => {
    const { made, asked } = counts(() => 1);
    made.want(['a']);
    made.dispose();
    await settle();
    expect(asked).toEqual([]);
  });
});
