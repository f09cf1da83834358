import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import type { CorpusDocument } from '../../core/design/corpus';
import type { GroundingDocument } from '../../core/design/grounding';
import { message } from '../../shared/message';
import { BACK, type Choice, type Interaction, type PickRequest } from '../interaction';
import type { NodePorts } from '../nodePorts';
import { plainLine } from '../plainText';
import { readSetting } from '../settings';

/** Documents offered of a corpus; a search of all of it is not made here. */
const OFFERED = 200;
const FIRST_WORDS = 100;

type Source = 'none' | 'selection' | 'editor' | 'corpus' | 'file';

/** Where the document comes from that a design is grounded on: nothing, the editor, or a line of a corpus. */
export class GroundingSource {
  constructor(private readonly ports: Pick<NodePorts, 'files'>) {}

  /** Asks; null for no grounding. */
  async ask(interaction: Interaction, step: NonNullable<PickRequest<Source>['step']>): Promise<GroundingDocument | null | typeof BACK | undefined> {
    const source = await interaction.pick({
      title: vscode.l10n.t('Design Environment'), placeholder: vscode.l10n.t('Ground it on a document?'), step, choices: sourceChoices(),
    });
    if (source === BACK || source === undefined) return source;
    if (source === 'none') return null;
    if (source === 'selection' || source === 'editor') return fromEditor(source);
    return this.fromCorpus(interaction, source === 'corpus' ? corpusPath() : await askFile());
  }

  private async fromCorpus(interaction: Interaction, path: string | undefined): Promise<GroundingDocument | undefined> {
    if (path === undefined) return undefined;
    const documents = await this.read(path);
    const chosen = await interaction.pick({
      title: vscode.l10n.t('Document of the corpus'),
      placeholder: vscode.l10n.t('The first {0} documents', documents.length),
      choices: documents.map((document) => ({
        label: vscode.l10n.t('Line {0}', document.line), description: vscode.l10n.t('{0} words', document.words), detail: plainLine(document.text, FIRST_WORDS), value: document,
      })),
    });
    return chosen === BACK || chosen === undefined ? undefined : { id: `${vscode.workspace.asRelativePath(path)}:${chosen.line}`, text: chosen.text };
  }

  private async read(path: string): Promise<CorpusDocument[]> {
    const files = await this.ports.files();
    if ((await files.stat(path)) === undefined) {
      throw new EnvwrightError('design/no-corpus', message('The corpus {path} does not exist.', { path }), message('Correct the setting envwright.run.corpus, or choose a file.'));
    }
    const { readCorpus } = await import('../../core/design/corpus');
    const documents: CorpusDocument[] = [];
    for await (const line of readCorpus(files.lines(path))) {
      if (line.kind === 'document') documents.push(line);
      if (documents.length === OFFERED) break;
    }
    if (documents.length > 0) return documents;
    throw new EnvwrightError(
      'design/empty-corpus', message('The corpus {path} holds no document.', { path }), message('Each line is a JSON object with orig_doc or text. Choose another file.'),
    );
  }
}

function sourceChoices(): Choice<Source>[] {
  const editor = vscode.window.activeTextEditor;
  const name = editor && vscode.workspace.asRelativePath(editor.document.uri);
  return [
    { label: vscode.l10n.t('No document'), value: 'none' },
    ...(editor && !editor.selection.isEmpty ? [{ label: vscode.l10n.t('The selection in {0}', name ?? ''), value: 'selection' as const }] : []),
    ...(editor ? [{ label: vscode.l10n.t('The whole of {0}', name ?? ''), value: 'editor' as const }] : []),
    ...(readSetting('run.corpus') === '' ? [] : [{ label: vscode.l10n.t('A document of the corpus'), description: readSetting('run.corpus'), value: 'corpus' as const }]),
    { label: vscode.l10n.t('Another corpus file…'), value: 'file' },
  ];
}

function fromEditor(source: 'selection' | 'editor'): GroundingDocument | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const text = editor.document.getText(source === 'selection' ? editor.selection : undefined);
  const lines = source === 'selection' ? `:${editor.selection.start.line + 1}-${editor.selection.end.line + 1}` : '';
  return { id: `${vscode.workspace.asRelativePath(editor.document.uri)}${lines}`, text };
}

function corpusPath(): string {
  const path = readSetting('run.corpus');
  const root = vscode.workspace.workspaceFolders?.[0];
  return /^([/\\]|[a-zA-Z]:)/.test(path) || !root ? path : vscode.Uri.joinPath(root.uri, path).fsPath;
}

async function askFile(): Promise<string | undefined> {
  const chosen = await vscode.window.showOpenDialog({ title: vscode.l10n.t('Corpus'), canSelectMany: false, filters: { [vscode.l10n.t('JSON lines')]: ['jsonl', 'json'] } });
  return chosen?.[0]?.fsPath;
}
