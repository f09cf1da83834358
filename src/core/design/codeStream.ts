const OPEN = '```python\n';
const CLOSE = '\n```';

/**
 * The code of a reply while it streams: what stands in its first block marked `python`. A fence that may be beginning is
 * held back. The run reads replies the same way once they are whole; a reply without a block gives nothing here.
 */
export class CodeStream {
  private text = '';
  private at = -1;
  private over = false;

  /** Takes text of the reply; gives code that is certain now. */
  push(piece: string): string {
    if (this.over) return '';
    this.text += piece;
    if (this.at < 0) {
      const open = this.text.indexOf(OPEN);
      if (open < 0) return '';
      this.at = open + OPEN.length;
    }
    const close = this.text.indexOf(CLOSE, this.at);
    this.over = close >= 0;
    const end = close >= 0 ? close : this.text.length - heldBack(this.text);
    const code = this.text.slice(this.at, Math.max(this.at, end));
    this.at = Math.max(this.at, end);
    return code;
  }
}

function heldBack(text: string): number {
  for (let length = CLOSE.length; length > 0; length -= 1) if (text.endsWith(CLOSE.slice(0, length))) return length;
  return 0;
}
