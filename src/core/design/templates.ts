import { message } from '../../shared/message';
import { EnvwrightError } from '../errors';

/** A part of a prompt as a file holds it. */
export interface Template {
  readonly name: string;
  readonly version: string;
  readonly text: string;
  /** True when the workspace's own file is in use. */
  readonly overridden: boolean;
}

/** Gives the parts of prompts by name: the bundled ones, or a trusted workspace's own. */
export interface TemplateSource {
  template(name: string): Promise<Template>;
  /** The worked example of a kind: Python source. */
  example(kind: string): Promise<string>;
}

const VERSION = /^<!--\s*version\s+(\S+)\s*-->\r?\n/;

/** Reads a template file: its version is in the first line, which is not part of the text. */
export function parseTemplate(name: string, file: string, overridden: boolean): Template {
  const head = VERSION.exec(file);
  return { name, version: head?.[1] ?? '0', text: file.slice(head?.[0].length ?? 0).replace(/\s+$/, ''), overridden };
}

/**
 * Fills in `%%name%%`. What is filled in is not looked at again, so material cannot bring placeholders of its own.
 *
 * @throws EnvwrightError `design/template-placeholder` for a name that the part does not know.
 */
export function fill({ name, text, overridden }: Template, values: Readonly<Record<string, string>>): string {
  return text.replace(/%%([a-z-]+)%%/g, (_, key: string) => {
    const value = values[key];
    if (value !== undefined) return value;
    throw new EnvwrightError('design/template-placeholder', message('The prompt template {name} asks for {key}, which it cannot have.', { name: `${name}.md`, key }),
      overridden
        ? message('Correct .envwright/prompts/{name}, or delete it to use the template that comes with Envwright.', { name: `${name}.md` })
        : message('Install Envwright again: its templates are damaged.'));
  });
}
