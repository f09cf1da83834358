import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ModelError } from '../../../src/core/models/errors';
import { promptFiles } from '../../../src/node/design/promptFiles';
import { message } from '../../../src/shared/message';
import type { HintParts } from '../../../src/vscode/design/hintCommand';
import { scriptedModel, type ScriptedReply } from '../../fakes/scriptedModel';

vi.mock('vscode', async () => import('../../fakes/vscode'));

const vscode = await import('vscode');
const { editHint, writeHints } = await import('../../../src/vscode/design/hintCommand');

describe('hints that are written together', () => {
  const document = { getText: () => 'class AEnv: ...', uri: { path: '/a_env.py' } } as unknown as Parameters<typeof writeHints>[0];
  const down = new ModelError('server-error', message('It broke.'), message('Again.'));
  const write = async (replies: readonly ScriptedReply[]) => {
    const [notice, addCost] = [vi.fn(() => Promise.resolve(undefined)), vi.fn()];
    const parts = {
      ports: { templates: () => Promise.resolve(promptFiles(join(import.meta.dirname, '../../../media'))) }, clock: { now: () => 0 },
      engine: { byText: () => Promise.resolve({ report: { profile: 's' } }) }, interaction: { notice }, drafts: { addCost },
      models: { client: () => Promise.resolve(scriptedModel([...replies])), profile: () => ({ sampling: {}, thinking: false }) },
    } as unknown as HintParts;
    const written = await writeHints(document, replies.length, parts);
    return { written: written.map(({ text }) => text), notice, addCost };
  };

  it('stay when one of them fails, which is said', async () => {
    const { written, notice, addCost } = await write(['Count the doors.', down, 'Look left.']);
    expect(written).toEqual(['Count the doors.', 'Look left.']);
    expect(notice).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ severity: 'warning' }));
    expect(addCost).toHaveBeenCalledTimes(2);
  });

  it('are an error when all fail', async () => {
    await expect(write([down, down])).rejects.toBe(down);
  });
});

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

  it('is kept when the sandbox fails, and it is said why nobody could look for answers in it', async () => {
    const failed = new ModelError('server-error', message('There is no sandbox.'), message('See the doctor.'));
    const told = vi.spyOn(vscode.window, 'setStatusBarMessage');
    const document = { getText: () => 'class AEnv: ...', uri: { path: '/a_env.py' } } as unknown as Parameters<typeof editHint>[0];
    const show = vi.fn(() => Promise.resolve());
    const parts = {
      interaction: { input: () => Promise.resolve('Look.') }, files: { keep: () => Promise.resolve() }, sandbox: { get: () => Promise.reject(failed) },
      marks: { placeOf: () => ({ range: { line: 1, column: 1, endLine: 1, endColumn: 1 }, profile: 's' }), show },
    } as unknown as HintParts;
    expect(await editHint(document, { text: 'Count.', simulated: false }, parts)).toBe('Look.');
    expect(told.mock.calls[0]?.[0]).toMatch(/kept, but nobody could look whether it holds answers: There is no sandbox\./);
    expect(show).toHaveBeenCalledOnce();
  });
});
