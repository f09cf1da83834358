import type { HostError, SideEffects } from '../../../../shared/hostProtocol';
import { message } from '../../../../shared/message';
import type { FindingDraft, ProbeRule } from '../../check';
import { locateClass } from '../../static/locate';
import { networkOrProcess as reachesOutByText } from '../../static/safety';
import { isRefusedThread, refusedBySandbox } from '../explained';
import type { ProbeFacts } from '../facts';
import { errorPlace, errorText, found, grouped } from '../judge';
import { shown } from '../query';

type Audit = SideEffects['audits'][number];

const FILE_EVENTS = /^(open|glob\.|shutil\.|tempfile\.|sqlite3\.|mmap\.|os\.(listdir|scandir|remove|rename|rmdir|mkdir|chdir|chmod|chown|link|symlink|truncate|utime|walk|fwalk|putenv|unsetenv|getxattr|setxattr|listxattr|removexattr|add_dll_directory))/;
const PROCESS_EVENTS = /^(socket\.|subprocess\.|ctypes\.|_thread\.|urllib\.|http\.|ftplib\.|imaplib\.|poplib\.|smtplib\.|pty\.|webbrowser\.|signal\.pthread_kill|cpython\.run_command|os\.(system|exec|fork|forkpty|posix_spawn|spawn|startfile|kill|killpg))/;

const rangeOf = (facts: ProbeFacts, line: number | null): FindingDraft['range'] => (line === null ? locateClass(facts.file) : facts.file.lines.rangeOfLine(line));

/** Python looks for the source of a text that it cannot compile, under a name such as `<string>`: nobody meant a file. */
const isNoFile = ({ event, detail }: Audit): boolean => event === 'open' && /^<.*>$/.test(detail);

/** One finding a line of the file that caused events of a kind. */
function byLine(facts: ProbeFacts, kind: RegExp): Audit[][] {
  return grouped(facts.effects.audits.filter((audit) => kind.test(audit.event) && !isNoFile(audit)), ({ line }) => String(line)).slice(0, 10);
}

const seen = (audits: readonly Audit[]): string => shown([...new Set(audits.map(({ event, detail }) => `${event} ${detail}`.trim()))].join(', '), 200);

/** `calls-input`: the file asks the keyboard for input. */
export const callsInput: ProbeRule = (facts) => {
  const audits = byLine(facts, /^builtins\.input$/);
  return found(audits.map(([first]) => ({
    range: rangeOf(facts, first!.line),
    message: message('The environment asks for keyboard input. In the run nobody answers: the play hangs or fails. Take everything from the action.'),
    evidence: { actual: first!.event },
  })));
};

/** `prints-to-stdout`: the file prints. */
export const printsToStdout: ProbeRule = (facts) => found(facts.effects.printLines.slice(0, 20).map((line) => ({
  range: rangeOf(facts, line),
  message: message('Prints to the output. In the run it lands in the trainer\'s log, from many plays at once; the agent never sees it.'),
  evidence: { actual: `${facts.effects.printed} characters in all` },
})));

/** What the sandbox refused the file with an exception. */
const refusals = (facts: ProbeFacts): HostError[] => (
  facts.episodes.flatMap(({ failure }) => (failure?.kind === 'raised' && refusedBySandbox(facts.file, failure.error) ? [failure.error] : []))
);

/** `reads-file-or-env`: the file reads the file system or the environment. */
export const readsFileOrEnv: ProbeRule = (facts) => {
  const refused = refusals(facts).filter((error) => !isRefusedThread(error));
  const touched = byLine(facts, FILE_EVENTS).map((audits): FindingDraft => ({
    range: rangeOf(facts, audits[0]!.line),
    message: message('The file touches the file system or the process environment ({events}). What is there differs between machines, and the sandbox refuses it. Keep data in the file.', { events: seen(audits) }),
    evidence: { actual: seen(audits) },
  }));
  const lines = new Set(touched.map(({ range }) => range.line));
  const raised = grouped(refused, errorText).map(([error]): FindingDraft => ({
    range: errorPlace(facts.file, error!, 'reset'),
    message: message('The sandbox refused something the file asked of the system: {error}. What it does in the run was not judged.', { error: errorText(error!) }),
    evidence: { actual: errorText(error!) },
  })).filter(({ range }) => !lines.has(range.line));
  return found(touched.length > 0 ? touched : raised);
};

/** `network-or-process`: the file uses the network, processes or threads. */
export const networkOrProcess: ProbeRule = (facts) => {
  const told = (range: FindingDraft['range'], events: string): FindingDraft => ({
    range,
    message: message('The file reaches for the network, a process, a thread or native code ({events}). In the run it acts inside the training process. Remove it.', { events }),
    evidence: { actual: events },
  });
  const audited = byLine(facts, PROCESS_EVENTS).map((audits) => told(rangeOf(facts, audits[0]!.line), seen(audits)));
  if (audited.length > 0 || reachesOutByText(facts.file).length > 0) return found(audited);
  // A thread that could not begin, of a class that the text does not show as one.
  return found(grouped(refusals(facts).filter(isRefusedThread), errorText).map(([error]) => told(errorPlace(facts.file, error!, 'step'), errorText(error!))));
};

/** `import-side-effects`: importing the file does work, prints or changes global state. */
export const importSideEffects: ProbeRule = (facts) => {
  const effects = facts.importEffects;
  if (effects === null) return found([]);
  const findings: FindingDraft[] = [];
  if (effects.printed > 0) {
    findings.push({
      range: rangeOf(facts, effects.printLines[0] ?? null),
      message: message('Importing the file prints {count} characters. The run imports it several times; leave the module body free of work.', { count: effects.printed }),
      evidence: { actual: `${effects.printed} characters` },
    });
  }
  if (effects.globalChanges.length > 0) {
    const names = shown(effects.globalChanges.join(', '), 200);
    const seedLine = effects.globalChanges.some((name) => /\brandom\b.* \(state\)$/.test(name)) ? lineMatching(facts, /^(?:np|numpy)?\.?random\.(seed|\w+)\(|^random\./) : null;
    findings.push({
      range: rangeOf(facts, seedLine ?? lineMatching(facts, new RegExp(`^[\\w.]*${effects.globalChanges[0]!.split('.').at(-1)!.replace(/\W.*$/, '')}\\s*[=(]`))),
      message: message('Importing the file changes global state: {names}. Every other environment in the process is affected. Do it in the instance, or not at all.', { names }),
      evidence: { actual: names },
    });
  }
  const ms = facts.load?.importMs ?? 0;
  if (ms > SLOW_IMPORT_MS) {
    findings.push({
      range: facts.file.lines.rangeOfLine(1),
      message: message('Importing the file takes {ms} ms. The run imports it for every play; move the work into reset or make it smaller.', { ms: Math.round(ms) }),
      evidence: { expected: `below ${SLOW_IMPORT_MS} ms`, actual: `${Math.round(ms)} ms` },
    });
  }
  return found(findings);
};

/** An import that takes longer than this, milliseconds, does work. */
const SLOW_IMPORT_MS = 2000;

/** The first line at module level that matches; null when there is none. */
function lineMatching({ file }: ProbeFacts, pattern: RegExp): number | null {
  for (let line = 1; line <= Math.min(file.lines.count, 5000); line += 1) {
    if (pattern.test(file.lines.lineText(line))) return line;
  }
  return null;
}
