/** Playing the actions of saved episodes again, without whoever chose them: after an edit, or to step through one. */
import { message } from '../../shared/message';
import type { ArmName, Episode, EpisodeStep } from '../../shared/play';
import { EnvwrightError } from '../errors';
import type { EpisodeRef } from './events';
import { movesOfEpisode } from './policies/fixed';
import type { EpisodeSetting, Move, Policy, Turn } from './policy';
import { readMove, type MoveReading, type PlannedCall } from './reading';
import type { SavedSession } from './sessionRecord';

/** The moves of an episode, so that they are read and end as they did. */
export function movesToReplay({ steps, status }: Pick<Episode, 'steps' | 'status'>): Move[] {
  const moves = movesOfEpisode(steps);
  return status === 'reply-cut' ? moves.map((move, index) => (index === moves.length - 1 ? { ...move, cut: true } : move)) : moves;
}

/** The tool calls that a saved step made, with the arguments that reached the tools. Empty for a step that was an action. */
export function callsMade(step: EpisodeStep, arm: ArmName, reading: MoveReading): readonly PlannedCall[] {
  const [move] = movesOfEpisode([step]);
  return move && step.calls.length > 0 ? readMove(move, arm, true, reading).calls : [];
}

const place = ({ arm, seed, play }: Pick<EpisodeRef | EpisodeSetting, 'arm' | 'seed' | 'play'>): string => `${arm} ${seed ?? 'unseeded'} ${play}`;

/**
 * Plays in every episode what was played there before. Where whoever played failed or was stopped, the replay fails at the same
 * place: what would have come is not known, so such an episode counts in no figure.
 */
export function replayPolicy({ header, episodes }: Pick<SavedSession, 'header' | 'episodes'>): Policy {
  const saved = new Map([...episodes.values()].map(({ ref, episode }) => [place(ref), { moves: movesToReplay(episode), status: episode.status }]));
  const next = ({ setting, past }: Turn): Move | null => {
    const known = saved.get(place(setting));
    const move = known?.moves[past.length];
    if (move) return move;
    if (known && known.status !== 'policy-failed' && known.status !== 'cancelled') return null;
    throw new EnvwrightError('play/nothing-to-replay', message('No further actions were saved of this episode.'), message('Play it anew to have some.'));
  };
  return {
    name: `replay of ${header.policy.name}`,
    simulated: true,
    usesHint: header.policy.usesHint,
    note: 'Saved actions were played again; whoever chose them did not see what the environment answers now.',
    move: async (turn) => Promise.resolve(next(turn)),
  };
}

/** The episodes of a session that can be played again: those in which something was done. */
export function replayable({ plan, episodes }: Pick<SavedSession, 'plan' | 'episodes'>): EpisodeRef[] {
  const done = new Set([...episodes.values()].filter(({ episode }) => episode.steps.length > 0).map(({ ref }) => place(ref)));
  return plan.order.filter((ref) => done.has(place(ref)));
}
