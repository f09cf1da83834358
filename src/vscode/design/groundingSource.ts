import * as vscode from 'vscode';
import type { GroundingDocument } from '../../core/design/grounding';
import { BACK, type Choice, type Interaction, type PickRequest } from '../interaction';
import { plainLine } from '../../core/plainText';
import { readSetting } from '../settings';
import type { Corpora } from './corpora';

type Source = 'none' | 'selection' | 'editor' | 'open' | 'corpus' | 'file';

/** Where the document comes from that a design is grounded on: nothing, the editor, or a line of a corpus. */
export class GroundingSource {
  constructor(readonly corpora: Corpora) {}

  /** Asks; null for no grounding. */
  async ask(interaction: Interaction, step: NonNullable<PickRequest<Source>['step']>): Promise<GroundingDocument | null | typeof BACK | undefined> {
    const source = await interaction.pick({
      title: vscode.l10n.t('Design Environment'), placeholder: vscode.l10n.t('Ground it on a document?'), step, choices: sourceChoices(),
    });
    if (source === BACK || source === undefined) return source;
    if (source === 'none') return null;
    if (source === 'selection' || source === 'editor') return fromEditor(source);
    if (source === 'open') return askOpenDocument(interaction);
    return this.fromCorpus(interaction, source === 'corpus' ? corpusPath() : await askCorpusFile());
  }

  private async fromCorpus(interaction: Interaction, path: string | undefined): Promise<GroundingDocument | undefined> {
    return path === undefined ? undefined : this.corpora.choose(await this.corpora.open(path), interaction);
  }
}

function sourceChoices(): Choice<Source>[] {
  const editor = vscode.window.activeTextEditor;
  const name = editor && vscode.workspace.asRelativePath(editor.document.uri);
  return [
    { label: vscode.l10n.t('No document'), value: 'none' },
    ...(editor && !editor.selection.isEmpty ? [{ label: vscode.l10n.t('The selection in {0}', name ?? ''), value: 'selection' as const }] : []),
    ...(editor ? [{ label: vscode.l10n.t('The whole of {0}', name ?? ''), value: 'editor' as const }] : []),
    ...(openDocuments().length > 1 ? [{ label: vscode.l10n.t('Another open document…'), value: 'open' as const }] : []),
    ...(readSetting('run.corpus') === '' ? [] : [{ label: vscode.l10n.t('A document of the corpus'), description: readSetting('run.corpus'), value: 'corpus' as const }]),
    { label: readSetting('run.corpus') === '' ? vscode.l10n.t('A corpus file…') : vscode.l10n.t('Another corpus file…'), value: 'file' },
  ];
}

/** The text of the editor in front, or what is selected in it. */
export function fromEditor(source: 'selection' | 'editor', editor = vscode.window.activeTextEditor): GroundingDocument | undefined {
  if (!editor) return undefined;
  const text = editor.document.getText(source === 'selection' ? editor.selection : undefined);
  const lines = source === 'selection' ? `:${editor.selection.start.line + 1}-${editor.selection.end.line + 1}` : '';
  return { id: `${vscode.workspace.asRelativePath(editor.document.uri)}${lines}`, text };
}

/** Documents that hold a text of the person's: no output, no settings, nothing empty. */
function openDocuments(): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(({ uri, isClosed, lineCount }) => !isClosed && ['file', 'untitled', 'vscode-remote', 'envwright'].includes(uri.scheme) && lineCount > 1);
}

/** Lets the person take a selection, or the whole of any open document. Undefined when dismissed. */
export async function askOpenDocument(interaction: Interaction, editor = vscode.window.activeTextEditor): Promise<GroundingDocument | undefined> {
  const selected = editor && !editor.document.isClosed && !editor.selection.isEmpty ? fromEditor('selection', editor) : undefined;
  const whole = openDocuments().map((document) => ({ id: vscode.workspace.asRelativePath(document.uri), text: document.getText() }));
  const first = editor && vscode.workspace.asRelativePath(editor.document.uri);
  const offered = [...(selected ? [selected] : []), ...whole.filter(({ id }) => id === first), ...whole.filter(({ id }) => id !== first)];
  const chosen = await interaction.pick({
    title: vscode.l10n.t('Ground on which text?'),
    choices: offered.map((document) => ({ label: document.id, ...(document === selected && { description: vscode.l10n.t('the selection') }), detail: plainLine(document.text, 160), value: document })),
  });
  return chosen === BACK ? undefined : chosen;
}

/** The corpus of the settings; a relative path is below the workspace. */
export function corpusPath(): string {
  const path = readSetting('run.corpus');
  const root = vscode.workspace.workspaceFolders?.[0];
  return /^([/\\]|[a-zA-Z]:)/.test(path) || !root ? path : vscode.Uri.joinPath(root.uri, path).fsPath;
}

/** Asks for a corpus file. */
export async function askCorpusFile(): Promise<string | undefined> {
  const chosen = await vscode.window.showOpenDialog({ title: vscode.l10n.t('Corpus'), canSelectMany: false, filters: { [vscode.l10n.t('JSON lines')]: ['jsonl', 'json'] } });
  return chosen?.[0]?.fsPath;
}
