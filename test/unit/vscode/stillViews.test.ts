import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** Messages to the window that wait for their answer. */
const messages: (() => void)[] = [];
vi.mock('vscode', () => ({ commands: { executeCommand: () => new Promise<void>((resolve) => messages.push(resolve)) } }));

const { StillView, undisturbed } = await import('../../../src/vscode/trees/stillViews');

/** A view whose drawings are counted. */
function view(): { still: InstanceType<typeof StillView>; drawings: () => number } {
  let drawings = 0;
  return { still: new StillView(() => (drawings += 1)), drawings: () => drawings };
}

const answerWindow = async (): Promise<void> => {
  for (const answer of messages.splice(0)) answer();
  await vi.advanceTimersByTimeAsync(0);
};

describe('views while something is asked', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    messages.length = 0;
    vi.useRealTimers();
  });

  it('draw at once what changes while nothing is asked', () => {
    const { still, drawings } = view();
    still.changed();
    still.changed();
    expect(drawings()).toBe(2);
    still.dispose();
  });

  it('are drawn wholly before the question is shown: the editor has gathered, asked and been answered', async () => {
    const { still } = view();
    const ask = vi.fn(() => Promise.resolve('yes'));
    await still.answered(Promise.resolve([]));
    still.changed();
    const answer = undisturbed(ask);
    await vi.advanceTimersByTimeAsync(240);
    expect(messages).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(20);
    expect(messages).toHaveLength(1);
    let rows: (value: string[]) => void = () => undefined;
    void still.answered(new Promise<string[]>((resolve) => (rows = resolve)));
    await answerWindow();
    expect(ask).not.toHaveBeenCalled();
    rows([]);
    await vi.advanceTimersByTimeAsync(0);
    await answerWindow();
    expect(ask).toHaveBeenCalledOnce();
    await expect(answer).resolves.toBe('yes');
    still.dispose();
  });

  it('hold back what changes meanwhile, and draw it once when the last question is over, also one that failed', async () => {
    const { still, drawings } = view();
    let fail: (error: Error) => void = () => undefined;
    const first = undisturbed(() => new Promise<never>((_, reject) => (fail = reject)));
    const second = undisturbed(() => Promise.resolve());
    await second;
    still.changed();
    still.changed();
    expect(drawings()).toBe(0);
    fail(new Error('closed'));
    await expect(first).rejects.toThrow('closed');
    expect(drawings()).toBe(1);
    still.dispose();
  });

  it('do not delay a question where no view was ever shown', async () => {
    const { still } = view();
    still.changed();
    await expect(undisturbed(() => Promise.resolve(1))).resolves.toBe(1);
    still.dispose();
  });

  it('that are asked for their rows without end do not keep a question from being shown', async () => {
    const { still } = view();
    await still.answered(Promise.resolve([]));
    const answer = undisturbed(() => Promise.resolve('shown'));
    for (let round = 0; round < 40; round += 1) {
      await vi.advanceTimersByTimeAsync(0);
      void still.answered(Promise.resolve([]));
      await answerWindow();
    }
    await expect(answer).resolves.toBe('shown');
    still.dispose();
  });
});
