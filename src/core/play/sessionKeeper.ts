import { episodeKey } from './arms';
import type { PlayEvent, StepDetail } from './events';
import type { ArmPlan } from './plan';
import type { LoadedFacts, SavedEpisode, SavedSession, SessionHeader } from './sessionRecord';

/** Follows a set of plays and gives at any time the session that a file of it would give. */
export class SessionKeeper {
  private readonly episodes: Map<string, SavedEpisode>;
  private readonly details = new Map<string, StepDetail[]>();
  private loaded: LoadedFacts | null;

  /** @param saved what was played before. */
  constructor(private readonly header: SessionHeader, private readonly plan: ArmPlan, private readonly saved: SavedSession | null = null) {
    this.episodes = new Map(saved?.episodes);
    this.loaded = saved?.loaded ?? null;
  }

  take(event: PlayEvent): void {
    if (event.type === 'loaded') this.loaded ??= { toolUse: event.toolUse, tools: event.tools };
    else if (event.type === 'started') this.details.set(episodeKey(event.ref), []);
    else if (event.type === 'step') this.details.get(episodeKey(event.ref))?.push(event.detail);
    else if (event.type === 'ended') {
      const key = episodeKey(event.ref);
      this.episodes.set(key, { ref: event.ref, episode: event.episode, details: this.details.get(key) ?? [] });
    }
  }

  /** `elapsedMs` is the time of all plays so far. */
  session(elapsedMs: number): SavedSession {
    const { header, plan, episodes, loaded } = this;
    return { header, plan, episodes: new Map(episodes), loaded, elapsedMs, damaged: this.saved?.damaged ?? [] };
  }
}
