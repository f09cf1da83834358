import * as vscode from 'vscode';
import type { Range } from '../shared/findings';

/** A range of the editor: it counts from 0, findings count from 1. */
export function toEditorRange({ line, column, endLine, endColumn }: Range): vscode.Range {
  return new vscode.Range(line - 1, column - 1, endLine - 1, endColumn - 1);
}

/** A range of ours. */
export function fromEditorRange({ start, end }: vscode.Range): Range {
  return { line: start.line + 1, column: start.character + 1, endLine: end.line + 1, endColumn: end.character + 1 };
}
