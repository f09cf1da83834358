import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { checkFile, type CheckInput } from '../../../../../src/core/checks/checkFile';
import type { PythonParser, SandboxProvider } from '../../../../../src/core/ports';
import { createSandboxProvider } from '../../../../../src/node/sandbox/provider';
import type { FileReport, Profile } from '../../../../../src/shared/findings';
import { pyodide, removeFolders } from '../../../node/pyodide/kit';
import { pythonParser } from '../../../../helpers/pythonParser';

export const ROOT = join(import.meta.dirname, '..', '..', '..', '..', '..');
export const FIXTURES = join(ROOT, 'test', 'fixtures');

/** The backends that every claim about a file must hold in. */
export const BACKENDS = ['native', 'pyodide'] as const;
export type Backend = (typeof BACKENDS)[number];

let parser: Promise<PythonParser> | null = null;
const sandboxes = new Map<Backend, SandboxProvider>();

/** The embedded sandbox, from the sources. */
function embedded(): SandboxProvider {
  const starting = pyodide();
  return { get: () => starting, health: () => Promise.resolve([]), dispose: () => void starting.then((sandbox) => sandbox.dispose(), () => undefined) };
}

function native(): SandboxProvider {
  const silent = () => undefined;
  return createSandboxProvider({ choice: 'native', assetsDir: join(ROOT, 'src'), logger: { info: silent, warn: silent, error: silent } });
}

/** The product's own sandbox, each backend started once a test file. */
export function sandboxOf(backend: Backend): SandboxProvider {
  const sandbox = sandboxes.get(backend) ?? (backend === 'native' ? native() : embedded());
  sandboxes.set(backend, sandbox);
  return sandbox;
}

export async function stopSandbox(): Promise<void> {
  for (const sandbox of sandboxes.values()) sandbox.dispose();
  sandboxes.clear();
  await removeFolders();
}

export function sharedParser(): Promise<PythonParser> {
  return (parser ??= pythonParser());
}

/** Checks a text, in the native sandbox unless told otherwise. */
export async function check(text: string, input: Partial<CheckInput> = {}, backend: Backend = 'native'): Promise<FileReport> {
  const file = input.file ?? 'env.py';
  return checkFile({ parser: await sharedParser(), sandbox: sandboxOf(backend) }, { ...input, file, text }, new AbortController().signal);
}

/** A fixture with what its head says: `# profile: u`, and errors besides its own as `# also: id`. */
export interface Fixture {
  readonly path: string;
  readonly text: string;
  readonly profile: Profile | null;
  readonly also: readonly string[];
  /** The line marked `# <- here`, from 1; 0 when none is. */
  readonly marked: number;
}

export function readFixture(path: string): Fixture {
  const text = readFileSync(path, 'utf8');
  return {
    path, text,
    profile: (/^# profile: (\w)$/m.exec(text)?.[1] ?? null) as Profile | null,
    also: [...text.matchAll(/^# also: (\S+)$/gm)].map(([, id = '']) => id),
    marked: text.split('\n').findIndex((line) => line.includes('# <- here')) + 1,
  };
}

export async function checkFixture(fixture: Fixture, backend: Backend = 'native'): Promise<FileReport> {
  return check(fixture.text, { file: basename(fixture.path), profile: fixture.profile }, backend);
}

/** The errors of a report, as `id:line`. */
export function errorsOf(report: FileReport): string[] {
  return report.findings.filter(({ severity }) => severity === 'error').map(({ id, line }) => `${id}:${line}`);
}
