import * as vscode from 'vscode';
import { EnvwrightError } from '../core/errors';
import { message } from '../shared/message';

/** Refuses what runs code, calls a model or writes to a run, while the workspace is not trusted. */
export function requireTrust(isTrusted: boolean = vscode.workspace.isTrusted): void {
  if (isTrusted) return;
  throw new EnvwrightError(
    'trust/untrusted-workspace',
    message('This workspace is not trusted, so Envwright only makes static checks: no environment runs, no model is called and no run is written to.'),
    message('Trust the workspace first, if you trust its files.'),
  );
}
