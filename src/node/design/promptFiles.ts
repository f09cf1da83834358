import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EnvwrightError } from '../../core/errors';
import { KINDS, type DesignKind } from '../../core/design/skills';
import { parseTemplate, type Template, type TemplateSource } from '../../core/design/templates';
import { message } from '../../shared/message';

/** The worked example of each kind, among the sample workspace's environments. */
const EXAMPLES: Readonly<Record<DesignKind, string>> = {
  'single-turn': 'clock_angle_env.py',
  'multi-turn': 'buried_chest_env.py',
  grounded: 'canal_locks_env.py',
  'tool-use': 'invoice_desk_env.py',
  'tool-use-messages': 'meeting_desk_env.py',
};

/**
 * Prompt templates as files: those that come with the product under `media`, and over them the workspace's own in
 * `overrides` (undefined for a workspace that is not trusted, or for none).
 */
export function promptFiles(media: string, overrides?: string): TemplateSource {
  const own = async (name: string): Promise<string | undefined> => (overrides === undefined ? undefined : readIfThere(join(overrides, name)));
  return {
    template: async (name): Promise<Template> => {
      const file = `${name}.md`;
      const text = await own(file);
      return parseTemplate(name, text ?? (await bundled(join(media, 'prompts', file))), text !== undefined);
    },
    example: async (kind) => {
      const name = EXAMPLES[KINDS[kind as DesignKind].id];
      return (await own(`example-${kind}.py`)) ?? bundled(join(media, 'sample-workspace', 'environments', name));
    },
  };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function bundled(path: string): Promise<string> {
  const text = await readIfThere(path);
  if (text !== undefined) return text;
  throw new EnvwrightError('design/template-missing', message('The file {path} is missing.', { path }), message('Install Envwright again.'));
}
