import type { Draft } from '../../core/design/designer';
import { Emitter, type Disposable } from '../../core/lifecycle';

/** A draft of this window, with the document that it was written into. */
export interface KeptDraft {
  readonly id: number;
  /** Address of the untitled document. */
  readonly uri: string;
  readonly draft: Draft;
}

/** The drafts of this window, the latest first. */
export class Drafts implements Disposable {
  private kept: readonly KeptDraft[] = [];
  private next = 1;
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;

  get all(): readonly KeptDraft[] {
    return this.kept;
  }

  add(uri: string, draft: Draft): KeptDraft {
    const kept = { id: this.next++, uri, draft };
    this.kept = [kept, ...this.kept];
    this.changes.fire();
    return kept;
  }

  discard(id: number): void {
    this.kept = this.kept.filter((draft) => draft.id !== id);
    this.changes.fire();
  }

  /** The draft that became this text, also after it was saved under a name; undefined when the text was edited since. */
  of(text: string): Draft | undefined {
    return this.kept.find(({ draft }) => draft.code.trim() === text.trim())?.draft;
  }

  dispose(): void {
    this.changes.dispose();
  }
}
