import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { onAbort } from '../../../src/core/abort';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('waiting for a signal', () => {
  it('puts one listener on it, however many wait, and none when nobody does', () => {
    const { signal } = new AbortController();
    const releases = Array.from({ length: 40 }, () => onAbort(signal, () => undefined));
    expect(listeners(signal)).toBe(1);
    for (const release of releases.slice(1)) release();
    expect(listeners(signal)).toBe(1);
    releases[0]?.();
    expect(listeners(signal)).toBe(0);
    onAbort(signal, () => undefined);
    expect(listeners(signal)).toBe(1);
  });

  it('calls all that still wait, once and in their order', () => {
    const controller = new AbortController();
    const called: number[] = [];
    const releases = [0, 1, 2, 3].map((n) => onAbort(controller.signal, () => called.push(n)));
    releases[1]?.();
    controller.abort();
    controller.abort();
    expect(called).toEqual([0, 2, 3]);
    for (const release of releases) release();
  });

  it('takes the same function twice for two, and one let go of in the meantime for none', () => {
    const controller = new AbortController();
    const listener = vi.fn();
    const late = vi.fn();
    const release = onAbort(controller.signal, listener);
    onAbort(controller.signal, listener);
    release();
    release();
    onAbort(controller.signal, () => letGo());
    const letGo = onAbort(controller.signal, late);
    controller.abort();
    expect(listener).toHaveBeenCalledTimes(1);
    expect(late).not.toHaveBeenCalled();
  });

  it('calls nobody without a signal', () => {
    expect(() => onAbort(undefined, () => expect.unreachable())()).not.toThrow();
  });
});
