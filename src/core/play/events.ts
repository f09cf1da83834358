import type { LineTrace, LoadResult } from '../../shared/hostProtocol';
import type { ArmName, Episode, EpisodeStep } from '../../shared/play';

/** An episode of a set of plays: which arm, which instance, which play of it. */
export interface EpisodeRef {
  readonly arm: ArmName;
  /** Position in the arm's order, from 0; the same in both arms for plays of one seed. */
  readonly slot: number;
  readonly seed: number | null;
  readonly play: number;
}

/** What happens in a set of plays, in order for each episode. All texts are untrusted. */
export type PlayEvent =
  | { readonly type: 'started'; readonly ref: EpisodeRef; readonly attempt: number }
  /** The environment is built: what it is, and the function-calling schema that the agent is given. */
  | { readonly type: 'loaded'; readonly ref: EpisodeRef; readonly toolUse: boolean; readonly tools: Extract<LoadResult['tools'], unknown[]> }
  /** A step begins: this is what the agent is shown. */
  | { readonly type: 'shown'; readonly ref: EpisodeRef; readonly step: number; readonly observation: string }
  | { readonly type: 'text' | 'reasoning'; readonly ref: EpisodeRef; readonly step: number; readonly text: string }
  | { readonly type: 'waiting'; readonly ref: EpisodeRef; readonly ms: number; readonly why: string }
  | { readonly type: 'step'; readonly ref: EpisodeRef; readonly step: number; readonly done: EpisodeStep; readonly detail: StepDetail }
  | { readonly type: 'ended'; readonly ref: EpisodeRef; readonly episode: Episode }
  | { readonly type: 'progress'; readonly done: number; readonly failed: number; readonly running: number; readonly total: number; readonly tokens: number };

/** What a step took, beside what it was. `trace` only when asked for; `tokens` null where nobody counted. */
export interface StepDetail {
  readonly ms: number;
  readonly tokens: number | null;
  readonly trace: LineTrace | null;
}
