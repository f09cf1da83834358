import type * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle';
import type { FileReport } from '../shared/findings';
import type { PlayReport } from '../shared/play';
import type { PlaySettings } from '../shared/webviewProtocol';
import type { Interaction } from './interaction';
import type { LogLine } from './log';
import type { FilePlayer } from './play/filePlayer';
import type { LinesInEditor } from './play/linesInEditor';
import type { RunFeature } from './run/feature';
import type { CheckTests } from './tests/feature';
import type { ReviewFeature } from './review/feature';
import type { DraftsTree } from './trees/draftsTree';
import type { MemoryRow } from './trees/memoryTree';

/** What the extension gives to other extensions, and to its tests. */
export interface EnvwrightApi {
  /** Time that activation took, in milliseconds. */
  readonly activationMs: number;
  /** Resolves with the judgement of the document's present version, as soon as there is one that saw enough. */
  whenChecked(uri: vscode.Uri, options: { readonly probed: boolean }): Promise<FileReport>;
  /** Plays a file in the sandbox and gives the report; the player shows it as it goes. */
  play(uri: vscode.Uri, settings?: PlaySettings): Promise<PlayReport>;
  /** The records of the linked run's memory with their standing, oldest first. */
  memoryRows(): Promise<readonly MemoryRow[]>;
  /** Lines of the log, redacted. */
  onDidLog(listener: (line: LogLine) => void): Disposable;
  /** The test view; only where the extension is tested. */
  readonly tests?: CheckTests;
  /** The player of a file; only where the extension is tested. */
  readonly player?: (uri: vscode.Uri) => FilePlayer;
  /** Brings a player back as after a reload of the window; only where the extension is tested. */
  readonly restorePlayer?: (panel: vscode.WebviewPanel, state: unknown) => Promise<void>;
  /** Brings the panel of the prompt back as after a reload of the window; only where the extension is tested. */
  readonly restorePrompt?: (panel: vscode.WebviewPanel, state: unknown) => Promise<void>;
  /** The view of drafts; only where the extension is tested. */
  readonly drafts?: DraftsTree;
  /** The lines that are marked in a file's editors; only where the extension is tested. */
  readonly marked?: (uri: vscode.Uri) => ReturnType<LinesInEditor['marked']>;
  /** The views of the linked run; only where the extension is tested. */
  readonly runs?: RunFeature;
  /** What is under review, and the notes; only where the extension is tested. */
  readonly review?: ReviewFeature;
  /** Answers for the person in front of the editor; only where the extension is tested. */
  readonly answer?: (substitute: Partial<Interaction>) => Disposable;
}
