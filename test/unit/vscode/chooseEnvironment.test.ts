import { describe, expect, it, vi } from 'vitest';
import type { Interaction, PickRequest } from '../../../src/vscode/interaction';

vi.mock('vscode', async () => import('../../fakes/vscode'));

const { chooseEnvironment } = await import('../../../src/vscode/commands/chooseEnvironment');
type Uri = Exclude<Awaited<ReturnType<typeof chooseEnvironment>>, undefined>;
const { BACK } = await import('../../../src/vscode/interaction');
const file = (path: string) => path as unknown as Uri;
const store = { get: () => undefined };
const answering = (pick: (request: PickRequest<Uri>) => unknown) => ({ pick: (request: PickRequest<Uri>) => Promise.resolve(pick(request)) }) as unknown as Interaction;

describe('a command without a file in front', () => {
  it('asks for an environment of the workspace, told by name and folder', async () => {
    let shown: readonly unknown[] = [];
    const chosen = await chooseEnvironment(() => Promise.resolve([file('environments/a_env.py'), file('b_env.py')]), store, answering(({ choices }) => {
      shown = choices.map((choice) => ('label' in choice ? [choice.label, choice.description] : []));
      return 'value' in choices[1]! ? choices[1].value : undefined;
    }));
    expect(shown).toEqual([['a_env.py', 'environments'], ['b_env.py', '']]);
    expect(chosen).toBe('b_env.py');
  });

  it('does nothing when the question is dismissed', async () => {
    for (const answer of [undefined, BACK]) expect(await chooseEnvironment(() => Promise.resolve([file('a_env.py')]), store, answering(() => answer))).toBeUndefined();
  });

  it('says what to do where there is none', async () => {
    await expect(chooseEnvironment(() => Promise.resolve([]), store, answering(() => undefined))).rejects.toMatchObject({ code: 'editor/no-environment' });
  });
});
