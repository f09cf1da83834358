import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { MemoryEntry } from '../../core/memory/readMemory';
import type { FileStore } from '../../core/ports';
import { baseName } from '../../core/run/paths';
import { commandId } from '../../shared/contributions';
import { message } from '../../shared/message';
import type { Channel } from '../../shared/webviewChannel';
import { MemoryHost, MemoryView, type Draw, type MemoryAction, type RecordAction } from '../../shared/webviewMemory';
import type { ReadOnlyDocuments } from '../documents';
import { localize } from '../localize';
import type { LinkedRun } from '../run/linkedRun';
import type { MemoryTree } from '../trees/memoryTree';
import { drawFor, drawText } from './memoryReading';
import { memorySnapshot, type MemorySnapshot } from './memorySource';
import { keysOf, memoryState } from './memoryState';
import { translations } from './translations';
import { VisibilityBuffer } from './visibilityBuffer';
import { openPage } from './webviewPage';

/** What the memory view needs of the rest of the extension. */
export interface MemoryPanelParts {
  readonly extension: vscode.Uri;
  readonly run: LinkedRun;
  readonly tree: MemoryTree;
  readonly files: () => Promise<FileStore>;
  readonly now: () => number;
  readonly documents: ReadOnlyDocuments;
  readonly onDefect: (error: unknown) => void;
}

