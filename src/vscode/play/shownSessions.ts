import { EnvwrightError } from '../../core/errors';
import type { SavedEpisode, SavedSession } from '../../core/play/sessionRecord';
import { message } from '../../shared/message';
import type { ComparisonView, PairCompare, StepRef, TextPart, TranscriptPair } from '../../shared/webviewProtocol';
import type { Baseline } from './baseline';
import type { PlaySession } from './playSession';

/** What a player shows: a session, and the earlier one that it may be compared with. */
export class ShownSessions {
  session: PlaySession | undefined;
  baseline: Baseline | null = null;
  comparison: ComparisonView | null = null;

  /** Puts another session on screen; what it is compared with is compared once it has ended. */
  put(session: PlaySession, baseline: Baseline | null): void {
    this.session = session;
    this.baseline = baseline;
    this.comparison = null;
  }

  pair(slots: TranscriptPair['slots'], compare: PairCompare | null): TranscriptPair {
    const { session, baseline } = this;
    if (!session) return { slots, compare: null, titles: null, hint: null, noHint: null, divergence: null };
    return compare?.other ? (baseline?.pair(session, slots, compare) ?? session.board.pair(slots)) : session.board.pair(slots, compare);
  }

  text({ other, ...step }: StepRef, part: TextPart): string | undefined {
    const { session, baseline } = this;
    const slot = other ? session && baseline?.slotOf(session, step) : step.slot;
    return typeof slot === 'number' ? (other ? baseline?.board : session?.board)?.text({ ...step, slot }, part) : undefined;
  }

  /** The session and the episode that a step on screen is of. @throws EnvwrightError while the episode runs, or when it is gone. */
  episodeOf({ arm, slot, other }: StepRef): { readonly session: SavedSession; readonly saved: SavedEpisode } {
    const { session, baseline } = this;
    const place = other ? session && baseline?.slotOf(session, { arm, slot }) : session?.board.episode(arm, slot) && slot;
    const source = other ? baseline?.saved : session?.snapshot();
    const saved = source && [...source.episodes.values()].find(({ ref }) => ref.arm === arm && ref.slot === place);
    if (!saved) throw noEpisode();
    return { session: source, saved };
  }

  /** Compares the session with the earlier one, as far as both were played. */
  async compare(): Promise<void> {
    if (!this.baseline || !this.session) return;
    const { comparisonView } = await import('./comparisonView');
    this.comparison = comparisonView(this.baseline.saved, this.session.snapshot());
  }

  /** Ends the comparison and gives the earlier session. */
  endComparison(): SavedSession | undefined {
    const saved = this.baseline?.saved;
    this.baseline = this.comparison = null;
    return saved;
  }
}

/** The error of a command whose episode has not ended, or is not there any more. */
export function noEpisode(): EnvwrightError {
  return new EnvwrightError('play/no-episode', message('This episode is still running, or gone.'), message('Choose a step of an episode that has ended.'));
}
