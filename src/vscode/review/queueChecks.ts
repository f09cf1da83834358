import * as vscode from 'vscode';
import { EnvwrightError, isCancelled } from '../../core/errors';
import { viewId } from '../../shared/contributions';
import { localize } from '../localize';
import { readSetting } from '../settings';
import type { Auditor } from './audit';
import type { ReviewTree } from './reviewTree';
import type { ReviewSession } from './session';

/** Judges the files under review in the background, in their order, and tells the queue. */
export class QueueChecks {
  private running: Promise<void> | undefined;

  constructor(private readonly session: ReviewSession, private readonly tree: ReviewTree, private readonly auditor: Auditor) {}

  /** Takes over what is known and checks the rest, where the user and the workspace's trust allow it. */
  begin(): Promise<void> {
    return vscode.workspace.isTrusted && readSetting('review.checkQueue') ? this.check() : Promise.resolve();
  }

  /** Checks what has no verdict yet; a second call while it is under way waits for the first. */
  check(): Promise<void> {
    return (this.running ??= this.checkAll().finally(() => (this.running = undefined)));
  }

  private async checkAll(): Promise<void> {
    const { session, tree } = this;
    const signal = session.lifetime;
    try {
      for (const [hash, verdict] of await this.auditor.known(session.all().map(({ file, contentHash: hash }) => ({ file, hash })))) session.setVerdict(hash, verdict);
      const paths = session.list().filter(({ verdict }) => verdict === null).map(({ file }) => file);
      if (paths.length === 0) return;
      await vscode.window.withProgress({ location: { viewId: viewId('review') } }, () => this.auditor.run(paths, ({ done, total, hash, report }) => {
        tree.checking = done < total ? vscode.l10n.t('checking {0} of {1}', done, total) : '';
        if (hash !== null) session.setVerdict(hash, report.verdict);
      }, signal));
      tree.checking = '';
    } catch (error) {
      if (isCancelled(error)) return;
      if (!(error instanceof EnvwrightError)) throw error;
      tree.checking = vscode.l10n.t('Not checked: {0} {1}', localize(error.what), localize(error.next));
    } finally {
      tree.refresh();
    }
  }
}
