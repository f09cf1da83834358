import { parseArgs, type ParseArgsConfig } from 'node:util';
import { resolve } from 'node:path';
import { message } from '../../shared/message';
import { UsageError } from './context';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Flags that every command knows. */
const COMMON = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const satisfies Options;

const NEGATIVE = /^-(\d|\.\d)/;

/** `--regret -0.2` means the number: the parser of Node would take it for a flag. */
function joinNegatives(argv: readonly string[], options: Options): string[] {
  const joined: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const [word = '', next] = [argv[at], argv[at + 1]];
    const takesValue = word.startsWith('--') && options[word.slice(2)]?.type === 'string';
    if (takesValue && next !== undefined && NEGATIVE.test(next)) {
      joined.push(`${word}=${next}`);
      at += 1;
    } else {
      joined.push(word);
    }
  }
  return joined;
}

/** The parsed flags of one call. Every reader throws a `UsageError` when the value is not what it must be. */
export class Args {
  private constructor(private readonly values: Readonly<Record<string, unknown>>, readonly positionals: readonly string[], private readonly cwd: string) {}

  static parse(argv: readonly string[], options: Options, cwd: string): Args {
    const all = { ...options, ...COMMON };
    try {
      const { values, positionals } = parseArgs({ args: joinNegatives(argv, all), options: all, allowPositionals: true, strict: true });
      return new Args(values, positionals, cwd);
    } catch (error) {
      throw new UsageError(message('{problem}', { problem: error instanceof Error ? error.message : String(error) }));
    }
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? value : undefined;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw new UsageError(message('--{name} is missing.', { name }));
    return value;
  }

  /** A path, made absolute. */
  path(name: string): string | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : resolve(this.cwd, value);
  }

  number(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (value.trim() === '' || !Number.isFinite(number)) throw new UsageError(message('--{name} takes a number, not {value}.', { name, value }));
    return number;
  }

  /** A whole number of at least `least`. */
  integer(name: string, least = 0): number | undefined {
    const number = this.number(name);
    if (number !== undefined && (!Number.isSafeInteger(number) || number < least)) {
      throw new UsageError(message('--{name} takes a whole number from {least}, not {value}.', { name, least, value: number }));
    }
    return number;
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new UsageError(message('--{name} takes one of {choices}, not {value}.', { name, choices: choices.join(', '), value }));
    return found;
  }

  /** The one positional argument, as an absolute path. */
  onePath(what: string): string {
    const [path] = this.positionals;
    if (path === undefined || this.positionals.length > 1) throw new UsageError(message('Give one {what}.', { what }));
    return resolve(this.cwd, path);
  }

  paths(): string[] {
    return this.positionals.map((path) => resolve(this.cwd, path));
  }
}
