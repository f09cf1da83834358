import { message } from '../../shared/message';
import { contentHash } from '../checks/suppression';
import { EnvwrightError } from '../errors';
import type { FileStore } from '../ports';
import { fewAtATime } from '../run/breath';
import { WORKSPACE_FOLDER } from '../workspaceFolder';
import { join } from '../run/paths';

const AT_ONCE = 16;

/**
 * Texts of accepted environments by their digest: a run deletes its games at each regeneration, and a file that was accepted may be
 * edited, but what was accepted must stay. A file is never changed, so that folders merge without conflict.
 */
export class SourceStore {
  readonly folder: string;

  constructor(private readonly files: FileStore, workspace: string) {
    this.folder = join(workspace, WORKSPACE_FOLDER, 'sources');
  }

  /** Where the text of a digest is kept. */
  pathOf(hash: string): string {
    return join(this.folder, `${hash}.py`);
  }

  /** Keeps a text and gives its digest. */
  async keep(text: string): Promise<string> {
    const hash = await contentHash(text);
    if (!(await this.files.stat(this.pathOf(hash)))) {
      await this.files.makeFolder(this.folder);
      await this.files.replace(this.pathOf(hash), text);
    }
    return hash;
  }

  /** The text of a digest; undefined when it is not kept, or the file was damaged. */
  async get(hash: string): Promise<string | undefined> {
    const text = await this.files.read(this.pathOf(hash)).catch((error: unknown) => {
      if (error instanceof EnvwrightError) return undefined;
      throw error;
    });
    return text !== undefined && (await contentHash(text)) === hash ? text : undefined;
  }

  /** The texts of some digests, without those that are not kept. */
  async all(hashes: Iterable<string>): Promise<Map<string, string>> {
    const wanted = [...new Set(hashes)];
    const texts = await fewAtATime(wanted, AT_ONCE, (hash) => this.get(hash));
    return new Map(wanted.flatMap((hash, index): [string, string][] => (texts[index] === undefined ? [] : [[hash, texts[index]]])));
  }

  /** The text of a digest. @throws EnvwrightError `review/source-gone`. */
  async need(hash: string, name: string): Promise<string> {
    const text = await this.get(hash);
    if (text !== undefined) return text;
    throw new EnvwrightError('review/source-gone', message('The text of {name} is not kept any more, or its file was damaged.', { name }), message('Accept the file again, or take it out of the set.'));
  }
}
