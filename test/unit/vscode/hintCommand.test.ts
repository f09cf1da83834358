import { describe, expect, it, vi } from 'vitest';
import type { HintParts } from '../../../src/vscode/design/hintCommand';

vi.mock('vscode', async () => import('../../fakes/vscode'));

const { editHint } = await import('../../../src/vscode/design/hintCommand');

describe('a hint that is shown before it is kept', () => {
  it('is not kept when it is dismissed', async () => {
    const keep = vi.fn(() => Promise.resolve());
    const shown = vi.fn<(request: { value?: string }) => Promise<undefined>>(() => Promise.resolve(undefined));
    const parts = { interaction: { input: shown }, files: { keep } } as unknown as HintParts;
    const document = {} as Parameters<typeof editHint>[0];
    expect(await editHint(document, { text: 'Count the doors.', simulated: true }, parts)).toBeUndefined();
    expect(shown.mock.calls[0]?.[0].value).toBe('Count the doors.');
    expect(keep).not.toHaveBeenCalled();
  });
});
