import type { ArmName } from '../../src/shared/play';
import type { OpenTarget, PlayerState, PlaySettings, StepRef, TextPart, TranscriptPair } from '../../src/shared/webviewProtocol';
import type { StatusGroup } from './statusGroup';

/** What the user has set in the view; kept across hiding and reload. */
export interface UiState {
  readonly order: 'seed' | 'gap';
  /** Selected cell of each arm; in paired mode both the same. */
  readonly slots: TranscriptPair['slots'];
  readonly step: { readonly arm: ArmName; readonly step: number } | null;
  readonly filter: StatusGroup | null;
  /** Bin of seeds that is open, when there are too many for a column each. */
  readonly bin: number | null;
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
  select(slots: TranscriptPair['slots']): void;
  selectStep(arm: ArmName, step: number): void;
  moveSlot(by: number): void;
  moveStep(by: number): void;
  start(settings?: Partial<PlaySettings>): void;
  stop(): void;
  stopOne(arm: ArmName): void;
  retry(): void;
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
  order: 'seed', slots: { hint: null, noHint: null }, step: null, filter: null, bin: null, arm: 'hint', editHint: false, query: null,
};

/** The step on which the inspector stands, with its episode; null when there is none. */
export function selectedStep({ ui }: Model): StepRef | null {
  const slot = ui.step ? ui.slots[ui.step.arm] : null;
  return ui.step && slot !== null ? { arm: ui.step.arm, slot, step: ui.step.step } : null;
}
