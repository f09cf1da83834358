import * as vscode from 'vscode';
import { ReplayFiles, type KeptReplay } from '../../core/checks/replayFiles';
import { compareOutcomes, counterexampleOf, playCounterexample, type Counterexample, type ReplayComparison, type ReplayOutcome } from '../../core/checks/replays';
import { contentHash } from '../../core/checks/suppression';
import { EnvwrightError, isCancelled } from '../../core/errors';
import { DisposableStore, Emitter, type Disposable } from '../../core/lifecycle';
import type { Logger } from '../../core/ports';
import { message } from '../../shared/message';
import type { NodePorts } from '../nodePorts';
import type { SandboxSource } from '../sandboxSource';
import { readSetting } from '../settings';
import { requireTrust } from '../trust';
import { fileName, onRename, type Renamed } from './decisions';
import { findingText } from './evidence';
import type { FoundFinding } from './findingRef';

/** A kept counterexample that was played again. */
export interface Replayed {
  readonly kept: KeptReplay;
  readonly outcome: ReplayOutcome;
  readonly comparison: ReplayComparison;
}

/** The counterexamples that the user keeps: played when they are kept, and again whenever their file is saved. */
export class Replays implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<vscode.Uri>());
  private readonly runs = this.owned.add(new Emitter<{ readonly uri: vscode.Uri; readonly replayed: readonly Replayed[] }>());
  private readonly lifetime = new AbortController();
  private saved = new Map<string, AbortController>();
  /** Replays of a file were added or removed. */
  readonly onDidChange = this.changes.event;
  /** Replays of a file were played again after a save. */
  readonly onDidReplay = this.runs.event;

  constructor(
    private readonly ports: Pick<NodePorts, 'files'>,
    private readonly sandbox: SandboxSource,
    private readonly log: Logger,
  ) {
    this.owned.add(onRename((renamed) => this.follow(renamed), (error) => this.log.error('The kept counterexamples could not follow a renamed file.', error)));
    this.owned.add(vscode.workspace.onDidSaveTextDocument((document) => {
      if (document.languageId === 'python' && vscode.workspace.isTrusted && readSetting('check.probeOnSave')) void this.afterSave(document);
    }));
  }

  /** Plays the counterexample of a finding on the present text and keeps it with what came of it. */
  async keep({ uri, finding }: Pick<FoundFinding, 'uri' | 'finding'>, signal: AbortSignal): Promise<KeptReplay> {
    const counterexample = counterexampleOf(finding);
    if (counterexample === null) throw nothingToReplay(finding.id);
    const files = await this.filesFor(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const { id, evidence } = finding;
    const replay = {
      schema: 1 as const, check: id, file: fileName(uri), hash: await contentHash(document.getText()), said: findingText(finding), ...counterexample,
      expected: evidence?.expected ?? null, actual: evidence?.actual ?? null, outcome: await this.play(document, counterexample, signal),
    };
    const name = await files.keep(replay);
    this.changes.fire(uri);
    return { name, replay };
  }

  /** The replays of a file; none where there can be none. */
  async of(uri: vscode.Uri): Promise<readonly KeptReplay[]> {
    if (vscode.workspace.getWorkspaceFolder(uri)?.uri.scheme !== 'file' || !vscode.workspace.isTrusted) return [];
    return (await this.filesFor(uri)).of(fileName(uri));
  }

  async remove(uri: vscode.Uri, name: string): Promise<void> {
    await (await this.filesFor(uri)).remove(name);
    this.changes.fire(uri);
  }

  /** Plays a kept counterexample on the present text and compares. @throws SandboxError when nothing can run. */
  async again(document: vscode.TextDocument, kept: KeptReplay, signal: AbortSignal): Promise<Replayed> {
    const outcome = await this.play(document, kept.replay, signal);
    return { kept, outcome, comparison: compareOutcomes(kept.replay.outcome, outcome) };
  }

  dispose(): void {
    this.lifetime.abort();
    this.owned.dispose();
  }

  private async follow({ folder, from, to }: Renamed): Promise<void> {
    const moved = await (await this.filesFor(folder.uri)).moved(from, to);
    for (const file of moved) this.changes.fire(vscode.Uri.joinPath(folder.uri, file));
  }

  private async play(document: vscode.TextDocument, counterexample: Counterexample, signal: AbortSignal): Promise<ReplayOutcome> {
    const sandbox = await this.sandbox.get(signal);
    return playCounterexample(sandbox, { name: fileName(document.uri), source: document.getText() }, counterexample, signal);
  }

  /** One pass a file: a newer save stops the older pass. */
  private async afterSave(document: vscode.TextDocument): Promise<void> {
    const key = document.uri.toString();
    this.saved.get(key)?.abort();
    const stopper = new AbortController();
    this.saved.set(key, stopper);
    const signal = AbortSignal.any([stopper.signal, this.lifetime.signal]);
    try {
      const replayed: Replayed[] = [];
      for (const kept of await this.of(document.uri)) replayed.push(await this.again(document, kept, signal));
      if (replayed.length > 0) this.runs.fire({ uri: document.uri, replayed });
    } catch (error) {
      if (!isCancelled(error)) this.log.error(`The kept counterexamples of ${document.uri.path} could not be played.`, error);
    } finally {
      if (this.saved.get(key) === stopper) this.saved.delete(key);
    }
  }

  private async filesFor(uri: vscode.Uri): Promise<ReplayFiles> {
    requireTrust();
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder?.uri.scheme !== 'file') {
      throw new EnvwrightError('records/no-folder', message('Counterexamples are kept in the workspace folder of their file, and this file is in none.'), message('Save the file into an open folder first.'));
    }
    return new ReplayFiles(await this.ports.files(), folder.uri.fsPath);
  }
}

/** The error for a finding that names no seed and actions. */
export function nothingToReplay(id: string): EnvwrightError {
  return new EnvwrightError('checks/no-counterexample', message('{id} names no seed with actions that could be played again.', { id }), message('Read its evidence in Problems.'));
}
