import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { message } from '../../../shared/message';
import type { HealthLine } from '../../../core/ports';
import { SandboxError } from '../../../core/sandboxError';
import { downloadFromIndex, findIndex } from './packageIndex';
import { downloadWithPip } from './pip';

/** A wheel by its file name and digest; another file is not taken, whoever offers it. */
export interface Wheel {
  /** Name of the project, normalised as in a simple index. */
  readonly project: string;
  readonly version: string;
  readonly file: string;
  readonly sha256: string;
}

/** math-verify and all that it needs, as pure Python; the order is that of their imports. */
export const EMBEDDED_WHEELS: readonly Wheel[] = [
  wheel('mpmath', '1.3.0', 'mpmath', 'a0b2b9fe80bbcd81a6647ff13108738cfb482d481d826cc0e02f5b35e5c88d2c'),
  wheel('sympy', '1.14.0', 'sympy', 'e091cc3e99d2141a0ba2847328f5479b05d94a6635cb96148ccb3f34671bd8f5'),
  wheel('antlr4-python3-runtime', '4.13.2', 'antlr4_python3_runtime', 'fe3835eb8d33daece0e799090eda89719dbccee7aa39ef94eed3818cafa5a7e8'),
  wheel('latex2sympy2-extended', '1.11.0', 'latex2sympy2_extended', 'aebb77d52ce269e25028e4bea89ddb14d242ba36bcf7b636496fb5fd9728d234'),
  wheel('math-verify', '0.9.0', 'math_verify', '3703e7c4885354027fa84409d762a596a2906d1fd4deb78361876bd905a76194'),
];

function wheel(project: string, version: string, stem: string, sha256: string): Wheel {
  return { project, version, file: `${stem}-${version}-py3-none-any.whl`, sha256 };
}

/** What an installation is told. */
export interface InstallOptions {
  /** Folder that may keep files between starts. */
  readonly cacheDir: string;
  /** Base of a simple index; else what pip is configured to use. */
  readonly indexUrl?: string;
  /** A trusted Python whose pip may be used; null to go without. */
  readonly python: string | null;
  /** Told what is being downloaded. */
  readonly onProgress?: (text: string) => void;
}

const folderOf = (cacheDir: string): string => path.join(cacheDir, 'wheels');

/** Says whether the wheels are there; their absence is a fault only where the embedded Python is in use. */
export async function wheelsLine(cacheDir: string, inUse: boolean): Promise<HealthLine> {
  const name = 'embedded Python: math-verify';
  if ((await installedWheels(cacheDir)).length > 0) return { name, ok: true, detail: EMBEDDED_WHEELS.map(({ project, version }) => `${project} ${version}`).join(', '), next: null };
  return {
    name,
    ok: !inUse,
    detail: inUse ? 'not installed: environments that import it cannot run' : 'not installed; needed only where the embedded Python runs the environments',
    next: 'Run the command "Envwright: Install math-verify for the Embedded Python", or envwright doctor --install-wheels.',
  };
}

/** Files of the installed wheels, absolute; empty when one is missing or is not what it should be. */
export async function installedWheels(cacheDir: string): Promise<readonly string[]> {
  const files = EMBEDDED_WHEELS.map(({ file }) => path.join(folderOf(cacheDir), file));
  const sound = await Promise.all(EMBEDDED_WHEELS.map((one, i) => isSound(files[i]!, one)));
  return sound.every(Boolean) ? files : [];
}

/**
 * Downloads the wheels that are not there yet from the user's package index, with pip where there is one, and keeps them by
 * their digest. Gives their files. Rejects with a `SandboxError` when an index cannot be found or reached, or offers other bytes.
 */
export async function installEmbeddedWheels(options: InstallOptions, signal?: AbortSignal): Promise<readonly string[]> {
  const folder = folderOf(options.cacheDir);
  await fs.mkdir(folder, { recursive: true });
  const missing: Wheel[] = [];
  for (const one of EMBEDDED_WHEELS) if (!(await isSound(path.join(folder, one.file), one))) missing.push(one);
  if (missing.length > 0) {
    const staging = await fs.mkdtemp(path.join(folder, 'download-'));
    try {
      await download(missing, staging, options, signal);
      for (const one of missing) await take(one, staging, folder);
    } finally {
      await fs.rm(staging, { recursive: true, force: true });
    }
  }
  return EMBEDDED_WHEELS.map(({ file }) => path.join(folder, file));
}

async function download(wheels: readonly Wheel[], staging: string, { indexUrl, python, onProgress }: InstallOptions, signal?: AbortSignal): Promise<void> {
  onProgress?.(wheels.map(({ project, version }) => `${project} ${version}`).join(', '));
  const complaint = python === null ? 'there is no Python to ask' : await downloadWithPip(python, wheels, staging, indexUrl, signal);
  if (complaint === null) return;
  signal?.throwIfAborted();
  const index = indexUrl ?? (await findIndex());
  if (index === null) {
    throw new SandboxError('sandbox/no-index', message('The packages could not be downloaded with pip ({complaint}), and no package index is configured.', { complaint }),
      message('Set PIP_INDEX_URL, or the package index in the settings, and try again.'));
  }
  for (const [at, one] of wheels.entries()) {
    onProgress?.(`${at + 1}/${wheels.length} ${one.file}`);
    await downloadFromIndex(index, one, path.join(staging, one.file), signal);
  }
}

async function take(one: Wheel, staging: string, folder: string): Promise<void> {
  const from = path.join(staging, one.file);
  if (!(await isSound(from, one))) {
    throw new SandboxError('sandbox/wrong-wheel', message('The package index gave another file than expected for {file}.', { file: one.file }),
      message('Nothing was installed from it. Try another package index.'));
  }
  await fs.rename(from, path.join(folder, one.file));
}

async function isSound(file: string, { sha256 }: Wheel): Promise<boolean> {
  try {
    return createHash('sha256').update(await fs.readFile(file)).digest('hex') === sha256;
  } catch {
    return false;
  }
}
