import * as vscode from 'vscode';

/**
 * The editor gathers the changes of a view for 200 ms, draws them, and then gives the view the focus once more if it had it: a list to
 * pick from that was opened in between is closed by that, and the keys meant for it go to the view.
 */
const GATHERED_MS = 250;
/** Messages to the window and back at the most, until a view that is asked for its rows again and again is left alone. */
const MOST_ROUNDS = 20;

const views = new Set<StillView>();
let questions = 0;

/** A view that holds its changes back while a question is open. */
export class StillView {
  private changedAt = -Infinity;
  private isStale = false;
  private asked = 0;
  private answering: Promise<unknown> = Promise.resolve();

  /** @param draw has the editor ask for the rows again. */
  constructor(private readonly draw: () => void) {
    views.add(this);
  }

  /** The rows have changed. */
  changed(): void {
    if (questions > 0) {
      this.isStale = true;
      return;
    }
    this.isStale = false;
    this.changedAt = performance.now();
    this.draw();
  }

  /** The editor asks for rows, and this answers. */
  answered<T>(rows: Promise<T>): Promise<T> {
    this.asked += 1;
    this.answering = Promise.allSettled([this.answering, rows]).then(() => undefined);
    return rows;
  }

  /** Resolves once the window shows all that has changed. */
  async drawn(): Promise<void> {
    if (this.asked === 0) return;
    const rest = this.changedAt + GATHERED_MS - performance.now();
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    for (let [round, seen] = [0, -1]; seen !== this.asked && round < MOST_ROUNDS; round += 1) {
      seen = this.asked;
      await this.answering;
      // What the window is asked last it answers last: it has drawn what it was told before.
      await vscode.commands.executeCommand('setContext', 'envwright.drawn', round);
    }
  }

  /** Draws what was held back. */
  catchUp(): void {
    if (this.isStale) this.changed();
  }

  dispose(): void {
    views.delete(this);
  }
}

/** Asks something while all views stay as they are: what has changed before is drawn first, and what changes meanwhile is drawn after. */
export async function undisturbed<T>(ask: () => Promise<T>): Promise<T> {
  questions += 1;
  try {
    await Promise.all([...views].map((view) => view.drawn()));
    return await ask();
  } finally {
    questions -= 1;
    if (questions === 0) for (const view of views) view.catchUp();
  }
}
