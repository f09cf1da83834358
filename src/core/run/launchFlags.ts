/** Takes the few flags that matter out of a launch line and drops everything else, before anything is stored, logged or shown. */
import type { Backend, Launch, LaunchFlag } from '../../shared/launch';
import { Redactor } from '../redaction';
import { shellWords, type ShellWord } from './shellWords';

const KEPT = /^--((?:spade|rollout)-[A-Za-z0-9_-]+|num-rollout|global-batch-size)(?:=([\s\S]*))?$/;
/** Flags of the right family that could still carry a key. */
const SECRET = /(^|[-_])(keys?|secrets?|passwords?|passwd|credentials?|auth|token)$/i;
/** Flags that take more than one word. */
const LISTS: ReadonlySet<string> = new Set(['spade-skills']);
const LONGEST_VALUE = 1000;

/** What a launch line tells; null when it is none of a run: neither a kept flag nor a known backend. */
type Kept = Pick<Launch, 'backend' | 'flags'> | null;

/** Flags of a launcher script or of another shell text. */
export function flagsOfShell(text: string): Kept {
  return kept(shellWords(text).flatMap(withNested));
}

/** Flags of the words that a process was started with. */
export function flagsOfArguments(words: readonly string[]): Kept {
  return kept(words.map((text) => ({ text, variable: false, conditional: false, command: 0 })).flatMap(withNested));
}

/** Flags as the link module met them, by the names of the run's arguments. What is off is not there. */
export function flagsOfSettings(settings: Readonly<Record<string, string | number | boolean | null | readonly string[]>>): Launch['flags'] {
  return Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => {
    if (value === null || value === false || value === '') return [];
    const values = value === true ? [] : typeof value === 'object' ? [...value] : [String(value)];
    return [[name.replaceAll('_', '-'), { values, notes: [] }]];
  }));
}

/** A word may hold a whole command line, as that of `bash -c` does. */
function withNested(word: ShellWord): ShellWord[] {
  if (!/\s/.test(word.text) || !/(^|\s)--(spade|rollout|num-rollout|global-batch)/.test(word.text)) return [word];
  return shellWords(word.text).map((inner) => ({ ...inner, conditional: word.conditional || inner.conditional, command: -1 - word.command * 1000 - inner.command }));
}

function kept(words: readonly ShellWord[]): Kept {
  const flags = new Map<string, LaunchFlag>();
  words.forEach((word, at) => {
    const [, name, attached] = KEPT.exec(word.text) ?? [];
    if (name === undefined || SECRET.test(name)) return;
    const own = attached === undefined ? valuesBehind(words, at, LISTS.has(name)) : [{ ...word, text: attached }];
    const notes: LaunchFlag['notes'] = [];
    if (own.some(({ variable }) => variable)) notes.push('variable');
    if (word.conditional) notes.push('conditional');
    if (flags.has(name)) notes.push('several');
    flags.set(name, { values: own.map(({ text }) => clean(text)), notes });
  });
  const backend = backendOf(words, flags);
  return flags.size === 0 && backend === null ? null : { backend, flags: Object.fromEntries(flags) };
}

function valuesBehind(words: readonly ShellWord[], at: number, isList: boolean): ShellWord[] {
  const values: ShellWord[] = [];
  for (const word of words.slice(at + 1)) {
    if (word.command !== words[at]?.command || /^-[A-Za-z-]/.test(word.text) || (values.length > 0 && !isList)) break;
    values.push(word);
  }
  return values;
}

/** Whatever has the shape of a key is one, wherever it stands. */
function clean(text: string): string {
  return new Redactor().redact(text.slice(0, LONGEST_VALUE));
}

/** Tinker's launchers take `name=value` words and no flags of the run; Slime's name a rollout function. */
function backendOf(words: readonly ShellWord[], flags: ReadonlyMap<string, LaunchFlag>): Backend | null {
  if (flags.has('rollout-function-path') || words.some(({ text }) => /train\w*slime/i.test(text))) return 'slime';
  return words.some(({ text }) => /train\w*tinker|^tinker[_.]/i.test(text)) ? 'tinker' : null;
}
