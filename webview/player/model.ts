import type { ArmName } from '../../src/shared/play';
import type { HumanMove, OpenTarget, PairCompare, PlayerState, PlaySettings, StepRef, TextPart, TranscriptPair } from '../../src/shared/webviewProtocol';
import type { StatusGroup } from './statusGroup';

/** What the user has set in the view; kept across hiding and reload. */
export interface UiState {
  readonly order: 'seed' | 'gap';
  /** Selected cell of each arm; in paired mode both the same. */
  readonly slots: TranscriptPair['slots'];
  /** Set when both columns show one arm; then the columns go on being called after the arms. */
  readonly compare: PairCompare | null;
  readonly step: { readonly arm: ArmName; readonly step: number } | null;
  /** Steps that are the same in both columns stand in one row. */
  readonly fold: boolean;
  readonly filter: StatusGroup | null;
  /** Bin of seeds that is open, when there are too many for a column each. */
  readonly bin: number | null;
  /** Both columns scroll together. */
  readonly lock: boolean;
  /** The arm shown where only one fits. */
  readonly arm: ArmName;
  readonly editHint: boolean;
  readonly query: string | null;
}

/** Everything the views draw from. `settings` may be ahead of the host's while the user edits. */
export interface Model {
  readonly state: PlayerState;
  readonly settings: PlaySettings;
  readonly pair: TranscriptPair | null;
  readonly ui: UiState;
  /** Grows when the user goes to a step, which then is scrolled to; a step chosen for the user moves nothing. */
  readonly visits: number;
}

/** What the views can ask for. */
export interface Actions {
  change(settings: Partial<PlaySettings>): void;
  ui(patch: Partial<UiState>): void;
  select(slots: TranscriptPair['slots'], compare?: PairCompare | null): void;
  selectStep(arm: ArmName, step: number): void;
  moveSlot(by: number): void;
  moveStep(by: number): void;
  start(settings?: Partial<PlaySettings>): void;
  stop(): void;
  stopOne(arm: ArmName): void;
  retry(): void;
  resume(): void;
  extend(pairs: number): void;
  humanMove(move: HumanMove): Promise<boolean>;
  replayAll(): void;
  endComparison(back: boolean): void;
  writeHint(): void;
  open(target: OpenTarget, line?: number): void;
  openText(step: StepRef, part: TextPart): void;
  copyText(step: StepRef, part: TextPart): void;
  onStep(action: 'replay' | 'takeOver' | 'debug', step: StepRef): void;
}

/** A part of the panel. */
export interface View {
  readonly element: HTMLElement;
  update(model: Model): void;
}

/** Where nothing has been chosen yet. */
export const initialUi: UiState = {
  order: 'seed', slots: { hint: null, noHint: null }, compare: null, step: null, fold: true, lock: true, filter: null, bin: null, arm: 'hint', editHint: false, query: null,
};

/** The step on which the inspector stands, with its episode; null when there is none. */
export function selectedStep({ ui }: Model): StepRef | null {
  const source = ui.step && sourceOf(ui, ui.step.arm);
  return ui.step && source ? { ...source, step: ui.step.step } : null;
}

/** The episode in a column; null when it is empty. */
export function sourceOf({ slots, compare }: Pick<UiState, 'slots' | 'compare'>, column: ArmName): Omit<StepRef, 'step'> | null {
  const other = compare?.other === true && column === 'hint';
  const slot = slots[column];
  return slot === null ? null : { arm: compare?.arm ?? column, slot, ...(other && { other }) };
}
