/** Playing the actions of saved episodes again, without whoever chose them: after an edit, or to step through one. */
import type { Episode } from '../../shared/play';
import type { EpisodeRef } from './events';
import { movesOfEpisode } from './policies/fixed';
import type { EpisodeSetting, Move, Policy } from './policy';
import type { SavedSession } from './sessionRecord';

/** The moves of an episode, so that they are read and end as they did. */
export function movesToReplay({ steps, status }: Pick<Episode, 'steps' | 'status'>): Move[] {
  const moves = movesOfEpisode(steps);
  return status === 'reply-cut' ? moves.map((move, index) => (index === moves.length - 1 ? { ...move, cut: true } : move)) : moves;
}

const place = ({ arm, seed, play }: Pick<EpisodeRef | EpisodeSetting, 'arm' | 'seed' | 'play'>): string => `${arm} ${seed ?? 'unseeded'} ${play}`;

/** Plays in every episode what was played there before; where nothing was, the episode ends at once. */
export function replayPolicy({ header, episodes }: Pick<SavedSession, 'header' | 'episodes'>): Policy {
  const moves = new Map([...episodes.values()].map(({ ref, episode }) => [place(ref), movesToReplay(episode)]));
  return {
    name: `replay of ${header.policy.name}`,
    simulated: header.policy.simulated,
    usesHint: header.policy.usesHint,
    note: 'Saved actions were played again; whoever chose them did not see what the environment answers now.',
    move: ({ setting, past }) => Promise.resolve(moves.get(place(setting))?.[past.length] ?? null),
  };
}

/** The episodes of a session that can be played again: those in which something was done. */
export function replayable({ plan, episodes }: Pick<SavedSession, 'plan' | 'episodes'>): EpisodeRef[] {
  const done = new Set([...episodes.values()].filter(({ episode }) => episode.steps.length > 0).map(({ ref }) => place(ref)));
  return plan.order.filter((ref) => done.has(place(ref)));
}
