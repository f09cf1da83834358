import { z } from 'zod';
import { Message, message } from './message';

/** What one side of a webview answers: its requests with parameters and result, and the notes it takes. */
export interface Contract {
  readonly requests: Readonly<Record<string, { readonly params: z.ZodType; readonly result: z.ZodType }>>;
  readonly notes: Readonly<Record<string, z.ZodType>>;
}

type RequestName<C extends Contract> = keyof C['requests'] & string;
type NoteName<C extends Contract> = keyof C['notes'] & string;

/** The functions that answer a contract. Whatever they are given has been parsed. */
export interface Handlers<C extends Contract> {
  readonly requests: {
    readonly [M in RequestName<C>]: (
      params: z.output<C['requests'][M]['params']>,
    ) => z.input<C['requests'][M]['result']> | Promise<z.input<C['requests'][M]['result']>>;
  };
  readonly notes: { readonly [N in NoteName<C>]: (params: z.output<C['notes'][N]>) => void };
}

const Envelope = z.discriminatedUnion('type', [
  z.object({ type: z.literal('request'), id: z.int(), method: z.string(), params: z.unknown() }),
  z.object({ type: z.literal('result'), id: z.int(), result: z.unknown() }),
  z.object({ type: z.literal('error'), id: z.int(), code: z.string(), what: Message, next: Message }),
  z.object({ type: z.literal('note'), method: z.string(), params: z.unknown() }),
]);
/** What crosses between host and webview. */
export type Envelope = z.infer<typeof Envelope>;

/** Why the other side could not do what it was asked; `what` and `next` are for people. */
export class ChannelError extends Error {
  constructor(readonly code: string, readonly what: Message, readonly next: Message) {
    super(what.template);
    this.name = 'ChannelError';
  }
}

const Shown = z.object({ code: z.string(), what: Message, next: Message });

/** The readable part of an error that carries one, else undefined: then it is a defect. */
function readable(error: unknown): z.infer<typeof Shown> | undefined {
  return error instanceof Error ? Shown.safeParse(error).data : undefined;
}

/** How a channel reaches the world. `onDefect` gets what no person was told: bad envelopes and unexpected errors. */
export interface ChannelOptions {
  readonly post: (envelope: Envelope) => void;
  readonly onDefect: (error: unknown) => void;
}

/**
 * One end of a webview's conversation: answers the local contract, asks the remote one. Everything that arrives is
 * parsed; parameters that do not fit are refused, results that do not fit reject.
 */
export class Channel<Local extends Contract, Remote extends Contract> {
  private nextId = 1;
  private readonly waiting = new Map<number, { method: string; resolve: (value: unknown) => void; reject: (error: Error) => void }>();

  constructor(
    private readonly local: Local,
    private readonly remote: Remote,
    private readonly handlers: Handlers<Local>,
    private readonly options: ChannelOptions,
  ) {}

  /** Asks the other side; rejects with a {@link ChannelError} when it refuses. */
  request<M extends RequestName<Remote>>(
    method: M,
    params: z.input<Remote['requests'][M]['params']>,
  ): Promise<z.output<Remote['requests'][M]['result']>> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { method, resolve: resolve as (value: unknown) => void, reject });
      this.options.post({ type: 'request', id, method, params });
    });
  }

  /** Tells the other side, without an answer. */
  notify<N extends NoteName<Remote>>(method: N, params: z.input<Remote['notes'][N]>): void {
    this.options.post({ type: 'note', method, params });
  }

  /** Takes whatever arrived. */
  receive(data: unknown): void {
    const envelope = Envelope.safeParse(data);
    if (!envelope.success) return this.options.onDefect(envelope.error);
    const value = envelope.data;
    switch (value.type) {
      case 'request': void this.answer(value.id, value.method, value.params); return;
      case 'note': return this.take(value.method, value.params);
      case 'result': return this.settle(value.id, value.result);
      case 'error': return this.finish(value.id)?.reject(new ChannelError(value.code, value.what, value.next));
    }
  }

  private async answer(id: number, method: string, params: unknown): Promise<void> {
    try {
      const schema = this.local.requests[method];
      const handler = this.handlers.requests[method as RequestName<Local>];
      if (!schema || !handler) throw new Error(`unknown request ${method}`);
      const result: unknown = await handler(schema.params.parse(params) as never);
      this.options.post({ type: 'result', id, result });
    } catch (error) {
      const shown = readable(error);
      if (!shown) this.options.onDefect(error);
      this.options.post({
        type: 'error', id,
        ...(shown ?? { code: 'panel/defect', what: message('Envwright could not do this.'), next: message('The log has the details.') }),
      });
    }
  }

  private take(method: string, params: unknown): void {
    try {
      const schema = this.local.notes[method];
      const handler = this.handlers.notes[method as NoteName<Local>];
      if (!schema || !handler) throw new Error(`unknown note ${method}`);
      handler(schema.parse(params) as never);
    } catch (error) {
      this.options.onDefect(error);
    }
  }

  private settle(id: number, result: unknown): void {
    const waiting = this.finish(id);
    if (!waiting) return;
    const parsed = this.remote.requests[waiting.method]?.result.safeParse(result);
    if (parsed?.success) return waiting.resolve(parsed.data);
    this.options.onDefect(parsed?.error);
    waiting.reject(new ChannelError('panel/bad-answer', message('The answer was not understood.'), message('The log has the details.')));
  }

  private finish(id: number): { method: string; resolve: (value: unknown) => void; reject: (error: Error) => void } | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }
}
