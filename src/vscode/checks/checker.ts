import * as vscode from 'vscode';
import { mayBeEnvironment } from '../../core/environment/looksLikeEnvironment';
import { isCancelled } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { Logger } from '../../core/ports';
import type { FileReport } from '../../shared/findings';
import { readSetting } from '../settings';
import type { CheckEngine, CheckSubject } from './checkEngine';
import type { Checked, CheckStore } from './checkStore';

/** Schemes of documents that a person edits; diffs, chat snippets and previews are left alone. */
const SCHEMES = new Set(['file', 'untitled', 'vscode-remote']);

/**
 * Checks documents: the syntax tree while typing, everything when opened or saved. One job a document; a newer version
 * cancels the older one, and only the newest is published.
 */
export class Checker implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly jobs = new Map<string, AbortController>();
  private readonly held = new Set<string>();

  constructor(
    private readonly engine: CheckEngine,
    private readonly store: CheckStore,
    private readonly log: Logger,
  ) {
    const add = (item: vscode.Disposable) => this.owned.add(item);
    add(vscode.workspace.onDidOpenTextDocument((document) => this.follow(document, true)));
    add(vscode.workspace.onDidSaveTextDocument((document) => this.follow(document, true)));
    add(vscode.workspace.onDidCloseTextDocument((document) => this.drop(document.uri)));
    add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.start()));
    add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0 || !isChecked(document)) return;
        this.store.edit(document.uri, contentChanges);
        this.jobs.get(document.uri.toString())?.abort();
        if (readSetting('check.whileTyping')) this.later(document);
      }),
    );
  }

  /** Takes the documents that are open already. */
  start(): void {
    for (const document of vscode.workspace.textDocuments) this.follow(document, true);
  }

  /** Checks now, also what was not recognised as an environment, and gives the judgement. */
  async check(document: vscode.TextDocument, probe: boolean, outer?: AbortSignal): Promise<FileReport> {
    const key = document.uri.toString();
    this.clearTimer(key);
    this.jobs.get(key)?.abort();
    const job = new AbortController();
    this.jobs.set(key, job);
    const signal = outer ? AbortSignal.any([job.signal, outer]) : job.signal;
    const { version } = document;
    const subject = subjectOf(document);
    try {
      const { report: early, anchor } = await this.engine.byText(subject, signal);
      this.publish(document, { version, report: early, anchor: anchor ?? this.store.get(document.uri)?.anchor });
      if (!probe || !vscode.workspace.isTrusted) return early;
      signal.throwIfAborted();
      const report = await this.engine.full(subject, signal);
      this.publish(document, { version, report, anchor: anchor ?? undefined });
      return report;
    } finally {
      if (this.jobs.get(key) === job) this.jobs.delete(key);
    }
  }

  /** Checks a document in its own time, if it is an environment. */
  follow(document: vscode.TextDocument, probe: boolean): void {
    if (!isChecked(document) || this.held.has(document.uri.toString())) return;
    void this.checkIfEnvironment(document, probe && readSetting('check.probeOnSave')).catch((error: unknown) => {
      if (!isCancelled(error)) this.log.error(`The checks of ${document.uri.path} failed.`, error);
    });
  }

  /** Leaves a document alone while it is being written by the designer. */
  hold(uri: vscode.Uri): Disposable {
    this.held.add(uri.toString());
    return { dispose: () => this.held.delete(uri.toString()) };
  }

  dispose(): void {
    this.owned.dispose();
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const job of this.jobs.values()) job.abort();
  }

  private publish(document: vscode.TextDocument, judged: Pick<Checked, 'version' | 'report' | 'anchor'>): void {
    if (!document.isClosed && document.version === judged.version) this.store.put({ uri: document.uri, ...judged });
  }

  private later(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    this.clearTimer(key);
    this.timers.set(key, setTimeout(() => this.follow(document, false), readSetting('check.delay')));
  }

  private async checkIfEnvironment(document: vscode.TextDocument, probe: boolean): Promise<void> {
    const known = this.store.get(document.uri)?.anchor;
    // Half a line of code can hide a class from the parser for a moment: what was an environment stays one while it is edited.
    const isOne = mayBeEnvironment(document.getText()) && (known ?? (await this.engine.byText(subjectOf(document))).anchor);
    if (isOne) await this.check(document, probe);
    else this.store.delete(document.uri);
  }

  private drop(uri: vscode.Uri): void {
    this.clearTimer(uri.toString());
    this.jobs.get(uri.toString())?.abort();
    this.engine.forget(uri.toString());
    this.store.delete(uri);
  }

  private clearTimer(key: string): void {
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
  }
}

function subjectOf(document: vscode.TextDocument): CheckSubject {
  return { text: document.getText(), file: vscode.workspace.asRelativePath(document.uri), key: document.uri.toString() };
}

function isChecked(document: vscode.TextDocument): boolean {
  return document.languageId === 'python' && SCHEMES.has(document.uri.scheme);
}
