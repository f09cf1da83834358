import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Wheel } from './wheels';

/** Time for all downloads together, in ms. */
const PIP_MS = 300_000;

/**
 * Downloads wheels with the pip of `python`, which knows the user's index, proxy and certificates. Hashes are demanded of pip, too.
 * Gives null when all are there, else why not, in a line.
 */
export async function downloadWithPip(python: string, wheels: readonly Wheel[], folder: string, indexUrl: string | undefined, signal?: AbortSignal): Promise<string | null> {
  const list = path.join(folder, 'requirements.txt');
  await fs.writeFile(list, wheels.map(({ project, version, sha256 }) => `${project}==${version} --hash=sha256:${sha256}\n`).join(''));
  const args = [
    '-m', 'pip', 'download', '--quiet', '--no-input', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:',
    // The wheels are for the embedded Python, whatever the one that runs pip is.
    '--python-version', '3.14', '--require-hashes', '-r', list, '-d', folder, ...(indexUrl === undefined ? [] : ['--index-url', indexUrl]),
  ];
  return new Promise((resolve) => {
    execFile(python, args, { cwd: folder, timeout: PIP_MS, windowsHide: true, maxBuffer: 1 << 20, ...(signal ? { signal } : {}) }, (error, _stdout, stderr) => {
      if (!error) return resolve(null);
      const lines = stderr.trim().split('\n').filter((line) => line !== '');
      resolve((lines.at(-1) ?? error.message).slice(0, 300));
    });
  });
}
