import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findInterpreter, type InterpreterQuery } from '../../../../src/node/python/interpreter';

let folder: string;
const usualPath = process.env['PATH'];

/** A program that answers as an interpreter of this version would. */
async function fake(name: string, answer: string): Promise<string> {
  const program = path.join(folder, name);
  await mkdir(path.dirname(program), { recursive: true });
  await writeFile(program, `#!/bin/sh\n${answer}\n`);
  await chmod(program, 0o755);
  return program;
}
const says = (program: string, version: string, implementation = 'cpython') =>
  `echo '${JSON.stringify([program, ...version.split('.').map(Number), implementation])}'`;
const find = (query: Partial<InterpreterQuery> = {}) => findInterpreter({ trusted: true, ...query });

describe.runIf(process.platform !== 'win32')('the search for an interpreter', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'interpreters-'));
    await fake('path/python3', says('/real/python3', '3.12.1'));
    await fake('project/.venv/bin/python', says('/project/.venv/bin/python', '3.11.7'));
    process.env['PATH'] = `${path.join(folder, 'path')}:/usr/bin:/bin`;
  });
  afterAll(async () => {
    process.env['PATH'] = usualPath;
    await rm(folder, { recursive: true });
  });

  it('believes the setting and nothing else', async () => {
    const program = await fake('chosen', says('/real/chosen', '3.9.0'));
    expect(await find({ setting: program })).toEqual({ path: '/real/chosen', version: '3.9.0', source: 'setting' });
    await expect(find({ setting: path.join(folder, 'missing') })).rejects.toMatchObject({ code: 'python/not-found' });
  });

  it('goes by the editor, then the virtual environment, then the path', async () => {
    const editor = await fake('editor', says('/real/editor', '3.10.2'));
    const folders = [path.join(folder, 'project')];
    expect(await find({ editorChoice: () => Promise.resolve(editor), folders })).toMatchObject({ source: 'editor', path: '/real/editor' });
    expect(await find({ editorChoice: () => Promise.resolve(undefined), folders })).toMatchObject({ source: 'venv', path: '/project/.venv/bin/python' });
    expect(await find({ folders: [folder] })).toMatchObject({ source: 'path', path: '/real/python3' });
  });

  it('runs nothing of an untrusted workspace', async () => {
    const bait = await fake('bait/.venv/bin/python', `touch ${path.join(folder, 'ran')}; ${says('/bait', '3.12.0')}`);
    const found = await find({ trusted: false, folders: [path.join(folder, 'bait')], editorChoice: () => Promise.resolve(bait) });
    expect(found.source).toBe('path');
    await expect(chmod(path.join(folder, 'ran'), 0o600)).rejects.toThrow();
  });

  it('does not wait for an editor that does not answer, nor fail with one that fails', async () => {
    expect(await find({ editorChoice: () => new Promise(() => undefined) })).toMatchObject({ source: 'path' });
    expect(await find({ editorChoice: () => Promise.reject(new Error('no')) })).toMatchObject({ source: 'path' });
  });

  it('passes over what is too old or broken, and says so when nothing better is there', async () => {
    const old = await fake('old', says('/real/old', '3.8.18'));
    expect(await find({ editorChoice: () => Promise.resolve(old) })).toMatchObject({ source: 'path' });
    await expect(find({ setting: old })).rejects.toMatchObject({ code: 'python/too-old', what: { args: { version: '3.8.18' } } });
    for (const answer of ['echo hello', 'exit 3', says('/real/pypy', '3.10.0', 'pypy')]) {
      await expect(find({ setting: await fake('broken', answer) })).rejects.toMatchObject({ code: 'python/broken' });
    }
    process.env['PATH'] = path.join(folder, 'project');
    await expect(find({ trusted: false })).rejects.toMatchObject({ code: 'python/not-found' });
    await expect(find({ editorChoice: () => Promise.resolve(old) })).rejects.toMatchObject({ code: 'python/too-old' });
    process.env['PATH'] = `${path.join(folder, 'path')}:/usr/bin:/bin`;
  });

  it('stops when it is cancelled', async () => {
    const slow = await fake('slow', 'sleep 30');
    await expect(findInterpreter({ trusted: true, setting: slow }, AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('finds a real one that runs the host', async () => {
    process.env['PATH'] = usualPath;
    const found = await find();
    expect(found.path).toMatch(/^\//);
    expect(found.version).toMatch(/^3\.\d+\.\d+$/);
  });
});
