/** One event of a streamed reply, or the error that came in place of one. */
export type StreamEvent = { readonly chunk: object } | { readonly error: object };

/**
 * Reads a stream of server-sent events as servers and gateways really send it: with keep-alive comments, re-wrapped
 * comments, JSON over several lines, errors in shapes of their own and lines of no meaning. Each piece is parsed once.
 */
export class EventStreamReader {
  private rest = '';
  private event = '';
  private pending: string[] = [];
  private skipped = 0;
  private sawDone = false;
  private found: StreamEvent[] = [];
  private readonly decoder = new TextDecoder();

  /** True once the server said `[DONE]`; what comes after it is no part of the reply. */
  get done(): boolean {
    return this.sawDone;
  }

  /** What was odd in the stream, for the person who looks at the reply. */
  get warnings(): string[] {
    if (this.skipped === 0) return [];
    return [this.skipped === 1 ? 'one non-JSON data line skipped' : `${this.skipped} non-JSON data lines skipped`];
  }

  /** Takes bytes as they arrive, cut anywhere; gives the events that are complete now. */
  push(bytes: Uint8Array): StreamEvent[] {
    this.lines(this.decoder.decode(bytes, { stream: true }), false);
    return this.taken();
  }

  /** The stream is over: gives what was still held back. */
  end(): StreamEvent[] {
    this.lines(this.decoder.decode(), true);
    this.flush();
    return this.taken();
  }

  private taken(): StreamEvent[] {
    const { found } = this;
    this.found = [];
    return found;
  }

  private lines(text: string, last: boolean): void {
    const all = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = last ? '' : (all.pop() ?? '');
    for (const line of all) this.line(line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  private line(line: string): void {
    if (line === '') return this.flush();
    if (line.startsWith(':')) return;
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.event = value;
    else if (field === 'data') this.data(value);
    else if (field === 'error') this.fail(parse(value) ?? value);
  }

  private data(value: string): void {
    if (value.trim() === '[DONE]') {
      this.flush();
      this.sawDone = true;
      return;
    }
    const whole = this.pending.length === 0 ? parse(value) : undefined;
    if (whole !== undefined) return this.take(whole);
    this.pending.push(value);
    const joined = parse(this.pending.join('\n'));
    if (joined === undefined) return;
    this.pending = [];
    this.take(joined);
  }

  private take(value: unknown): void {
    const error = errorIn(value, this.event);
    this.event = '';
    if (error !== undefined) this.fail(error);
    else if (typeof value !== 'object' || value === null) this.skipped += 1;
    else if (!this.sawDone) this.found.push({ chunk: value });
  }

  private fail(error: unknown): void {
    if (!this.sawDone) this.found.push({ error: typeof error === 'object' && error !== null ? error : { message: String(error) } });
  }

  /** A blank line ends an event: what is still pending is no JSON; its single lines may be. */
  private flush(): void {
    const lines = this.pending;
    this.pending = [];
    for (const line of lines) {
      const value = parse(line);
      if (value === undefined) this.skipped += 1;
      else this.take(value);
    }
    this.event = '';
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
