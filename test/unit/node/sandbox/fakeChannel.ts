import type { Channel, ChannelListener } from '../../../../src/node/sandbox/channel';
import { HostSession } from '../../../../src/node/sandbox/hostSession';
import { DEFAULT_LIMITS, plainEnd } from '../../../../src/node/sandbox/limits';
import type { SessionLimits } from '../../../../src/core/ports';
import type { HostGreeting } from '../../../../src/shared/hostProtocol';

type Sent = { id: number; op: string } & Record<string, unknown>;

/** A host that answers as the test says. */
export class FakeChannel implements Channel {
  readonly sent: Sent[] = [];
  killed = 0;
  listener!: ChannelListener;
  answer: (request: Sent) => void = () => undefined;

  listen(listener: ChannelListener): void {
    this.listener = listener;
  }

  send(request: object): void {
    this.sent.push(request as Sent);
    this.answer(request as Sent);
  }

  kill(): void {
    this.killed += 1;
    queueMicrotask(() => this.listener.end(plainEnd('killed', '')));
  }

  reply(frame: object): void {
    this.listener.frame(frame);
  }
}

const greeting: HostGreeting = { hello: 1, python: '3.11.7', implementation: 'CPython', hashSeed: '0', packages: {}, layers: [] };

export function fakeSession(limits: Partial<SessionLimits> = {}): { channel: FakeChannel; session: HostSession; log: string[] } {
  const channel = new FakeChannel();
  const log: string[] = [];
  return { channel, log, session: new HostSession(greeting, channel, { ...DEFAULT_LIMITS, ...limits }, (text) => log.push(text)) };
}

export const text = (value: string) => ({ type: 'str', text: value, length: value.length, cut: false });
export const resetResult = { kind: 'reset', observation: text('hello'), info: { type: 'dict', repr: '{}', json: {} }, shape: null, ms: 1 };
