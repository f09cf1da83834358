import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VisibilityBuffer } from '../../../src/vscode/panels/visibilityBuffer';

describe('a hidden webview gets nothing', () => {
  let sent: string[] = [];
  const buffer = (): VisibilityBuffer<'state' | 'pair', number> =>
    new VisibilityBuffer({ snapshot: (name) => sent.push(name), stream: (items) => sent.push(`stream ${items.join(',')}`) });

  beforeEach(() => {
    sent = [];
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  it('keeps quiet while hidden and sends one snapshot of each stale name on its return', () => {
    const one = buffer();
    for (let n = 0; n < 50; n++) {
      one.invalidate('state');
      one.invalidate('pair');
      one.push(n);
    }
    vi.runAllTimers();
    expect(sent).toEqual([]);
    one.setVisible(true);
    vi.runAllTimers();
    expect(sent).toEqual(['state', 'pair']);
  });

  it('bundles what streams and what changes while visible', () => {
    const one = buffer();
    one.setVisible(true);
    for (let n = 0; n < 3; n++) {
      one.push(n);
      one.invalidate('state');
    }
    vi.advanceTimersByTime(20);
    expect(sent).toEqual(['stream 0,1,2']);
    vi.advanceTimersByTime(100);
    expect(sent).toEqual(['stream 0,1,2', 'state']);
  });

  it('sends what streamed before the snapshot that holds it', () => {
    const one = buffer();
    one.setVisible(true);
    one.push(1);
    one.invalidate('pair', true);
    expect(sent).toEqual(['stream 1', 'pair']);
  });

  it('sends nothing more once hidden again or disposed', () => {
    const one = buffer();
    one.setVisible(true);
    one.push(1);
    one.invalidate('state');
    one.setVisible(false);
    vi.runAllTimers();
    expect(sent).toEqual([]);
    one.dispose();
    one.push(2);
    vi.runAllTimers();
    expect(sent).toEqual([]);
  });
});
