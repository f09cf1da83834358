/** Characters of a running text that stay on screen; the whole text shows when the step ends. */
const LIMIT = 8000;

/** What is to be done on screen for a text that has grown: put `text` at its end, or in place of all that is shown. */
export interface Growth {
  readonly all: boolean;
  readonly text: string;
}

/** Follows a text that grows at its end. Older text beyond the limit leaves the page, so that a frame's work stays small. */
export class RunningText {
  private seen = 0;
  private shown = 0;

  /** What has come since the last time; null when nothing has. */
  grown(text: string): Growth | null {
    if (text.length <= this.seen) return null;
    const fresh = text.slice(this.seen);
    this.seen = text.length;
    if (this.shown + fresh.length <= LIMIT) {
      this.shown += fresh.length;
      return { all: false, text: fresh };
    }
    // Half of a pair is no character.
    const kept = text.slice(-LIMIT / 2).replace(/^[\udc00-\udfff]/, '');
    this.shown = kept.length;
    return { all: true, text: `…${kept}` };
  }
}
