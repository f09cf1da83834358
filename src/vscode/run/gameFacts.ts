import * as vscode from 'vscode';
import { DisposableStore, Emitter, type Disposable } from '../../core/lifecycle';
import { figuresOfMemory, gameKey, type GameFigures } from '../../core/run/browse';
import type { Verdict } from '../../shared/findings';
import { verdictIcon, verdictText } from '../checks/codeLens';
import type { CheckStore } from '../checks/checkStore';
import type { PlayResults } from '../play/playResults';
import type { LinkedRun } from './linkedRun';
import { figuresOfPlays } from './pushFigures';

/** What becomes known within this is told together, in milliseconds. */
const SETTLE_MS = 300;

/** The last judgement of a game in this window. */
export interface GameVerdict {
  readonly verdict: Verdict;
  readonly words: string;
  /** Name of a product icon. */
  readonly icon: string;
}

/**
 * What is known of the games of a run: verdicts and plays of this window, which outlive the editors that they were made in, and the
 * figures of the run's own plays as its memory holds them.
 */
export class GameFactsSource implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<void>());
  /** A game was judged or played. */
  readonly onDidChange = this.changes.event;
  readonly verdicts = new Map<string, GameVerdict>();
  private readonly played = new Map<string, GameFigures>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly run: LinkedRun, private readonly store: CheckStore, private readonly results: PlayResults) {
    this.owned.add(store.onDidChange((uri) => this.judged(uri)));
    this.owned.add(results.onDidChange((uri) => this.playedNow(vscode.Uri.parse(uri))));
  }

  /** Win rate and regret by game: of plays in this window, else as the memory has them. A memory that cannot be read tells nothing here. */
  async figures(): Promise<ReadonlyMap<string, GameFigures>> {
    return new Map([...(await this.ofMemory()), ...this.played]);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.owned.dispose();
  }

  private async ofMemory(): Promise<ReadonlyMap<string, GameFigures>> {
    const { readMemory } = await import('../../core/memory/readMemory');
    try {
      return figuresOfMemory(readMemory((await (await this.run.memory()).store.read()) ?? '[]').entries);
    } catch {
      // The memory view says what is wrong with the file.
      return new Map();
    }
  }

  private judged(uri: vscode.Uri): void {
    const checked = this.store.get(uri);
    if (!checked) return;
    this.verdicts.set(gameKey(uri.fsPath), { verdict: checked.report.verdict, words: verdictText(checked), icon: verdictIcon(checked).slice(2, -1) });
    this.tell();
  }

  private playedNow(uri: vscode.Uri): void {
    const document = vscode.workspace.textDocuments.find((other) => other.uri.toString() === uri.toString());
    const report = document && this.results.of(uri.toString(), document.getText());
    const figures = report && figuresOfPlays(report);
    if (!figures) return;
    this.played.set(gameKey(uri.fsPath), { winRate: figures.winRate, regret: report.arms.hint ? figures.regret : null, plays: figures.provenance.plays ?? null });
    this.tell();
  }

  private tell(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.changes.fire();
    }, SETTLE_MS);
  }
}
