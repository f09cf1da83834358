import * as vscode from 'vscode';
import { commandId } from '../../shared/contributions';

/** The documentation of the checks, a page each, that comes with the extension. */
export class CheckPages {
  constructor(private readonly extension: vscode.Uri) {}

  /** The page of a check by its id. */
  of(id: string): vscode.Uri {
    return vscode.Uri.joinPath(this.extension, 'media', 'checks', `${id}.md`);
  }

  /** What the code of a finding opens: the page as it reads. The address of its file would open the source of it, to be edited. */
  link(id: string): vscode.Uri {
    return vscode.Uri.parse(`command:${commandId('explainCheck')}?${encodeURIComponent(JSON.stringify([id]))}`);
  }
}
