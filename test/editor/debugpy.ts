import fs from 'node:fs';
import path from 'node:path';
import { editorCache } from './paths';
import { run, runOrThrow } from './process';

const VERSION = '1.8.22';

const PIP = ['-m', 'pip', '--quiet', '--disable-pip-version-check'];
/** The wheel without compiled parts, which every Python reads. */
const ANY_PYTHON = ['--no-deps', '--only-binary=:all:', '--platform', 'any', '--implementation', 'py', '--abi', 'none'];

/** The folder that holds debugpy, installed on first use from the Python package index (33 MB). As root on a Debian-like system pip is installed when there is none. */
export async function ensureDebugpy(): Promise<string> {
  const folder = path.join(editorCache, `debugpy-${VERSION}`);
  const stamp = path.join(folder, '.installed');
  if (fs.existsSync(stamp)) return folder;
  if ((await run('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' })) !== 0) {
    if (process.getuid?.() !== 0 || !fs.existsSync('/usr/bin/apt-get')) throw new Error('The tests of debugging need pip. Install it (Debian: apt-get install python3-pip).');
    await runOrThrow('apt-get', ['update', '-qq']);
    await runOrThrow('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'python3-pip']);
  }
  console.log(`Installing debugpy ${VERSION} into ${folder} …`);
  await runOrThrow('python3', [...PIP, 'install', ...ANY_PYTHON, '--target', folder, `debugpy==${VERSION}`]);
  fs.writeFileSync(stamp, '');
  return folder;
}
