import type { PushAction, PushState } from '../../src/shared/webviewPush';

/** A part of the panel, which draws itself from the state. */
export interface View {
  readonly element: HTMLElement;
  update(state: PushState): void;
}

/** What a part of the panel can ask for. */
export interface Actions {
  push(): void;
  undo(id: string | null): void;
  again(id: string): void;
  close(): void;
  act(action: PushAction): void;
  copyRecord(): void;
  openReading(): void;
}

/** A time of today, or a day with its time. */
export function timeOf(ms: number, now = new Date()): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return date.toDateString() === now.toDateString() ? clock : `${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock.slice(0, 5)}`;
}
