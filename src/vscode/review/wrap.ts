import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { readPython } from '../../core/environment/pythonDocument';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { NearContract } from '../../core/review/nearContract';
import { commandId } from '../../shared/contributions';
import { message } from '../../shared/message';
import type { CommandDocuments, CommandTarget } from '../commands/environmentDocument';
import type { CommandRegistry } from '../commands/register';
import { setContext } from '../context';
import type { NodePorts } from '../nodePorts';

/** Pause after a change before a file is looked at again, in milliseconds. */
const PAUSE_MS = 300;
/** Longer texts are looked at only when that is asked for: parsing one would hold the editor up. In UTF-16 units. */
const UNASKED = 50_000;

/** Offers a wrapper for classes in near contracts: as a light bulb on the class, in the menu, and from the palette. */
export class NearContracts implements vscode.CodeActionProvider, Disposable {
  private readonly owned = new DisposableStore();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly ports: Pick<NodePorts, 'parser'>, commands: CommandRegistry, private readonly targets: CommandDocuments, private readonly onDefect: (error: unknown) => void) {
    this.owned.add(vscode.languages.registerCodeActionsProvider({ language: 'python', scheme: 'file' }, this, { providedCodeActionKinds: [vscode.CodeActionKind.RefactorRewrite] }));
    this.owned.add(commands.register('wrapNearContract', (target: CommandTarget) => this.wrap(target)));
    this.owned.add(vscode.window.onDidChangeActiveTextEditor(() => this.later()));
    this.owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => document === vscode.window.activeTextEditor?.document && this.later()));
    this.later();
  }

  async provideCodeActions(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
    const near = await this.unasked(document);
    if (!near || !document.lineAt(range.start.line).text.includes(`class ${near.className}`)) return [];
    const action = new vscode.CodeAction(vscode.l10n.t('Wrap {0} for the run', near.className), vscode.CodeActionKind.RefactorRewrite);
    action.command = { title: action.title, command: commandId('wrapNearContract'), arguments: [document.uri] };
    return [action];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.owned.dispose();
  }

  /** Opens the wrapped file as new, unsaved code: what is imported is read before it is kept. */
  private async wrap(target: CommandTarget): Promise<string> {
    const document = await this.targets.of(target);
    const [near, { wrapNearContract }] = [await this.nearOf(document), await import('../../core/review/nearContract')];
    if (!near) {
      throw new EnvwrightError('review/no-near-contract', message('No class of this file needs a wrapper: either the run takes it as it is, or nothing in it has reset and step.'), message('Check the file to see what the run makes of it.'));
    }
    const { source, className } = wrapNearContract(readPython(await this.ports.parser(), document.getText()), near);
    const made = await vscode.workspace.openTextDocument({ language: 'python', content: source });
    const editor = await vscode.window.showTextDocument(made, { viewColumn: vscode.ViewColumn.Beside });
    const line = Math.max(0, source.split('\n').findLastIndex((text) => text.startsWith(`class ${className}`)));
    editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.AtTop);
    editor.selection = new vscode.Selection(line, 0, line, 0);
    return className;
  }

  private unasked(document: vscode.TextDocument): Promise<NearContract | null> {
    return document.getText().length > UNASKED ? Promise.resolve(null) : this.nearOf(document);
  }

  private async nearOf(document: vscode.TextDocument): Promise<NearContract | null> {
    const text = document.getText();
    if (!/\bdef\s+reset\b/.test(text) || !/\bdef\s+step\b/.test(text)) return null;
    const [{ nearContract }, parser] = [await import('../../core/review/nearContract'), await this.ports.parser()];
    return nearContract(readPython(parser, text));
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const document = vscode.window.activeTextEditor?.document;
      const near = document?.languageId === 'python' ? this.unasked(document) : Promise.resolve(null);
      near.then((found) => setContext('nearContract', found !== null), this.onDefect);
    }, PAUSE_MS);
  }
}
