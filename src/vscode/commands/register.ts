import * as vscode from 'vscode';
import { commandId, type CommandName } from '../../shared/contributions';
import type { ErrorPresenter } from '../presentError';

/** Registers commands by their declared names; what a handler throws is shown to the user. */
export class CommandRegistry {
  constructor(private readonly errors: ErrorPresenter) {}

  /** The command resolves with what the handler gives, undefined when it failed and the failure was shown. */
  register<A extends unknown[]>(name: CommandName, handler: (...args: A) => unknown): vscode.Disposable {
    return vscode.commands.registerCommand(commandId(name), async (...args: A) => {
      try {
        return await handler(...args);
      } catch (error) {
        this.errors.present(error);
        return undefined;
      }
    });
  }
}
