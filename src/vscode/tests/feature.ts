import * as vscode from 'vscode';
import type { KeptReplay } from '../../core/checks/replayFiles';
import { isCancelled } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { Logger } from '../../core/ports';
import { TEST_CONTROLLER } from '../../shared/contributions';
import type { Finding } from '../../shared/findings';
import type { Checks } from '../checks/feature';
import type { Replays } from '../checks/replays';
import { toEditorRange } from '../ranges';
import { findEnvironments, isFound } from '../trees/environmentsTree';
import { TestItems } from './testItems';
import { TestRuns } from './testRuns';

/** What a test item can be replayed by. */
export type ReplayTarget = { readonly uri: vscode.Uri } & ({ readonly finding: Finding } | { readonly kept: KeptReplay });

/** The checks as tests: a file, its families of checks and its kept counterexamples, run once or after every change. */
export class CheckTests implements Disposable {
  private readonly owned = new DisposableStore();
  readonly controller = this.owned.add(vscode.tests.createTestController(TEST_CONTROLLER, vscode.l10n.t('Environment checks')));
  readonly items = new TestItems(this.controller);
  private readonly runs: TestRuns;
  private isDiscovered = false;

  constructor(
    private readonly checks: Checks,
    private readonly replays: Replays,
    private readonly log: Logger,
  ) {
    const { controller, items } = this;
    this.runs = new TestRuns(items, checks, replays);
    controller.resolveHandler = async (item) => {
      if (!item) await this.discover();
    };
    controller.refreshHandler = () => this.discover();
    controller.createRunProfile(vscode.l10n.t('Check'), vscode.TestRunProfileKind.Run, (request, token) => this.start(request, token), true, undefined, true);
    this.owned.add(checks.store.onDidChange((uri) => {
      const anchor = checks.store.get(uri)?.anchor;
      const item = controller.items.get(uri.toString());
      if (anchor && item) item.range = toEditorRange(anchor.range);
      else if (anchor) this.safely(this.add(uri));
      // A draft that was never saved is gone with its editor; a file can be run again while it is closed.
      else if (uri.scheme === 'untitled') items.delete(uri);
    }));
    this.owned.add(replays.onDidChange((uri) => this.safely(this.showReplays(uri))));
    this.owned.add(replays.onDidReplay(({ uri, replayed }) => {
      const run = controller.createTestRun(new vscode.TestRunRequest(), vscode.l10n.t('Kept counterexamples after a save'), false);
      for (const one of replayed) {
        const item = items.replayItem(uri, one.kept);
        if (item) this.runs.replayed(run, uri, item, one);
      }
      run.end();
    }));
    const watcher = this.owned.add(vscode.workspace.createFileSystemWatcher('**/*.py', false, true, false));
    // Only once the view is in use: before that it looks for all of them by itself.
    this.owned.add(watcher.onDidCreate((uri) => {
      if (this.isDiscovered) this.safely(this.addCreated(uri));
    }));
    this.owned.add(watcher.onDidDelete((uri) => items.delete(uri)));
  }

  /** What can be replayed of an item: a kept counterexample, or a finding of its last run, the one on `line` (from 0) when given. */
  replayTarget(item: vscode.TestItem, line?: number): ReplayTarget | undefined {
    const target = this.items.target(item);
    if (target?.kind === 'replay') return { uri: target.uri, kept: target.kept };
    if (target?.kind !== 'check') return undefined;
    const findings = this.runs.findings(item);
    const finding = findings.find((one) => one.line - 1 === line) ?? findings[0];
    return finding && { uri: target.uri, finding };
  }

  /** Runs tests as the test view asks for; resolves when they have ended, for a continuous run at once. */
  async start(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (request.continuous) return this.follow(request, token);
    const stopper = new AbortController();
    const listening = token.onCancellationRequested(() => stopper.abort());
    const run = this.controller.createTestRun(request);
    try {
      for (const [file, items] of this.byFile(request)) {
        if (!stopper.signal.aborted) await this.runs.file(run, vscode.Uri.parse(file), items, stopper.signal);
      }
    } finally {
      run.end();
      listening.dispose();
    }
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Shows what every new judgement says of the tests, for as long as the run is wanted. Saving a file makes one. */
  private follow(request: vscode.TestRunRequest, token: vscode.CancellationToken): void {
    const following = this.checks.store.onDidChange((uri) => {
      const checked = this.checks.store.get(uri);
      const items = this.byFile(request).get(uri.toString());
      if (!checked?.probed || !items) return;
      const run = this.controller.createTestRun(request);
      this.runs.report(run, uri, this.runs.leaves(items), checked.report);
      run.end();
    });
    this.owned.add(following);
    token.onCancellationRequested(() => following.dispose());
  }

  /** The items that are asked for, by their file. */
  private byFile({ include, exclude }: vscode.TestRunRequest): Map<string, vscode.TestItem[]> {
    const asked = include ?? [...this.controller.items].map(([, item]) => item);
    const left = new Set((exclude ?? []).flatMap((item) => this.items.leaves(item)));
    const files = new Map<string, vscode.TestItem[]>();
    for (const item of asked.flatMap((one) => this.items.leaves(one))) {
      const uri = this.items.target(item)?.uri.toString();
      if (uri === undefined || left.has(item)) continue;
      files.set(uri, [...(files.get(uri) ?? []), item]);
    }
    return files;
  }

  private async addCreated(uri: vscode.Uri): Promise<void> {
    if (await isFound(uri)) await this.add(uri);
  }

  private async discover(): Promise<void> {
    this.isDiscovered = true;
    const { uris } = await findEnvironments();
    for (const uri of uris) await this.add(uri);
  }

  private async add(uri: vscode.Uri): Promise<void> {
    const { families } = await import('../../core/checks/catalog');
    const item = this.items.file(uri, families);
    const anchor = this.checks.store.get(uri)?.anchor;
    if (anchor) item.range = toEditorRange(anchor.range);
    await this.showReplays(uri);
  }

  private async showReplays(uri: vscode.Uri): Promise<void> {
    this.items.showReplays(uri, await this.replays.of(uri));
  }

  private safely(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!isCancelled(error)) this.log.error('The test view could not be brought up to date.', error);
    });
  }
}
