import type { EpisodeFact } from './facts';

/** What was worked out from a list of episodes; all of it anew when the list has grown. */
const known = new WeakMap<readonly EpisodeFact[], { readonly length: number; readonly values: Map<string, unknown> }>();

/**
 * What `make` gives, worked out once for a list of episodes. `name` must tell apart everything that is derived from such a list, and
 * `make` must depend on nothing else that changes between rounds.
 */
export function derived<T>(episodes: readonly EpisodeFact[], name: string, make: () => T): T {
  let entry = known.get(episodes);
  if (entry?.length !== episodes.length) {
    entry = { length: episodes.length, values: new Map() };
    known.set(episodes, entry);
  }
  if (!entry.values.has(name)) entry.values.set(name, make());
  return entry.values.get(name) as T;
}
