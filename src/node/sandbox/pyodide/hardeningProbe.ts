import { execFile } from 'node:child_process';
import { z } from 'zod';
import type { HealthLine } from '../../../core/ports';
import type { FlagsInForce } from './hardening';

const Flags = z.object({ permission: z.boolean(), noCodeFromStrings: z.boolean(), noAddons: z.boolean(), stack: z.boolean() });

/** A hardening: its spellings, newest first; the first that takes effect is used. */
interface Hardening {
  readonly key: keyof FlagsInForce;
  readonly what: string;
  readonly spellings: readonly (readonly string[])[];
}

/** What a program is started with, and what was found about it. */
export interface ProbedFlags {
  readonly flags: readonly string[];
  readonly health: readonly HealthLine[];
}

/** How the child is started: the Node that runs this, with nothing of its environment. */
export function childEnvironment(): Record<string, string> {
  return process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
}

function hardenings(readable: readonly string[]): readonly Hardening[] {
  const reads = readable.map((path) => `--allow-fs-read=${path}`);
  return [
    { key: 'noCodeFromStrings', what: 'no JavaScript from strings', spellings: [['--disallow-code-generation-from-strings']] },
    { key: 'noAddons', what: 'no native add-ons', spellings: [['--no-addons']] },
    { key: 'stack', what: 'a deep stack', spellings: [['--stack-size=3900']] },
    { key: 'permission', what: 'permissions: reads its own files only', spellings: [['--permission', ...reads], ['--experimental-permission', ...reads]] },
  ];
}

function flagsOf(program: string, flags: readonly string[], script: string): Promise<FlagsInForce | null> {
  return new Promise((resolve) => {
    execFile(program, [...flags, script, 'probe'], { env: childEnvironment(), timeout: 15_000, windowsHide: true }, (error, stdout) => {
      if (error) return resolve(null);
      try {
        resolve(Flags.parse(JSON.parse(stdout)));
      } catch {
        resolve(null);
      }
    });
  });
}

/**
 * Finds the hardening flags that `program` takes and that have effect, by starting `script` with them. All at once is tried
 * first; when that does not hold, each by itself. What is refused is left out and said so: containment does not rest on it.
 *
 * @param readable Files and folders that the child must read; absolute and without links.
 */
export async function probeHardening(program: string, script: string, readable: readonly string[]): Promise<ProbedFlags> {
  const kept: string[] = [];
  const health: HealthLine[] = [];
  const all = hardenings(readable);
  for (const spelling of [0, 1]) {
    const flags = all.flatMap(({ spellings }) => spellings[Math.min(spelling, spellings.length - 1)]!);
    const found = await flagsOf(program, flags, script);
    if (found && all.every(({ key }) => found[key])) return { flags: ['--no-warnings', ...flags], health: all.map(({ what }) => inForce(what)) };
  }
  for (const { key, what, spellings } of all) {
    const works = async (flags: readonly string[]): Promise<boolean> => (await flagsOf(program, [...kept, ...flags], script))?.[key] ?? false;
    let taken: readonly string[] | null = null;
    for (const flags of spellings) if (taken === null && (await works(flags))) taken = flags;
    kept.push(...(taken ?? []));
    health.push(taken ? inForce(what) : refused(what, spellings));
  }
  return { flags: ['--no-warnings', ...kept], health };
}

const name = (what: string): string => `Embedded sandbox: ${what}`;

const inForce = (what: string): HealthLine => ({ name: name(what), ok: true, detail: 'in force', next: null });

const refused = (what: string, spellings: readonly (readonly string[])[]): HealthLine => ({
  name: name(what),
  ok: false,
  detail: `this Node does not take ${spellings.map(([flag]) => flag!.replace(/=.*/, '')).join(' or ')}; left out`,
  next: 'Nothing needs to be done: the lock on what Python can import from JavaScript contains without it.',
});
