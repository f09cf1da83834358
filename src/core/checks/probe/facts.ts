/**
 * What the probes of one file saw, parsed: the input of every probe rule. A probe is an {@link EpisodeSpec}; what came of
 * it is an {@link EpisodeFact}. Many first actions on one seed are {@link OpeningsFact}. Rules read these and judge; they
 * run nothing.
 */
import type { Profile } from '../../../shared/findings';
import type {
  CriteriaResult, HostError, LineTrace, LoadResult, ResetResult, SideEffects, SnapshotResult, SolutionResult, StepResult, ToolResult,
} from '../../../shared/hostProtocol';
import type { PythonFile } from '../../environment/pythonFile';

/** What an episode is played for. */
export type Purpose =
  /** The probe of the run's own loader, exactly (run contract §2.4). */
  | 'loader'
  /** One of many seeds: reset, state, solution, a few neutral actions. */
  | 'seed'
  /** The same again on a fresh module with the generators left elsewhere. */
  | 'replay'
  /** The same instance, reset twice with one seed. */
  | 'again'
  /** The same under another hash seed. */
  | 'hash'
  /** The generators are drawn from between steps. */
  | 'disturbed'
  /** A second instance lives beside it. */
  | 'company'
  /** The environment's own solution. */
  | 'solution'
  /** The solution in another form of the same value. */
  | 'equivalent'
  /** The solution in a form that holds braces: in a box, and as the whole reply. */
  | 'braced'
  /** Replies without a box, well past the limit. */
  | 'unboxed'
  /** Boxed and listed actions, well past the limit. */
  | 'listed'
  /** Wrong answers until the end. */
  | 'wrong'
  /** Wrong answers, then the solution on the last permitted turn. */
  | 'last-turn'
  /** Steps after the end. */
  | 'after-end'
  /** One action again and again. */
  | 'repeat'
  /** Random listed actions. */
  | 'random'
  /** All answers of the domain in turn. */
  | 'sweep'
  /** An input that is odd. */
  | 'input'
  /** A tool called twice from the same state. */
  | 'tool-twice'
  /** An unseeded reset, as the run's play wrapper makes. */
  | 'unseeded';

/** One thing that is done to an instance. */
export type Move =
  | { readonly kind: 'step'; readonly action: string }
  | { readonly kind: 'tool'; readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };

/** An episode that is to be played. */
export interface EpisodeSpec {
  readonly purpose: Purpose;
  readonly seed: number | null;
  readonly moves: readonly Move[];
  readonly construction?: 'validate' | 'play';
  /** Turn limit given to the constructor; undefined leaves the construction's own (1000 for `validate`). */
  readonly maxTurns?: number;
  readonly thread?: 'worker' | 'main';
  /** Keep going after an end flag; otherwise the episode stops there. */
  readonly pastEnd?: boolean;
  /** A snapshot after reset. */
  readonly snapshots?: boolean;
  /** Ask for `solution()` after reset and after the last move. */
  readonly solutions?: boolean;
  /** Evaluate the criteria after reset and after every move. */
  readonly criteria?: boolean;
  /** Where the module-level generators are drawn from: before all, or also between moves. */
  readonly disturb?: 'before' | 'between';
  /** Number that the disturbance seeds the generators with. */
  readonly disturbance?: number;
  /** Reset this many times with the seed before the moves; the last one counts. */
  readonly resets?: number;
  /** Reset once more with this seed after the moves, as the run's loader does. */
  readonly finalReset?: number;
  /** Build and reset a second instance of the same class with this seed before the moves, and let it make the first few of them; then it is left alone. */
  readonly companySeed?: number;
}

/** Why an episode did not come to its end. */
export type Failure =
  | { readonly kind: 'raised'; readonly where: 'load' | 'reset' | 'step' | 'tool' | 'solution' | 'other'; readonly error: HostError; readonly action: string | null }
  | {
    readonly kind: 'ended'; readonly where: 'load' | 'reset' | 'step' | 'tool' | 'solution' | 'other'; readonly reason: 'time' | 'memory' | 'output' | 'died';
    readonly limit: string | null; readonly detail: string; readonly action: string | null;
  }
  /** Never made: sessions were lost before it, or importing the file had taken too long. */
  | { readonly kind: 'not-made'; readonly why: 'lost' | 'imports' };

/** One move of an episode and what came of it. */
export interface TurnFact {
  readonly move: Move;
  readonly step: StepResult | null;
  readonly tool: ToolResult | null;
  readonly criteria: CriteriaResult | null;
}

/** State of an instance at one moment, as far as it was asked for. */
export interface MomentFact {
  readonly snapshot: SnapshotResult | null;
  readonly solution: SolutionResult | null;
  readonly solutionError: HostError | null;
  readonly criteria: CriteriaResult | null;
}

/** What came of an {@link EpisodeSpec}. */
export interface EpisodeFact {
  readonly spec: EpisodeSpec;
  /** How the file was taken, told in the loader's own probe only. */
  readonly load: LoadResult | null;
  /** `max_turns` of the instance after construction; null when there is none. */
  readonly maxTurns: number | null;
  readonly reset: ResetResult | null;
  readonly atReset: MomentFact;
  readonly turns: readonly TurnFact[];
  readonly atEnd: Omit<MomentFact, 'snapshot'>;
  /** What an earlier reset of the same instance gave, when there was one. */
  readonly earlier: { readonly reset: ResetResult | null; readonly snapshot: SnapshotResult | null } | null;
  /** The company's state before and after this instance's moves; null without company. */
  readonly company: { readonly before: SnapshotResult | null; readonly after: SnapshotResult | null } | null;
  readonly failure: Failure | null;
}

/** What one first action on one seed gave. `reward` is null where it was no number. */
export interface Opening {
  readonly action: string;
  readonly reward: number | null;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly raised: boolean;
}

/** Why many first actions are tried. */
export type OpeningsPurpose = 'trivial' | 'guess' | 'tool-answer';

/** First actions tried on one seed, each on a fresh reset. */
export interface OpeningsFact {
  readonly purpose: OpeningsPurpose;
  readonly seed: number;
  readonly openings: readonly Opening[];
  readonly failure: Failure | null;
}

/**
 * Lines that ran in a step of an episode. Tracing is slow, so a step is traced only when a rule asks for it: the first
 * judgement collects what is asked, the second reads it. Undefined while it is not known.
 */
export interface StepLines {
  /** How often lines were asked for that are not known. */
  readonly asked: number;
  of(spec: EpisodeSpec, turn: number): LineTrace | undefined;
}

/** Everything that the probes of one file saw. */
export interface ProbeFacts {
  readonly file: PythonFile;
  /** The profile that the file is judged in, null when nothing tells `s` from `m`. */
  readonly profile: Profile | null;
  /** How the run's loader took the file; null when it did not load. */
  readonly load: LoadResult | null;
  /** Why it did not load, null when it did. */
  readonly loadError: HostError | null;
  readonly episodes: readonly EpisodeFact[];
  readonly openings: readonly OpeningsFact[];
  /** What the file did when it was imported, and over all probes. */
  readonly importEffects: SideEffects | null;
  readonly effects: SideEffects;
  /** Python that ran the file, for example `3.11.7`. */
  readonly python: string;
  /** Longest time a call may take, milliseconds. */
  readonly callMs: number;
  readonly lines: StepLines;
}
