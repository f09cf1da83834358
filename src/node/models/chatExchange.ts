import { APIError } from 'openai';
import { EventStreamReader, type StreamEvent } from '../../core/models/eventStream';
import { ModelError } from '../../core/models/errors';
import { message } from '../../shared/message';
import { webPage } from './failures';
import { ownSignal, type OwnSignal } from './ownSignal';
import type { Answer, SentRequest, Transport } from './transport';

/**
 * One request for a reply and the stream that answers it, read once as it comes: junk is dropped, one JSON document becomes
 * one event, a page that is no API is refused, and a server that stops sending is not waited for.
 */
export class ChatExchange {
  readonly reader = new EventStreamReader();
  private silence: ModelError | null = null;
  private readonly own: OwnSignal;
  private answer: Answer | null = null;
  private over = false;
  private timer: NodeJS.Timeout | null = null;
  private awaits = false;

  /** @param signal cancels; `idleMs` is the longest silence of the server. */
  constructor(private readonly transport: Transport, private readonly idleMs: number, signal: AbortSignal) {
    this.own = ownSignal(signal);
  }

  /** Sends the request and waits for the head of its answer. @throws APIError when the server refuses, ModelError for a web page. */
  async open(request: SentRequest): Promise<void> {
    const answer = await this.inTime(this.transport(request, this.own.signal));
    if (!answer.ok) throw await this.inTime(refusal(answer.response()));
    if (answer.type.includes('text/html')) throw webPage();
    this.answer = answer;
  }

  /** The events that the next piece of the body completes; null when it has ended. Rejects when it broke off. */
  async next(): Promise<StreamEvent[] | null> {
    if (this.over || !this.answer) return null;
    if (this.answer.type.includes('application/json')) return this.reader.push(asEvent(await this.document(this.answer)));
    const piece = await this.inTime(this.answer.next());
    if (piece) return this.reader.push(piece);
    this.over = true;
    return this.reader.end();
  }

  /** Lets go of the request; one that is not `whole` is ended early, and its connection closed. */
  end(whole: boolean): void {
    if (this.timer) clearTimeout(this.timer);
    this.own.end(whole);
  }

  /** A server that ignores `stream` answers with one document. */
  private async document(answer: Answer): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for (let piece = await this.inTime(answer.next()); piece; piece = await this.inTime(answer.next())) text += decoder.decode(piece, { stream: true });
    this.over = true;
    return text + decoder.decode();
  }

  /** Waits for the server. One timer serves the whole exchange: a silence counts only while something is waited for. */
  private async inTime<T>(work: Promise<T>): Promise<T> {
    this.awaits = true;
    if (this.timer) this.timer.refresh();
    else this.timer = setTimeout(() => this.silent(), this.idleMs);
    try {
      return await work;
    } catch (error) {
      throw this.silence ?? error;
    } finally {
      this.awaits = false;
    }
  }

  private silent(): void {
    if (!this.awaits) return;
    this.silence = new ModelError('timeout', message('The endpoint sent nothing for {seconds} s.', { seconds: Math.round(this.idleMs / 100) / 10 }),
      message('Look whether the server still works. For a slow one raise envwright.model.timeout, on the command line --model-timeout.'));
    this.own.end(false);
  }
}

/** What the SDK would throw for an answer that is none. */
async function refusal(response: Response): Promise<APIError> {
  const text = await response.text();
  let body: object | undefined;
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null) body = json;
  } catch {
    // The words of a gateway that speaks no JSON are its message.
  }
  return APIError.generate(response.status, body, body ? undefined : text, response.headers);
}

/** A document as the one event of a stream. */
function asEvent(text: string): Uint8Array {
  return new TextEncoder().encode(`data: ${text.replace(/\s*[\r\n]+\s*/g, ' ')}\n\n`);
}
