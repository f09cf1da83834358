import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { NodeFileStore } from '../../../src/node/files/nodeFileStore';
import { tempFolder } from '../../helpers/tempFolder';

const files = new NodeFileStore(2_000);
const linesOf = async (path: string): Promise<{ text: string; utf8: boolean }[]> => {
  const found = [];
  for await (const line of files.lines(path)) found.push(line);
  return found;
};

describe('files', () => {
  it('that are not there are undefined, not errors', async () => {
    const dir = tempFolder();
    expect(await files.read(join(dir, 'no'))).toBeUndefined();
    expect(await files.list(join(dir, 'no'))).toBeUndefined();
    expect(await files.stat(join(dir, 'no'))).toBeUndefined();
    writeFileSync(join(dir, 'file'), 'x');
    expect(await files.read(join(dir, 'file', 'below'))).toBeUndefined();
    await files.remove(join(dir, 'no'));
  });

  it('are replaced whole, leave nothing behind and keep their mode', async () => {
    const path = join(tempFolder(), 'a.json');
    writeFileSync(path, 'old', { mode: 0o640 });
    await files.replace(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(path, '..'))).toEqual(['a.json']);
  });

  it('that may not be written say so, with the next step', async () => {
    const dir = tempFolder();
    mkdirSync(join(dir, 'folder'));
    writeFileSync(join(dir, 'file'), 'x');
    await expect(files.replace(join(dir, 'folder'), 'text')).rejects.toThrow('A folder stands there.');
    await expect(files.replace(join(dir, 'none', 'file'), 'text')).rejects.toThrow('There is no such folder.');
    await expect(files.replace(join(dir, 'file', 'below'), 'text')).rejects.toThrow('is a file and no folder');
    await expect(files.replace('/proc/envwright', 'text')).rejects.toThrow(/./);
  });

  it('keep their byte order mark and refuse what is no UTF-8', async () => {
    const path = join(tempFolder(), 'a');
    writeFileSync(path, '\ufeff[]');
    expect(await files.read(path)).toBe('\ufeff[]');
    writeFileSync(path, Buffer.from([0x5b, 0xff, 0x5d]));
    await expect(files.read(path)).rejects.toMatchObject({ code: 'files/not-utf-8' });
  });

  it('appending makes the folders, and closes a line that was torn', async () => {
    const path = join(tempFolder(), 'deep', 'log.jsonl');
    await files.append(path, 'one\n');
    appendFileSync(path, 'tor');
    await files.append(path, 'two\n');
    expect(readFileSync(path, 'utf8')).toBe('one\ntor\ntwo\n');
  });
});

describe('a lock', () => {
  it('lets one in at a time', async () => {
    const path = join(tempFolder(), 'env_memory.json');
    let inside = 0;
    let most = 0;
    await Promise.all(Array.from({ length: 8 }, () => files.withLock(path, async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside -= 1;
    })));
    expect(most).toBe(1);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('is given back when the work fails, and taken over from the dead', async () => {
    const path = join(tempFolder(), 'env_memory.json');
    await expect(files.withLock(path, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
    mkdirSync(`${path}.lock`);
    expect(await files.withLock(path, () => Promise.resolve('in'))).toBe('in');
  }, 20_000);
});

describe('lines', () => {
  it('are those of Python: at line feeds and carriage returns, and at nothing else', async () => {
    const path = join(tempFolder(), 'a');
    await fc.assert(fc.asyncProperty(fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u2028', '\u0085', 'é', '😀'), maxLength: 40 }), async (text) => {
      writeFileSync(path, text);
      const expected = text.split(/\r\n|\r|\n/);
      if (expected.at(-1) === '') expected.pop();
      expect((await linesOf(path)).map((line) => line.text)).toEqual(expected);
    }), { numRuns: 60 });
  });

  it('cross the pieces in which a file is read', async () => {
    const path = join(tempFolder(), 'a');
    const long = 'é'.repeat(100_000);
    writeFileSync(path, `${long}\r\n${long}\r`);
    expect((await linesOf(path)).map(({ text }) => text.length)).toEqual([100_000, 100_000]);
  });

  it('tell which of them is no UTF-8, and reject when there is no file', async () => {
    const path = join(tempFolder(), 'a');
    writeFileSync(path, Buffer.from([0x61, 0x0a, 0xff, 0x0a]));
    expect((await linesOf(path)).map(({ utf8 }) => utf8)).toEqual([true, false]);
    await expect(linesOf(`${path}.no`)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
