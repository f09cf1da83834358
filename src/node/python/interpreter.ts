import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';

/** Where an interpreter was found. */
export type InterpreterSource = 'setting' | 'editor' | 'venv' | 'path';

/** An interpreter that was run and answered. `path` is its own path, behind any shim. */
export interface Interpreter {
  readonly path: string;
  /** For example `3.11.7`. */
  readonly version: string;
  readonly source: InterpreterSource;
}

/** Where to look, in this order. */
export interface InterpreterQuery {
  /** The user's setting; when it is set, nothing else is tried. */
  readonly setting?: string;
  /** The choice of the Python or environments extension, asked with a time limit. */
  readonly editorChoice?: (signal: AbortSignal) => Promise<string | undefined>;
  /** Folders whose `.venv` counts. */
  readonly folders?: readonly string[];
  /** In an untrusted workspace nothing that lies in it is run, nor what the editor chose for it. */
  readonly trusted: boolean;
}

/** Oldest minor version of Python 3 that the host runs on. */
const OLDEST_MINOR = 9;
const PROBE_MS = 10_000;
const EDITOR_MS = 3_000;
const WINDOWS = process.platform === 'win32';
const PROBE = 'import json, sys; print(json.dumps([sys.executable, *sys.version_info[:3], sys.implementation.name]))';
const ProbeAnswer = z.tuple([z.string().min(1), z.int(), z.int(), z.int(), z.string()]);

interface Candidate {
  readonly source: InterpreterSource;
  readonly program: string;
}

/**
 * The interpreter to run environments with. Rejects with an {@link EnvwrightError}: `python/not-found`, `python/too-old`,
 * or `python/broken` when a chosen one does not answer.
 */
export async function findInterpreter(query: InterpreterQuery, signal?: AbortSignal): Promise<Interpreter> {
  if (query.setting) return probe({ source: 'setting', program: query.setting }, signal);
  let refused: EnvwrightError | null = null;
  for await (const candidate of candidates(query, signal)) {
    try {
      return await probe(candidate, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof EnvwrightError)) throw error;
      if (refused === null && error.code !== 'python/not-found') refused = error;
    }
  }
  throw refused ?? new EnvwrightError(
    'python/not-found',
    message('No Python interpreter was found.'),
    message('Install Python 3.{minor} or later, or name one in the setting envwright.sandbox.pythonPath.', { minor: OLDEST_MINOR }),
  );
}

async function* candidates({ editorChoice, folders = [], trusted }: InterpreterQuery, signal?: AbortSignal): AsyncGenerator<Candidate> {
  if (trusted) {
    const chosen = editorChoice && (await inTime(editorChoice, EDITOR_MS, signal));
    if (chosen) yield { source: 'editor', program: chosen };
    for (const folder of folders) {
      const program = WINDOWS ? join(folder, '.venv', 'Scripts', 'python.exe') : join(folder, '.venv', 'bin', 'python');
      if (await exists(program)) yield { source: 'venv', program };
    }
  }
  for (const program of WINDOWS ? ['python', 'py'] : ['python3', 'python']) yield { source: 'path', program };
}

/** What `ask` gives, undefined when it fails or takes too long: another extension must not hold ours up. */
async function inTime<T>(ask: (signal: AbortSignal) => Promise<T>, ms: number, signal?: AbortSignal): Promise<T | undefined> {
  const limit = AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])]);
  const over = new Promise<undefined>((resolve) => limit.addEventListener('abort', () => resolve(undefined), { once: true }));
  return Promise.race([ask(limit).catch(() => undefined), over]);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(() => true, () => false);
}

/** Runs the interpreter without site hooks, away from the workspace, and reads what it is. */
async function probe({ source, program }: Candidate, signal?: AbortSignal): Promise<Interpreter> {
  const answer = await new Promise<string | NodeJS.ErrnoException>((resolve) => {
    execFile(program, ['-I', '-S', '-c', PROBE], { cwd: dirname(process.execPath), timeout: PROBE_MS, killSignal: 'SIGKILL', signal, maxBuffer: 64 * 1024 }, (error, stdout) =>
      resolve(error ? (error as NodeJS.ErrnoException) : stdout));
  });
  signal?.throwIfAborted();
  if (typeof answer !== 'string') throw answer.code === 'ENOENT' ? notFound(program) : broken(program, answer.message);
  const parsed = ProbeAnswer.safeParse(parseJson(answer));
  if (!parsed.success) throw broken(program, answer.slice(0, 200));
  const [path, major, minor, micro, implementation] = parsed.data;
  if (implementation !== 'cpython') throw broken(program, `it is ${implementation}, not CPython`);
  const version = `${major}.${minor}.${micro}`;
  if (major !== 3 || minor < OLDEST_MINOR) {
    throw new EnvwrightError('python/too-old', message('{program} is Python {version}.', { program, version }),
      message('Choose Python 3.{minor} or later, for example in the setting envwright.sandbox.pythonPath.', { minor: OLDEST_MINOR }));
  }
  return { path, version, source };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notFound(program: string): EnvwrightError {
  return new EnvwrightError('python/not-found', message('There is no interpreter {program}.', { program }),
    message('Correct the setting envwright.sandbox.pythonPath, or empty it to have one looked for.'));
}

function broken(program: string, detail: string): EnvwrightError {
  return new EnvwrightError('python/broken', message('{program} does not answer as a Python interpreter: {detail}', { program, detail }),
    message('Choose another one in the setting envwright.sandbox.pythonPath.'));
}
