import { Emitter } from '../../core/lifecycle';
import type { Move, Turn } from '../../core/play/policy';
import { toolForms } from '../../core/play/toolForms';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import type { HumanMove, HumanTurn } from '../../shared/webviewProtocol';

/** Where a person sits who plays: holds the turn that waits for them, one at a time. */
export class HumanSeat {
  private open: { readonly turn: Omit<HumanTurn, 'slot'> & { readonly seed: number | null; readonly play: number }; readonly answer: (move: Move | null) => void } | null = null;
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;

  /** The turn that waits; the place is named by instance and play. */
  get turn(): (Omit<HumanTurn, 'slot'> & { readonly seed: number | null; readonly play: number }) | null {
    return this.open?.turn ?? null;
  }

  /** Waits for the person's move; null ends the episode. Rejects when the plays are stopped. */
  readonly ask = (turn: Turn, signal: AbortSignal): Promise<Move | null> => {
    const { arm, seed, play, toolUse, tools } = turn.setting;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.set(null);
        reject(new DOMException('Stopped.', 'AbortError'));
      };
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      const answer = (move: Move | null): void => {
        signal.removeEventListener('abort', stop);
        this.set(null);
        resolve(move);
      };
      this.set({ turn: { arm, seed, play, step: turn.past.length + 1, toolUse, tools: toolForms(tools) }, answer });
    });
  };

  /** The person moves. @throws EnvwrightError `play/no-turn` when nobody waits for it. */
  move(move: HumanMove): void {
    if (!this.open) throw new EnvwrightError('play/no-turn', message('It is not your turn.'), message('Wait for the environment’s answer, or play again.'));
    const step = this.open.turn.step;
    if (move.kind === 'end') this.open.answer(null);
    else if (move.kind === 'reply') this.open.answer({ reply: move.text });
    else this.open.answer({ reply: '', calls: [{ id: `call_${step}`, name: move.name, arguments: move.arguments }] });
  }

  dispose(): void {
    this.changes.dispose();
  }

  private set(open: HumanSeat['open']): void {
    this.open = open;
    this.changes.fire();
  }
}
