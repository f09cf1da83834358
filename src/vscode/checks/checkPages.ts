import * as vscode from 'vscode';

/** The documentation of the checks, a page each, that comes with the extension. */
export class CheckPages {
  constructor(private readonly extension: vscode.Uri) {}

  /** The page of a check by its id. */
  of(id: string): vscode.Uri {
    return vscode.Uri.joinPath(this.extension, 'media', 'checks', `${id}.md`);
  }
}
