import { Channel, type Contract, type Handlers } from '../../src/shared/webviewChannel';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** The page's end of the conversation, and what it may keep across reloads. */
export interface Host<Remote extends Contract, Local extends Contract> {
  readonly channel: Channel<Local, Remote>;
  load(): unknown;
  save(state: unknown): void;
}

/** Connects the page to its host; may be called once a page. */
export function connect<Remote extends Contract, Local extends Contract>(remote: Remote, local: Local, handlers: Handlers<Local>): Host<Remote, Local> {
  const api = acquireVsCodeApi();
  const channel = new Channel(local, remote, handlers, {
    post: (envelope) => api.postMessage(envelope),
    onDefect: (error) => console.error(error),
  });
  window.addEventListener('message', (event: MessageEvent<unknown>) => channel.receive(event.data));
  return { channel, load: () => api.getState(), save: (state) => api.setState(state) };
}
