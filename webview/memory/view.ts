import type { Draw, MemoryAction, MemoryRowView, MemoryState, RecordAction } from '../../src/shared/webviewMemory';
import type { Gone, Ui } from './model';

/** Everything a part of the view draws from. */
export interface Model {
  readonly state: MemoryState;
  readonly ui: Ui;
  /** Keys that the query found, null without a query. */
  readonly found: ReadonlySet<string> | null;
  readonly rows: readonly MemoryRowView[];
  /** The chosen record; also when it has left the memory: then `gone` is set. */
  readonly chosen: MemoryRowView | null;
  readonly gone: Gone | null;
  readonly draw: Draw | null;
  /** Records that came with the last save. */
  readonly fresh: ReadonlySet<string>;
}

/** A part of the view, which draws itself from the model. */
export interface View {
  readonly element: HTMLElement;
  update(model: Model): void;
}

/** What a part of the view can ask for. */
export interface Actions {
  set(ui: Partial<Ui>): void;
  select(key: string): void;
  move(by: number): void;
  onRecord(action: RecordAction): void;
  act(action: MemoryAction, line?: number | null): void;
  draw(seed: number | null): void;
  openDraw(): void;
  copyDraw(): void;
}
