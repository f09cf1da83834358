import * as vscode from 'vscode';
import { contentHash } from '../../core/checks/suppression';
import { readMemory } from '../../core/memory/readMemory';
import { DEFAULT_SNIPPET_CHARS } from '../../core/memory/writeMemory';
import type { FileStore } from '../../core/ports';
import { codePoints, firstCodePoints } from '../../core/pythonText';
import { fewAtATime } from '../../core/run/breath';
import { baseName } from '../../core/run/paths';
import type { KeyGroup, Nearest } from '../../core/review/noveltyIndex';
import type { SourceStore } from '../../core/review/sourceStore';
import type { NodePorts } from '../nodePorts';
import type { LinkedRun } from '../run/linkedRun';

/** A text that files of the queue are compared with. */
export interface Known {
  /** Where it is from, for people. */
  readonly label: string;
  readonly text: string;
}

/** Marks the first part of a text: what the memory keeps of a game whose file is gone is compared with as much of the others. */
const CUT = 'cut:';
const AT_ONCE = 16;

/** What of the queue is a copy of what: of other files in it, of what was accepted, of what the memory holds. */
export class Likeness {
  private known: ReadonlyMap<string, Known> = new Map();

  constructor(private readonly ports: Pick<NodePorts, 'files' | 'novelty'>, private readonly run: LinkedRun) {}

  /** The text behind a key that a comparison gave; undefined for one of the queue's own. */
  knownAt(key: string): Known | undefined {
    return this.known.get(key);
  }

  /** Compares the queue's texts, by their digests, with one another and with all that is known. */
  async compare(texts: ReadonlyMap<string, string>, accepted: ReadonlySet<string>, sources: SourceStore): Promise<{ nearest: ReadonlyMap<string, Nearest | null>; groups: readonly KeyGroup[] }> {
    const [files, novelty] = await Promise.all([this.ports.files(), this.ports.novelty()]);
    const [kept, memory] = [await sources.all(accepted), await this.memory(files)];
    const label = vscode.l10n.t('accepted before');
    const hashes = [...texts.keys()];
    this.known = new Map([...memory, ...[...kept].map(([hash, text]): [string, Known] => [hash, { label, text }])]);
    const snippets = [...memory].filter(([key]) => key.startsWith(CUT));
    const longest = Math.max(DEFAULT_SNIPPET_CHARS, ...snippets.map(([, { text }]) => codePoints(text)));
    // Keyed by their texts, as the records are: so a record of the very file has the file's own key, and nothing is compared with itself.
    const starts = new Map<string, string>();
    const keyOfStart = new Map<string, string>();
    if (snippets.length > 0) {
      await fewAtATime(hashes, AT_ONCE, async (hash) => {
        const start = firstCodePoints(texts.get(hash)!, longest);
        const key = `${CUT}${await contentHash(start.trimEnd())}`;
        starts.set(key, start);
        keyOfStart.set(hash, key);
      });
    }
    await novelty.add([...texts, ...starts].map(([key, text]) => ({ key, text })));
    await novelty.add([...this.known].map(([key, { text }]) => ({ key, text })));
    const whole = await novelty.nearest(hashes, [...this.known.keys()].filter((key) => !key.startsWith(CUT)));
    const parts = snippets.length === 0 ? new Map<string, Nearest | null>() : await novelty.nearest([...starts.keys()], snippets.map(([key]) => key));
    const nearest = new Map(hashes.map((hash) => [hash, nearer(whole.get(hash) ?? null, parts.get(keyOfStart.get(hash) ?? '') ?? null)]));
    return { nearest, groups: await novelty.groups(hashes) };
  }

  /** What the linked run's memory holds: whole games where their files are left, else what of them the record keeps. */
  private async memory(files: FileStore): Promise<Map<string, Known>> {
    const folder = await this.run.folder().catch(() => undefined);
    const text = folder && (await files.read(folder.memoryFile).catch(() => undefined));
    if (!folder || text === undefined) return new Map();
    const entries = await Promise.resolve().then(() => readMemory(text).entries).catch(() => []);
    const found = await fewAtATime(entries, AT_ONCE, async ({ gameFile, snippet, index }): Promise<[string, Known][]> => {
      const game = gameFile === null ? undefined : await files.read(gameFile).catch(() => undefined);
      const label = vscode.l10n.t('record {0} of the memory, {1}', index, baseName(gameFile ?? '–'));
      if (game !== undefined) return [[await contentHash(game), { label, text: game }]];
      return snippet === null || snippet === '' ? [] : [[`${CUT}${await contentHash(snippet.trimEnd())}`, { label, text: snippet }]];
    });
    return new Map(found.flat());
  }
}

function nearer(a: Nearest | null, b: Nearest | null): Nearest | null {
  if (a === null || b === null) return a ?? b;
  return b.similarity > a.similarity ? b : a;
}

