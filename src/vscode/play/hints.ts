import { Emitter } from '../../core/lifecycle';

/** A hint of a file and who wrote it. */
export interface Hint {
  readonly text: string;
  /** Written by the offline samples: no model took part. */
  readonly simulated: boolean;
}

/** The hints of the files in this window, the latest first. */
export class Hints {
  private readonly hints = new Map<string, readonly Hint[]>();
  private readonly changes = new Emitter<string>();
  readonly onDidChange = this.changes.event;

  of(uri: string): readonly Hint[] {
    return this.hints.get(uri) ?? [];
  }

  add(uri: string, hint: Hint): void {
    this.hints.set(uri, [hint, ...this.of(uri).filter(({ text }) => text !== hint.text)]);
    this.changes.fire(uri);
  }

  dispose(): void {
    this.changes.dispose();
  }
}
