import * as vscode from 'vscode';

/** Says how far something is. */
export type Report = (text: string) => void;

/** A panel that shows how far a work is, and can stop it. */
export interface Watcher {
  readonly signal: AbortSignal;
  readonly report: Report;
}

/** Runs work under a progress notice with a Cancel that reaches the work's signal; with a watcher there is no notice: progress stands in one place. */
export async function withProgress<T>(title: string, work: (signal: AbortSignal, report: Report) => Promise<T>, watcher?: Watcher): Promise<T> {
  if (watcher) return work(watcher.signal, watcher.report);
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, async (progress, token) => {
    const controller = new AbortController();
    const subscription = token.onCancellationRequested(() => controller.abort());
    try {
      let last = '';
      return await work(controller.signal, (text) => {
        if (text !== last) progress.report({ message: text });
        last = text;
      });
    } finally {
      subscription.dispose();
    }
  });
}
