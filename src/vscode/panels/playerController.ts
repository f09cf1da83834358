import type { Disposable } from '../../core/lifecycle';
import type { ArmName } from '../../shared/play';
import type {
  EpisodeRef, HumanMove, Inspection, OpenTarget, PairCompare, PlayerState, PlaySettings, StepRef, StreamItem, TextPart, TranscriptPair,
} from '../../shared/webviewProtocol';

/** Subscribes to something that happens; disposing of the result unsubscribes. */
export type Listen<T> = (listener: (event: T) => void) => Disposable;

/**
 * What the player's panel needs of the rest of the extension: one controller an environment file. The panel asks for
 * snapshots when it can show them, so a change is only announced; streams are sent for whoever watches.
 */
export interface PlayerController extends Disposable {
  /** Something in {@link PlayerController.state} changed. */
  readonly onDidChange: Listen<void>;
  /** Text and steps of any running episode, as they come. */
  readonly onDidStream: Listen<StreamItem>;
  /** An episode's transcript changed as a whole: it began, ended or was replaced. */
  readonly onDidReplace: Listen<{ readonly arm: ArmName; readonly slot: number }>;
  /** A snapshot of everything but transcripts. */
  state(): PlayerState;
  /** The transcripts of two cells of the strip, and where they part; with `compare`, two of one arm. */
  pair(slots: TranscriptPair['slots'], compare: PairCompare | null): TranscriptPair;
  /** One whole text, uncut; undefined when there is none. */
  text(step: StepRef, part: TextPart): string | undefined;
  /** The user changed the settings without starting. */
  configure(settings: PlaySettings): void;
  /** Starts the plays; resolves once they run, rejects with an `EnvwrightError` when they cannot. */
  start(settings: PlaySettings): Promise<void>;
  /** Ends all plays or one; they end as `cancelled`. */
  stop(episode: EpisodeRef | null): void;
  /** Plays the failed episodes again. */
  retry(): Promise<void>;
  /** Plays what was not played to an end. */
  resume(): Promise<void>;
  /** Plays further seeds. */
  extend(pairs: number): Promise<void>;
  humanMove(move: HumanMove): Promise<void>;
  /** Plays all saved actions on the file as it is now. */
  replayAll(): Promise<void>;
  endComparison(back: boolean): Promise<void>;
  /** Puts a saved session on screen. */
  openSession(id: string): Promise<void>;
  /** Has the model write a hint from the code. */
  writeHint(): Promise<string>;
  inspect(step: StepRef): Promise<Inspection>;
  replay(step: StepRef): Promise<void>;
  takeOver(step: StepRef): Promise<void>;
  debug(step: StepRef): Promise<void>;
  /** Opens something outside the panel. */
  open(target: OpenTarget, line: number | null): Promise<void>;
}

/** Gives the controller of an environment file; the same file always gets the same one while it lives. */
export type PlayerControllers = (uri: string) => Promise<PlayerController>;
