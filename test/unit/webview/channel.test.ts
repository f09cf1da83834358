import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EnvwrightError } from '../../../src/core/errors';
import { Channel, ChannelError, type Contract, type Envelope, type Handlers } from '../../../src/shared/webviewChannel';
import { message } from '../../../src/shared/message';

const Service = {
  requests: {
    double: { params: z.object({ n: z.number() }), result: z.number() },
    refuse: { params: z.null(), result: z.null() },
    lie: { params: z.null(), result: z.number() },
  },
  notes: { tick: z.object({ at: z.number() }) },
} satisfies Contract;
const Nothing = { requests: {}, notes: {} } satisfies Contract;

/** Two joined ends; everything that crosses goes through JSON, as between a page and its host. */
function join(handlers: Handlers<typeof Service>): { client: Channel<typeof Nothing, typeof Service>; service: Channel<typeof Service, typeof Nothing>; defects: unknown[]; crossed: Envelope[] } {
  const defects: unknown[] = [];
  const crossed: Envelope[] = [];
  const over = (to: () => { receive(data: unknown): void }) => (envelope: Envelope): void => {
    crossed.push(envelope);
    to().receive(JSON.parse(JSON.stringify(envelope)));
  };
  const options = { onDefect: (error: unknown) => void defects.push(error) };
  const service: Channel<typeof Service, typeof Nothing> = new Channel(Service, Nothing, handlers, { ...options, post: over(() => client) });
  const client: Channel<typeof Nothing, typeof Service> = new Channel(Nothing, Service, { requests: {}, notes: {} }, { ...options, post: over(() => service) });
  return { client, service, defects, crossed };
}

const ticks: number[] = [];
const handlers: Handlers<typeof Service> = {
  requests: {
    double: ({ n }) => n * 2,
    refuse: () => {
      throw new EnvwrightError('play/none', message('There is no {thing}.', { thing: 'play' }), message('Run one.'));
    },
    lie: () => 'text' as unknown as number,
  },
  notes: { tick: ({ at }) => void ticks.push(at) },
};

describe('the conversation of a panel', () => {
  it('answers a request', async () => {
    await expect(join(handlers).client.request('double', { n: 21 })).resolves.toBe(42);
  });

  it('rejects with what the other side said, code and next step', async () => {
    const { client, defects } = join(handlers);
    const error = await client.request('refuse', null).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ChannelError);
    expect(error).toMatchObject({ code: 'play/none', what: message('There is no {thing}.', { thing: 'play' }), next: message('Run one.') });
    expect(defects).toEqual([]);
  });

  it('refuses parameters that do not fit, and says nothing of the inside', async () => {
    const { client, defects } = join(handlers);
    await expect(client.request('double', { n: 'x' } as never)).rejects.toMatchObject({ code: 'panel/defect' });
    expect(defects).toHaveLength(1);
  });

  it('rejects a result that does not fit', async () => {
    await expect(join(handlers).client.request('lie', null)).rejects.toMatchObject({ code: 'panel/bad-answer' });
  });

  it('takes notes that fit and drops the others with a word to the log', () => {
    const { client, defects } = join(handlers);
    client.notify('tick', { at: 3 });
    client.notify('tick', { at: 'late' } as never);
    expect(ticks).toEqual([3]);
    expect(defects).toHaveLength(1);
  });

  it('survives anything that arrives', () => {
    const { service, defects } = join(handlers);
    for (const odd of [null, 7, 'x', {}, { type: 'request' }, { type: 'request', id: 1, method: 'toString', params: null }, { type: 'result', id: 99, result: 1 }]) service.receive(odd);
    expect(defects.length).toBeGreaterThan(0);
  });
});
