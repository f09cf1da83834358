import { wrapCommandWithSandboxMacOS } from '@anthropic-ai/sandbox-runtime/dist/sandbox/macos-sandbox-utils.js';

/** What a contained process may touch. Absolute paths, without links. */
export interface SeatbeltRules {
  /** The only program that may be run. */
  readonly python: string;
  /** Folders and files that may be read. */
  readonly readable: readonly string[];
  /** The folder that holds the host's socket: the only place that may be written to. */
  readonly folder: string;
}

/** The program of macOS that runs another one under Seatbelt. */
export const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

/** What the system's own loader and library read at every start of a program. */
const SYSTEM = ['/usr/lib', '/System/Library', '/System/Volumes/Preboot/Cryptexes', '/Library/Apple/System', '/private/var/db/dyld', '/private/var/db/timezone', '/usr/share/zoneinfo', '/dev/null', '/dev/random', '/dev/urandom'];

/**
 * The command that runs another inside a profile of macOS. The profile is made by the sandbox runtime: no network but the
 * socket in the folder, nothing to be read or written but what is named. What it leaves open for development tools is closed
 * after it, as the last rule that matches counts.
 */
export function seatbeltCommand(command: readonly string[], rules: SeatbeltRules): readonly string[] {
  const wrapped = wrapCommandWithSandboxMacOS({
    command: 'true',
    needsNetworkRestriction: true,
    allowUnixSockets: [rules.folder],
    readConfig: { denyOnly: ['/'], allowWithinDeny: [...SYSTEM, ...rules.readable, rules.python, rules.folder] },
    writeConfig: { allowOnly: [rules.folder], denyWithinAllow: [] },
    binShell: 'sh',
  });
  return [SANDBOX_EXEC, '-p', `${profileOf(wrapped)}\n${tightened(rules)}`, ...command];
}

/** The profile among the words of a shell command that runs `sandbox-exec -p PROFILE …`. */
function profileOf(wrapped: string): string {
  const words = shellWords(wrapped);
  const at = words.indexOf(SANDBOX_EXEC);
  const profile = words[at + 2];
  if (at < 0 || words[at + 1] !== '-p' || !profile?.startsWith('(version 1)') || !profile.includes('(deny default')) {
    throw new Error('the sandbox runtime made no profile');
  }
  return profile;
}

/** Words of a POSIX shell command that uses no expansion: bare, in single quotes or in double quotes. */
export function shellWords(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)) words.push(word.replace(/'([^']*)'|"([^"]*)"/g, (_quoted, single?: string, double?: string) => single ?? double ?? ''));
  return words;
}

function tightened({ python, folder }: SeatbeltRules): string {
  const literal = (path: string): string => `(literal ${JSON.stringify(path)})`;
  return [
    '(deny process-exec*)', `(allow process-exec* ${literal(python)})`,
    '(deny signal)', '(allow signal (target self))', '(allow signal (target children))',
    '(deny mach-priv-task-port)', '(deny mach-lookup)', '(deny iokit-open)', '(deny ipc-posix-shm)', '(deny ipc-posix-sem)',
    '(deny distributed-notification-post)', '(deny user-preference-read)', '(deny appleevent-send)', '(deny process-info* (target others))',
    // Sessions must not reach the socket that bears sessions, nor anything else; the host only answers there.
    '(deny network-outbound)',
    '(deny file-write*)', `(allow file-write* (subpath ${JSON.stringify(folder)}) (literal "/dev/null"))`,
  ].join('\n');
}
