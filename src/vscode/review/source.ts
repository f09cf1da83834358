import * as vscode from 'vscode';
import { z } from 'zod';
import { EnvwrightError } from '../../core/errors';
import type { FileStore } from '../../core/ports';
import { WORKSPACE_FOLDER } from '../../core/workspaceFolder';
import { baseName, join } from '../../core/run/paths';
import { findPythonFiles } from '../../core/review/findFiles';
import { NO_FACTS, type FileFacts } from '../../core/review/fileFacts';
import { skillSlug } from '../../core/review/staticPool';
import { message } from '../../shared/message';
import type { Drafts } from '../design/drafts';
import type { LinkedRun } from '../run/linkedRun';

/** Where the files under review come from. */
export const ReviewSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), path: z.string() }),
  z.object({ kind: z.literal('run') }),
  z.object({ kind: z.literal('drafts'), batch: z.int().nullable() }),
]);
export type ReviewSource = z.infer<typeof ReviewSource>;

/** The files of a source, and what is known of them beside what their folders say. */
export interface SourceFiles {
  readonly label: string;
  readonly paths: readonly string[];
  readonly facts: ReadonlyMap<string, FileFacts>;
}

/** Where files to review can come from. */
export interface SourceParts {
  readonly run: LinkedRun;
  readonly drafts: Drafts;
}

/** Finds the files of a source. @throws EnvwrightError when there are none. */
export async function filesOfSource(source: ReviewSource, files: FileStore, root: string, { run, drafts }: SourceParts, signal: AbortSignal): Promise<SourceFiles> {
  const found = await (source.kind === 'folder' ? folderFiles(source.path, files, signal) : source.kind === 'run' ? runFiles(files, run) : draftFiles(source.batch, files, root, drafts));
  if (found.paths.length > 0) return found;
  throw new EnvwrightError('review/no-files', message('There is no Python file in {where}.', { where: found.label }), message('Choose another folder, or design environments first.'));
}

async function folderFiles(path: string, files: FileStore, signal: AbortSignal): Promise<SourceFiles> {
  return { label: baseName(path), paths: await findPythonFiles(files, [path], signal), facts: new Map() };
}

async function runFiles(files: FileStore, run: LinkedRun): Promise<SourceFiles> {
  const folder = await run.folder();
  if (!folder) throw new EnvwrightError('run/none-linked', message('No training run is linked.'), message('Link the output folder of a run first.'));
  const { takeInventory } = await import('../../core/run/inventory');
  const { games } = await takeInventory(files, folder);
  return { label: baseName(folder.dir), paths: games.map(({ file }) => file), facts: new Map() };
}

/** Drafts are written to files of the workspace, so that decisions and notes have a file to stand on. */
async function draftFiles(batch: number | null, files: FileStore, root: string, drafts: Drafts): Promise<SourceFiles> {
  await drafts.load();
  const wanted = drafts.all.filter((kept) => (batch === null || kept.batch === batch) && kept.draft.code.trim() !== '');
  const facts = new Map<string, FileFacts>();
  for (const { id, draft } of wanted) {
    const { skill, difficulty, kind } = draft.provenance;
    const path = join(root, WORKSPACE_FOLDER, 'drafts', `${String(id).padStart(4, '0')}_${skillSlug(skill)}_env.py`);
    if (!(await files.stat(path))) {
      await files.makeFolder(join(root, WORKSPACE_FOLDER, 'drafts'));
      await files.replace(path, draft.code.endsWith('\n') ? draft.code : `${draft.code}\n`, { flush: false });
    }
    facts.set(path, { ...NO_FACTS, skill, difficulty, kind });
  }
  return { label: batch === null ? vscode.l10n.t('drafts') : vscode.l10n.t('batch {0}', batch), paths: [...facts.keys()], facts };
}