/** The memory of the linked run on screen: read again when the run's files change, while it can be seen. */
export class MemoryPanel implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly channel: Channel<typeof MemoryHost, typeof MemoryView>;
  private readonly buffer: VisibilityBuffer<'state', never>;
  private shown: MemorySnapshot | undefined;
  private wanted: string | undefined;
  private ready = false;
  private tellLoaded!: () => void;
  /** Resolves once the page has asked for what it shows. */
  readonly loaded = new Promise<void>((resolve) => (this.tellLoaded = resolve));

  constructor(readonly panel: vscode.WebviewPanel, private readonly parts: MemoryPanelParts) {
    this.buffer = this.owned.add(new VisibilityBuffer<'state', never>({ snapshot: () => void this.send(), stream: () => undefined }));
    this.owned.add(parts.run.onDidChange(() => this.buffer.invalidate('state')));
    panel.onDidChangeViewState(() => this.updateVisibility());
    panel.onDidDispose(() => this.dispose());
    this.channel = this.open();
  }

  /** Chooses the record that a push brought, or of a game file. */
  select(key: string): void {
    this.wanted = key;
    if (this.ready) this.channel.notify('select', { key });
  }

  dispose(): void {
    this.owned.dispose();
  }

  private open(): Channel<typeof MemoryHost, typeof MemoryView> {
    const { parts } = this;
    const nothing = async (work: PromiseLike<unknown>): Promise<null> => {
      await work;
      return null;
    };
    return openPage<typeof MemoryHost, typeof MemoryView>(this.panel.webview, { extension: parts.extension, bundle: 'memory', title: this.panel.title }, {
      local: MemoryHost, remote: MemoryView, onDefect: parts.onDefect,
      handlers: {
        requests: {
          ready: () => this.begin(),
          draw: ({ key, seed }) => this.draw(key, seed),
          find: ({ query }) => ({ keys: this.find(query) }),
          onRecord: ({ key, action }) => nothing(this.onRecord(key, action)),
          act: ({ action, line }) => nothing(this.act(action, line)),
          openDraw: ({ key, seed }) => nothing(parts.documents.show('What the designer reads.py', this.drawText(key, seed), 'python')),
          copyDraw: ({ key, seed }) => nothing(vscode.env.clipboard.writeText(this.drawText(key, seed))),
        },
        notes: {},
      },
    });
  }

  private async begin(): Promise<{ strings: Record<string, string>; state: MemorySnapshot['state'] }> {
    this.shown = await this.read();
    this.ready = true;
    this.tellLoaded();
    this.updateVisibility();
    const { wanted } = this;
    if (wanted !== undefined) setTimeout(() => this.channel.notify('select', { key: wanted }), 0);
    return { strings: translations(), state: this.shown.state };
  }

  private updateVisibility(): void {
    if (!this.panel.visible) this.ready = false;
    this.buffer.setVisible(this.panel.visible && this.ready);
  }

  private async send(): Promise<void> {
    try {
      this.shown = await this.read();
      this.channel.notify('state', this.shown.state);
    } catch (error) {
      this.parts.onDefect(error);
    }
  }

  private async read(): Promise<MemorySnapshot> {
    const { run, files, now } = this.parts;
    try {
      const inventory = await run.inventory();
      if (inventory) return await memorySnapshot(await run.memory(), inventory.steps, await files(), await run.settings(), now());
      return noRun(message('No training run is linked.'), message('Link the output folder of a run first.'));
    } catch (error) {
      if (error instanceof EnvwrightError) return noRun(error.what, error.next);
      throw error;
    }
  }

  private entry(key: string): MemoryEntry {
    const entries = this.shown?.file?.entries ?? [];
    const entry = entries[keysOf(entries).indexOf(key)];
    if (!entry) throw new EnvwrightError('memory/gone', message('This record is no longer in the memory.'), message('Choose another one.'));
    return entry;
  }

  private draw(key: string, seed: number | null): Draw {
    const draw = drawFor(this.shown?.file?.entries ?? [], key, seed);
    if (!draw) throw new EnvwrightError('memory/gone', message('This record is no longer in the memory.'), message('Choose another one.'));
    return draw;
  }

  private drawText(key: string, seed: number): string {
    return drawText(this.draw(key, seed), ({ use, name, says }) => `${use === 'seed' ? vscode.l10n.t('seed') : vscode.l10n.t('negative')} · ${name} · ${localize(says)}`);
  }

  private find(query: string): string[] {
    const entries = this.shown?.file?.entries ?? [];
    const wanted = query.toLowerCase();
    const keys = keysOf(entries);
    return entries.flatMap(({ gameFile, skill, snippet }, at) =>
      [gameFile, skill, snippet].some((text) => text?.toLowerCase().includes(wanted)) ? [keys[at]!] : []);
  }

  private async onRecord(key: string, action: RecordAction): Promise<void> {
    const entry = this.entry(key);
    switch (action) {
      case 'open': return this.openRecord(entry, true);
      case 'play': return this.openRecord(entry, false);
      case 'remove':
      case 'metadata': {
        const row = (await this.parts.tree.rows())[entry.index];
        if (action === 'metadata') return void (await this.parts.documents.show(`record-${entry.index}.json`, entry.source, 'json'));
        return vscode.commands.executeCommand(commandId('removeRecord'), { row });
      }
      case 'inFile': return vscode.commands.executeCommand(commandId('openMemoryFile'), this.lineOf(entry));
    }
  }

  /** Opens or plays the file of a record; the run deletes its games at a regeneration, then the copy of its step serves. */
  private async openRecord({ index, gameFile, snippet }: MemoryEntry, inEditor: boolean): Promise<void> {
    const path = gameFile === null ? undefined : await this.existing(gameFile);
    if (path !== undefined && inEditor) return void (await vscode.window.showTextDocument(vscode.Uri.file(path), { viewColumn: vscode.ViewColumn.Beside, preview: true }));
    if (path !== undefined) return vscode.commands.executeCommand(commandId('play'), vscode.Uri.file(path));
    if (inEditor) return void (await this.parts.documents.show(`record-${index}.py`, snippet ?? '', 'python'));
    throw new EnvwrightError('memory/no-file', message('The file of this record is gone: the run deletes its games at each regeneration.'), message('Open the record and save its text as a file to play it.'));
  }

  private async existing(gameFile: string): Promise<string | undefined> {
    const files = await this.parts.files();
    if ((await files.stat(gameFile))?.folder === false) return gameFile;
    return (await this.parts.run.inventory())?.games.find(({ file }) => baseName(file) === baseName(gameFile))?.file;
  }

  /** The line of the file where a record begins, from 1. */
  private lineOf({ source }: MemoryEntry): number {
    const text = this.shown?.text ?? '';
    return text.slice(0, Math.max(0, text.indexOf(source))).split('\n').length;
  }

  private async act(action: MemoryAction, line: number | null): Promise<void> {
    switch (action) {
      case 'openFile': return vscode.commands.executeCommand(commandId('openMemoryFile'), line ?? 1);
      case 'openBackup': {
        const backup = await (await this.parts.run.memory()).store.newestBackup();
        if (backup === null) throw new EnvwrightError('memory/no-backup', message('There is no backup of this memory.'), message('Mend the file by hand.'));
        return void (await vscode.window.showTextDocument(vscode.Uri.file(backup), { preview: true }));
      }
      case 'refresh': return this.parts.run.refresh();
      case 'push': return vscode.commands.executeCommand(commandId('push'));
      case 'linkRun': return vscode.commands.executeCommand(commandId('linkRun'));
      case 'log': return vscode.commands.executeCommand(commandId('showLog'));
    }
  }
}

/** The view without a run. */
function noRun(what: ReturnType<typeof message>, next: ReturnType<typeof message>): MemorySnapshot {
  const pace = { rollout: null, interval: null, records: 1, prompts: 1, share: 1, assumed: true };
  const state = memoryState({
    run: null, path: '', file: null, liveness: null, pace, notUsed: null, age: null, unreadable: { what, next, line: null, backup: false },
  });
  return { state: { ...state, facts: [] }, file: null, text: '' };
}
