/** Flags that make the child process weaker than it need be. They are depth only: the import lock contains without them. */

/** What of the flags is in force in this process. */
export interface FlagsInForce {
  /** No writing, no child processes, no workers, and reading only what was named. */
  readonly permission: boolean;
  /** Strings cannot be made into JavaScript. */
  readonly noCodeFromStrings: boolean;
  /** Native add-ons cannot be loaded. */
  readonly noAddons: boolean;
  /** JavaScript can go as deep as the flag asked for; without it deep recursion in Python ends its session. */
  readonly stack: boolean;
}

/** Frames of {@link depth} that only a stack of more than the default size holds. */
const DEEP_FRAMES = 20_000;

function depth(left: number): number {
  return left === 0 ? 0 : 1 + depth(left - 1);
}

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** Looks at the effect of each flag rather than at the command line. */
export function flagsInForce(): FlagsInForce {
  const { permission } = process as { permission?: { has(scope: string): boolean } };

  return {
    permission: permission !== undefined && ['fs.write', 'fs.read', 'child', 'worker'].every((scope) => !permission.has(scope)),
    noCodeFromStrings: !succeeds(() => (globalThis as { eval(code: string): unknown }).eval('1')),
    noAddons: process.execArgv.includes('--no-addons'),
    stack: succeeds(() => depth(DEEP_FRAMES)),
  };
}
