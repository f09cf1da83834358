import type { Socket } from 'node:net';
import type { SessionEnd } from '../../../core/ports';
import type { Channel, ChannelListener } from '../channel';
import { encodeFrame, FrameDecoder } from '../frames';

/** A session's connection to its process. The end is told by the zygote, which knows how the process died. */
export class SocketChannel implements Channel {
  private readonly decoder = new FrameDecoder();
  private readonly early: unknown[] = [];
  private listener: ChannelListener | null = null;
  private ended: SessionEnd | null = null;

  constructor(private readonly socket: Socket, private readonly killProcess: () => void) {
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('error', () => socket.destroy());
  }

  listen(listener: ChannelListener): void {
    this.listener = listener;
    for (const value of this.early.splice(0)) listener.frame(value);
    if (this.ended) listener.end(this.ended);
  }

  send(request: object, lookUs: number): void {
    if (!this.socket.destroyed) this.socket.write(encodeFrame(lookUs > 0 ? { ...request, lookUs } : request));
  }

  kill(): void {
    this.killProcess();
  }

  /** The process is gone; what it had sent before has been read when the socket has closed. */
  finish(end: SessionEnd): void {
    if (this.ended) return;
    const tell = (): void => {
      this.ended = end;
      this.listener?.end(end);
    };
    if (this.socket.closed) tell();
    else {
      this.socket.once('close', tell);
      this.socket.end();
    }
  }

  private receive(chunk: Buffer): void {
    let values: unknown[];
    try {
      values = this.decoder.push(chunk);
    } catch {
      values = [null];
    }
    for (const value of values) {
      if (this.listener) this.listener.frame(value);
      else this.early.push(value);
    }
  }
}
