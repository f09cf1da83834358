import type * as vscode from 'vscode';
import type { Clock } from '../../core/ports';
import type { CheckStore } from '../checks/checkStore';
import type { Interaction } from '../interaction';
import type { EditorLog } from '../log';
import type { ModelSource } from '../models/modelSource';
import type { ErrorPresenter } from '../presentError';
import type { SandboxSource } from '../sandboxSource';
import type { AgentContext } from './agentContext';
import type { Hints } from './hints';
import type { LinesInEditor } from './linesInEditor';
import type { PlayResults } from './playResults';
import type { PlaySessions } from './sessions';
import type { PlayWeights } from './weights';

/** What the players of all files share. */
export interface PlayerParts {
  readonly sandbox: SandboxSource;
  readonly models: ModelSource;
  readonly store: CheckStore;
  readonly results: PlayResults;
  readonly hints: Hints;
  readonly sessions: PlaySessions;
  readonly lines: LinesInEditor;
  readonly weights: PlayWeights;
  readonly context: AgentContext;
  readonly interaction: Interaction;
  readonly extension: vscode.Uri;
  readonly errors: ErrorPresenter;
  readonly log: EditorLog;
  readonly clock: Clock;
  /** Has the model write a hint for a document, keeps it, and gives its text. */
  readonly writeHint: (document: vscode.TextDocument) => Promise<string>;
}
