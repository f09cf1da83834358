import type { ArmName, ToolCall } from '../../shared/play';

/** What does not change in an episode. `seed` is null when the instance is not seeded; `play` counts plays of one seed from 0. */
export interface EpisodeSetting {
  readonly arm: ArmName;
  readonly seed: number | null;
  readonly play: number;
  readonly toolUse: boolean;
  /** Function-calling schema, empty for a game. */
  readonly tools: readonly unknown[];
}

/** What the agent is shown: an observation (the hint is in the first one), or the results of the calls it made. */
export type Shown =
  | { readonly kind: 'observation'; readonly text: string }
  | { readonly kind: 'results'; readonly results: readonly { readonly callId: string; readonly output: string }[] };

/** What the agent does. `cut` is true when the token limit ended the reply. */
export interface Move {
  readonly reply: string;
  readonly thinking?: string;
  readonly calls?: readonly ToolCall[];
  readonly cut?: boolean;
  /** Tokens of the call, null where nobody counted. */
  readonly tokens?: number | null;
}

/** A turn that is over. */
export interface PastTurn {
  readonly shown: Shown;
  readonly move: Move;
}

/** What an agent may know and ask when it moves. */
export interface Turn {
  readonly setting: EpisodeSetting;
  readonly past: readonly PastTurn[];
  readonly shown: Shown;
  /** The environment's own solution at this moment, null when it has none. */
  solution(): Promise<string | null>;
  /** The return of these replies on a fresh instance of the same seed, null when the instance is not seeded. */
  rehearse(replies: readonly string[]): Promise<number | null>;
  /** Solutions of other seeds: values an answer may take. */
  otherSolutions(): Promise<readonly string[]>;
  /** Passes text on as it comes. */
  emit(kind: 'text' | 'reasoning', text: string): void;
  /** Tells that the endpoint makes the agent wait. */
  waiting(ms: number, why: string): void;
}

/** Name of the policy that stands in for a model where none is set. */
export const SIMULATED_LEARNER = 'simulated';

/**
 * Who plays. A policy keeps nothing between turns: all it needs is in the turn, so an episode can be taken over at any
 * step. A move of null ends the episode: the policy has nothing more to do.
 */
export interface Policy {
  readonly name: string;
  /** True when no model chooses the actions: a stand-in, a script, a person. The figures then say nothing about a model. */
  readonly simulated: boolean;
  /** False when a hint changes nothing. */
  readonly usesHint: boolean;
  /** What must be said beside its results. */
  readonly note: string | null;
  move(turn: Turn, signal: AbortSignal): Promise<Move | null>;
}

/** What the agent is shown, as one text. */
export function shownText(shown: Shown): string {
  return shown.kind === 'observation' ? shown.text : shown.results.map(({ output }) => output).join('\n');
}
