import * as vscode from 'vscode';
import { EnvwrightError, isCancelled } from '../../core/errors';
import type { FileReport, Finding } from '../../shared/findings';
import type { Checks } from '../checks/feature';
import { findingText, saidLine } from '../checks/evidence';
import type { Replayed, Replays } from '../checks/replays';
import { localize } from '../localize';
import { outcomeOf } from './checkOutcome';
import type { TestItems, TestTarget } from './testItems';
import { comparisonText, differenceLines, failureOf, stillHappens } from './testMessages';

type Leaf = { readonly item: vscode.TestItem; readonly target: TestTarget };

/** Makes checks and plays kept counterexamples for the test view, and says there what came of them. */
export class TestRuns {
  /** Findings behind the failures of the last run, by the id of the item. */
  private readonly found = new Map<string, readonly Finding[]>();

  constructor(
    private readonly items: TestItems,
    private readonly checks: Pick<Checks, 'checker'>,
    private readonly replays: Replays,
  ) {}

  /** What the last run found for an item. */
  findings(item: vscode.TestItem): readonly Finding[] {
    return this.found.get(item.id) ?? [];
  }

  /** Runs items of one file. */
  async file(run: vscode.TestRun, uri: vscode.Uri, items: readonly vscode.TestItem[], signal: AbortSignal): Promise<void> {
    const leaves = this.leaves(items);
    for (const { item } of leaves) run.started(item);
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      const checks = leaves.filter(({ target }) => target.kind === 'check');
      if (checks.length > 0) this.report(run, uri, checks, await this.checks.checker.check(document, true, signal));
      for (const { item, target } of leaves) {
        if (target.kind === 'replay') this.replayed(run, uri, item, await this.replays.again(document, target.kept, signal));
      }
    } catch (error) {
      for (const { item } of leaves) this.failed(run, item, error);
    }
  }

  /** Says what a report says of these checks. */
  report(run: vscode.TestRun, uri: vscode.Uri, leaves: readonly Leaf[], report: FileReport): void {
    for (const { item, target } of leaves) {
      if (target.kind !== 'check') continue;
      const outcome = outcomeOf(target.check, report);
      const title = localize(target.check.title);
      this.found.set(item.id, outcome.kind === 'failed' ? outcome.findings : []);
      item.description = outcome.kind === 'skipped' ? saidLine(outcome.reason) : title;
      switch (outcome.kind) {
        case 'failed':
          run.failed(item, outcome.findings.map((finding) => failureOf(uri, report.file, finding)));
          break;
        case 'skipped':
          say(run, item, `${target.check.id}: ${saidLine(outcome.reason)}`);
          run.skipped(item);
          break;
        case 'passed':
          for (const info of outcome.infos) say(run, item, `${target.check.id}: ${findingText(info)}`);
          run.passed(item);
      }
    }
  }

  /** Says how a kept counterexample went. */
  replayed(run: vscode.TestRun, uri: vscode.Uri, item: vscode.TestItem, replayed: Replayed): void {
    const { comparison } = replayed;
    item.description = comparisonText(comparison);
    for (const line of differenceLines(comparison)) say(run, item, line);
    if (comparison.same) run.failed(item, stillHappens(uri, replayed, this.items.range(uri)));
    else run.passed(item);
  }

  /** The checks and replays at or below items, each once. */
  leaves(items: readonly vscode.TestItem[]): Leaf[] {
    const found = new Set(items.flatMap((item) => this.items.leaves(item)));
    return [...found].flatMap((item) => {
      const target = this.items.target(item);
      return target ? [{ item, target }] : [];
    });
  }

  private failed(run: vscode.TestRun, item: vscode.TestItem, error: unknown): void {
    if (isCancelled(error)) {
      say(run, item, vscode.l10n.t('Cancelled, or the file was edited meanwhile.'));
      run.skipped(item);
      return;
    }
    const text = error instanceof EnvwrightError ? `${saidLine(error.what)} ${saidLine(error.next)}` : vscode.l10n.t('Envwright could not do this. The log has the details.');
    run.errored(item, new vscode.TestMessage(text));
  }
}

/** A line of a run's output, which is a terminal: the text has been made harmless before. */
function say(run: vscode.TestRun, item: vscode.TestItem, line: string): void {
  run.appendOutput(`${line}\r\n`, undefined, item);
}
