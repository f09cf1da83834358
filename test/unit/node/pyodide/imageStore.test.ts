import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { probeHardening } from '../../../../src/node/sandbox/pyodide/hardeningProbe';
import { ImageStore, type ImageKind } from '../../../../src/node/sandbox/pyodide/imageStore';
import { bundledChild, folder, gone, pyodideOptions, removeFolders } from './kit';

afterAll(removeFolders);
const kind: ImageKind = { hashSeed: 0, wheels: [], mathPreloaded: false };

describe('snapshots', () => {
  it('are made once, kept, and made anew when they are damaged', async () => {
    const cache = await folder();
    const { folders, script } = await pyodideOptions({ cache });
    const store = new ImageStore(folders, { program: process.execPath, flags: ['--no-warnings'], script });
    const start = async (): Promise<string> => {
      const { child, image } = await store.start(kind);
      child.kill();
      await gone(child.pid!);
      return image;
    };
    const [first, second] = await Promise.all([start(), start()]);
    expect(second).toBe(first);
    const names = (await fs.readdir(cache)).sort();
    expect(names).toHaveLength(2);
    const file = path.join(cache, names[0]!);
    const made = (await fs.stat(file)).ino;

    expect(await start()).toBe(first);
    expect((await fs.stat(file)).ino).toBe(made);

    const bytes = await fs.readFile(file);
    bytes[1_000_000]! ^= 0xff;
    await fs.writeFile(file, bytes);
    expect(await start()).toBe(first);
    expect((await fs.stat(file)).ino).not.toBe(made);

    await fs.truncate(file, 1000);
    expect(await start()).toBe(first);
    await fs.writeFile(`${file}.json`, '{"sha256":');
    expect(await start()).toBe(first);
    await fs.rm(file);
    expect(await start()).toBe(first);
    expect((await fs.stat(file)).size).toBe(bytes.length);
  }, 240_000);
});

describe('hardening flags', () => {
  it('are used when they take effect', async () => {
    const script = await bundledChild();
    const { flags, health } = await probeHardening(process.execPath, script, [script]);
    expect(health.every(({ ok }) => ok)).toBe(true);
    expect(flags).toEqual(expect.arrayContaining(['--disallow-code-generation-from-strings', `--allow-fs-read=${script}`]));
  });

  it('are dropped one by one, and said so, by a Node that refuses them', async () => {
    const script = await bundledChild();
    const picky = path.join(await folder(), 'node');
    await fs.writeFile(picky, `#!/bin/sh\nfor flag in "$@"; do case "$flag" in *permission|--no-addons) exit 9;; esac; done\nexec ${JSON.stringify(process.execPath)} "$@"\n`, { mode: 0o755 });
    const { flags, health } = await probeHardening(picky, script, [script]);
    expect(flags).toEqual(['--no-warnings', '--disallow-code-generation-from-strings', '--stack-size=3900']);
    expect(health.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual([expect.stringContaining('add-ons'), expect.stringContaining('permissions')]);
    expect(health.every(({ ok, next }) => ok || next !== null)).toBe(true);
  }, 60_000);
});
