import { z } from 'zod';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import type { CliContext } from './context';

/** Text of a file that must be there; `-` is stdin. */
export async function readInput(context: CliContext, path: string): Promise<string> {
  if (path.endsWith('/-') || path === '-') return context.stdin();
  if ((await context.files.stat(path))?.folder === true) {
    throw new EnvwrightError('cli/folder', message('{path} is a folder.', { path }), message('Name a file. Whole folders of environments are judged by envwright audit.'));
  }
  const text = await context.files.read(path);
  if (text === undefined) throw new EnvwrightError('cli/no-such-file', message('There is no file {path}.', { path }), message('Check the path.'));
  return text;
}

/**
 * Text of a Python file that must be there, without a byte order mark: Python and the editor read it so, and the run's
 * loader would refuse the mark. What is checked, played and pushed is this one text.
 */
export async function readSource(context: CliContext, path: string): Promise<string> {
  return (await readInput(context, path)).replace(/^\ufeff/, '');
}

/** A JSON document that a schema describes. */
export async function readDocument<T>(context: CliContext, path: string, schema: z.ZodType<T>): Promise<T> {
  const text = await readInput(context, path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new EnvwrightError('cli/not-json', message('{path} is no JSON: {problem}', { path, problem }), message('Numbers that JSON cannot hold are the texts NaN, Infinity and -Infinity.'), { cause: error });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new EnvwrightError('cli/wrong-document', message('{path} is not what this command reads: {problem}', { path, problem: z.prettifyError(parsed.error) }), message('See the shape in the documentation.'), { cause: parsed.error });
}
