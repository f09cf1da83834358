/**
 * Cleans a stream of server-sent events before a strict parser reads it. Servers and gateways put keep-alive comments,
 * re-wrapped comments, errors in shapes of their own and lines of no meaning into it; what leaves here is one
 * `data: <JSON>` a line with a blank line after it, and `data: [DONE]`.
 */
export class EventStreamCleaner {
  private rest = '';
  private event = '';
  private pending: string[] = [];
  private skipped = 0;
  private sawDone = false;
  private readonly decoder = new TextDecoder();

  /** True once the server said `[DONE]`. */
  get done(): boolean {
    return this.sawDone;
  }

  /** What was odd in the stream, for the person who looks at the reply. */
  get warnings(): string[] {
    if (this.skipped === 0) return [];
    return [this.skipped === 1 ? 'one non-JSON data line skipped' : `${this.skipped} non-JSON data lines skipped`];
  }

  /** Takes bytes as they arrive, cut anywhere; gives the clean events that are complete now. */
  push(bytes: Uint8Array): string {
    return this.lines(this.decoder.decode(bytes, { stream: true }), false);
  }

  /** The stream is over: gives what was still held back. */
  end(): string {
    return this.lines(this.decoder.decode(), true) + this.flush();
  }

  private lines(text: string, last: boolean): string {
    const all = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = last ? '' : (all.pop() ?? '');
    return all.map((line) => this.line(line.endsWith('\r') ? line.slice(0, -1) : line)).join('');
  }

  private line(line: string): string {
    if (line === '') return this.flush();
    if (line.startsWith(':')) return '';
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.event = value;
    else if (field === 'data') return this.data(value);
    else if (field === 'error') return asErrorEvent(parse(value) ?? value);
    return '';
  }

  private data(value: string): string {
    if (value.trim() === '[DONE]') {
      this.sawDone = true;
      return `${this.flush()}data: [DONE]\n\n`;
    }
    const whole = this.pending.length === 0 ? parse(value) : undefined;
    if (whole !== undefined) return this.emit(whole);
    this.pending.push(value);
    const joined = parse(this.pending.join('\n'));
    if (joined === undefined) return '';
    this.pending = [];
    return this.emit(joined);
  }

  private emit(value: unknown): string {
    const error = errorIn(value, this.event);
    this.event = '';
    if (error !== undefined) return asErrorEvent(error);
    if (typeof value === 'object' && value !== null) return `data: ${JSON.stringify(value)}\n\n`;
    this.skipped += 1;
    return '';
  }

  /** A blank line ends an event: what is still pending is no JSON; its single lines may be. */
  private flush(): string {
    const lines = this.pending;
    this.pending = [];
    const out = lines.map((line) => {
      const value = parse(line);
      if (value !== undefined) return this.emit(value);
      this.skipped += 1;
      return '';
    });
    this.event = '';
    return out.join('');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error that an event carries in any of the shapes in use, undefined when it carries none. */
function errorIn(value: unknown, event: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const record = value as Record<string, unknown>;
  if (record['error']) return record['error'];
  if (record['object'] === 'error' || event === 'error') return value;
  return undefined;
}

function asErrorEvent(error: unknown): string {
  const shaped = typeof error === 'object' && error !== null ? error : { message: String(error) };
  return `data: ${JSON.stringify({ error: shaped })}\n\n`;
}
