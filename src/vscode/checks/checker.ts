import * as vscode from 'vscode';
import { mayBeEnvironment } from '../../core/environment/looksLikeEnvironment';
import { isCancelled } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { Logger } from '../../core/ports';
import type { FileReport } from '../../shared/findings';
import { readSetting } from '../settings';
import type { CheckEngine } from './checkEngine';
import type { CheckStore, Judged } from './checkStore';
import type { UserDecisions } from './decisions';
import { Jobs } from './jobs';

/** Schemes of documents that a person edits; diffs, chat snippets and previews are left alone. */
const SCHEMES = new Set(['file', 'untitled', 'vscode-remote']);

/**
 * Checks documents: the syntax tree while typing, everything when opened or saved. One job a document; a newer version
 * cancels the older one, and only the newest is published.
 */
export class Checker implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly jobs = new Jobs<FileReport>();
  private readonly held = new Set<string>();
  /** Counts what the user decided, so that a judgement made meanwhile is seen to be old. */
  private decided = 0;

  constructor(
    private readonly engine: CheckEngine,
    private readonly store: CheckStore,
    private readonly decisions: UserDecisions,
    private readonly log: Logger,
  ) {
    const add = (item: vscode.Disposable) => this.owned.add(item);
    add(vscode.workspace.onDidOpenTextDocument((document) => this.follow(document, true)));
    add(vscode.workspace.onDidSaveTextDocument((document) => this.follow(document, true)));
    add(vscode.workspace.onDidCloseTextDocument((document) => this.drop(document.uri)));
    add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.start()));
    this.owned.add(decisions.onDidChange(() => this.recheck()));
    add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0 || !isChecked(document)) return;
        this.store.edit(document.uri, contentChanges);
        this.jobs.stop(document.uri.toString());
        if (readSetting('check.whileTyping')) this.later(document);
      }),
    );
  }

  /** Takes the documents that are open already. */
  start(): void {
    for (const document of vscode.workspace.textDocuments) this.follow(document, true);
  }

  /** Checks now, also what was not recognised as an environment, and gives the judgement. */
  check(document: vscode.TextDocument, probe: boolean, signal?: AbortSignal): Promise<FileReport> {
    const key = document.uri.toString();
    this.clearTimer(key);
    return this.jobs.run(key, { version: document.version, thorough: probe, work: (own) => this.judgeAsDecided(document, probe, own) }, signal);
  }

  /** Checks a file that may be closed. One that is opened for it is checked for nobody else, so that its check ends with the signal. */
  async checkFile(uri: vscode.Uri, signal: AbortSignal): Promise<FileReport> {
    const isOpen = vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
    const held = isOpen ? null : this.hold(uri);
    try {
      return await this.check(await vscode.workspace.openTextDocument(uri), true, signal);
    } finally {
      held?.dispose();
    }
  }

  /** Judges what is open anew, after the user decided something about it. What is being judged now begins again. */
  recheck(): void {
    this.decided += 1;
    for (const { uri, ran } of this.store.all()) {
      const document = vscode.workspace.textDocuments.find((other) => other.uri.toString() === uri.toString());
      if (document) this.check(document, ran !== undefined).catch((error: unknown) => this.failed(document, error));
    }
  }

  /** Checks a document in its own time, if it is an environment. */
  follow(document: vscode.TextDocument, probe: boolean): void {
    if (!isChecked(document) || this.held.has(document.uri.toString())) return;
    this.checkIfEnvironment(document, probe && readSetting('check.probeOnSave')).catch((error: unknown) => this.failed(document, error));
  }

  /** Leaves a document alone while it is being written by the designer. */
  hold(uri: vscode.Uri): Disposable {
    this.held.add(uri.toString());
    return { dispose: () => this.held.delete(uri.toString()) };
  }

  dispose(): void {
    this.owned.dispose();
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.jobs.dispose();
  }

  private async judgeAsDecided(document: vscode.TextDocument, probe: boolean, signal: AbortSignal): Promise<FileReport> {
    for (;;) {
      const { decided } = this;
      const report = await this.judge(document, probe, signal);
      if (decided === this.decided) return report;
    }
  }

  private async judge(document: vscode.TextDocument, probe: boolean, signal: AbortSignal): Promise<FileReport> {
    const { version } = document;
    const subject = await this.decisions.subjectOf(document);
    signal.throwIfAborted();
    const { report: early, anchor } = await this.engine.byText(subject, signal);
    const { text } = subject;
    this.publish(document, { version, text, report: early, anchor: anchor ?? this.store.get(document.uri)?.anchor });
    if (!probe || !vscode.workspace.isTrusted) return early;
    signal.throwIfAborted();
    const report = await this.engine.full(subject, signal);
    this.publish(document, { version, text, report, anchor: anchor ?? undefined });
    return report;
  }

  private publish(document: vscode.TextDocument, judged: Omit<Judged, 'uri'>): void {
    if (!document.isClosed && document.version === judged.version) this.store.put({ uri: document.uri, ...judged });
  }

  private failed(document: vscode.TextDocument, error: unknown): void {
    if (!isCancelled(error)) this.log.error(`The checks of ${document.uri.path} failed.`, error);
  }

  private later(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    this.clearTimer(key);
    this.timers.set(key, setTimeout(() => this.follow(document, false), readSetting('check.delay')));
  }

  private async checkIfEnvironment(document: vscode.TextDocument, probe: boolean): Promise<void> {
    const known = this.store.get(document.uri)?.anchor;
    // Half a line of code can hide a class from the parser for a moment: what was an environment stays one while it is edited.
    const isOne = mayBeEnvironment(document.getText()) && (known ?? (await this.engine.byText(await this.decisions.subjectOf(document))).anchor);
    if (isOne) await this.check(document, probe);
    else this.store.delete(document.uri);
  }

  private drop(uri: vscode.Uri): void {
    this.clearTimer(uri.toString());
    this.jobs.stop(uri.toString());
    this.engine.forget(uri.toString());
    this.store.delete(uri);
  }

  private clearTimer(key: string): void {
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
  }
}

function isChecked(document: vscode.TextDocument): boolean {
  return document.languageId === 'python' && SCHEMES.has(document.uri.scheme);
}
