import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CheckRecords, chosenProfile, movedName } from '../../../../src/core/checks/records';
import { contentHash } from '../../../../src/core/checks/suppression';
import { NodeFileStore } from '../../../../src/node/files/nodeFileStore';
import { tempFolder } from '../../../helpers/tempFolder';

const [A, B] = ['a'.repeat(64), 'b'.repeat(64)];
const silenced = (id: string, hash = A, file = 'env.py') => ({ scope: 'file' as const, id, file, hash });

function fresh(): { folder: string; records: CheckRecords } {
  const folder = tempFolder();
  return { folder, records: new CheckRecords(new NodeFileStore(), folder) };
}

describe('what the user decided', () => {
  it('is empty where nothing was', async () => {
    expect(await fresh().records.read()).toEqual({ suppressions: [], profiles: [] });
  });

  it('is kept, and a silencing of a newer content takes the place of the older one', async () => {
    const { records } = fresh();
    await records.silence(silenced('guessable'));
    await records.silence(silenced('trivial-win'));
    await records.silence(silenced('guessable', B));
    await records.silence({ scope: 'workspace', id: 'guessable' });
    await records.silence({ scope: 'workspace', id: 'guessable' });
    expect((await records.read()).suppressions).toEqual([silenced('trivial-win'), silenced('guessable', B), { scope: 'workspace', id: 'guessable' }]);
    await records.unsilence([silenced('guessable', B)]);
    expect((await records.read()).suppressions).toEqual([silenced('trivial-win'), { scope: 'workspace', id: 'guessable' }]);
  });

  it('goes along with a file or folder that is renamed, and is about no other', async () => {
    const { records, folder } = fresh();
    await records.moved('env.py', 'new.py');
    expect(existsSync(join(folder, '.envwright'))).toBe(false);
    for (const file of ['old/env.py', 'old/deep/env.py', 'older/env.py', 'new/env.py']) await records.chooseProfile({ file, hash: (await contentHash(file)), profile: 'm', why: file });
    for (const file of ['old/env.py', 'older/env.py']) await records.silence(silenced('guessable', A, file));
    await records.silence({ scope: 'workspace', id: 'trivial-win' });
    await records.moved('old', 'new');
    const { profiles, suppressions } = await records.read();
    expect(profiles.map(({ file, why }) => [file, why])).toEqual([['new/env.py', 'old/env.py'], ['new/deep/env.py', 'old/deep/env.py'], ['older/env.py', 'older/env.py']]);
    expect(suppressions).toEqual([silenced('guessable', A, 'new/env.py'), silenced('guessable', A, 'older/env.py'), { scope: 'workspace', id: 'trivial-win' }]);
  });

  it('a name follows its own renaming and that of a folder above it, and back', () => {
    const part = fc.stringMatching(/^[a-z]{1,3}$/);
    const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(fc.property(path, path, path, (file, from, to) => {
      const moved = movedName(file, from, to);
      expect(moved === null).toBe(file !== from && !file.startsWith(`${from}/`));
      if (moved !== null) expect(movedName(moved, to, from)).toBe(file);
    }));
  });

  it('loses nothing when several write at once', async () => {
    const { records, folder } = fresh();
    const other = new CheckRecords(new NodeFileStore(), folder);
    await Promise.all(Array.from({ length: 12 }, (_, at) => (at % 2 ? records : other).silence(silenced(`check-${at}`))));
    expect((await records.read()).suppressions.map(({ id }) => id).sort()).toEqual(Array.from({ length: 12 }, (_, at) => `check-${at}`).sort());
  });

  it('a damaged file is named and left as it is, also by a change', async () => {
    const { records, folder } = fresh();
    mkdirSync(join(folder, '.envwright'));
    const path = join(folder, '.envwright', 'suppressions.json');
    for (const text of ['{"version": 1,', '{"version": 2, "suppressions": []}', '{"version": 1, "suppressions": [{"scope": "file", "id": "x"}]}']) {
      writeFileSync(path, text);
      await expect(records.read()).rejects.toMatchObject({ code: 'records/unreadable' });
      await expect(records.silence(silenced('x'))).rejects.toMatchObject({ code: 'records/unreadable' });
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  });

  it('a profile holds for the path, and for the same content under another name', async () => {
    const { records } = fresh();
    await records.chooseProfile({ file: 'one.py', hash: A, profile: 'c', why: 'a document' });
    await records.chooseProfile({ file: 'two.py', hash: B, profile: 'm', why: 'several turns' });
    const { profiles } = await records.read();
    expect(chosenProfile(profiles, { file: 'one.py', hash: B })?.profile).toBe('c');
    expect(chosenProfile(profiles, { file: 'moved.py', hash: B })?.profile).toBe('m');
    expect(chosenProfile(profiles, { file: 'moved.py', hash: 'c'.repeat(64) })).toBeUndefined();
    await records.forgetProfile({ file: 'one.py', hash: A });
    expect((await records.read()).profiles.map(({ file }) => file)).toEqual(['two.py']);
  });
});

describe('the hash that a decision is bound to', () => {
  it('is the same with a byte order mark and other line ends, and another for another word', async () => {
    expect(await contentHash('\ufeffa\r\nb\rc\n')).toBe(await contentHash('a\nb\nc\n'));
    expect(await contentHash('a\n\nb')).not.toBe(await contentHash('a\nb'));
  });
});
