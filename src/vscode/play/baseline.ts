import type { SavedSession } from '../../core/play/sessionRecord';
import type { EpisodeRef, PairCompare, TranscriptPair } from '../../shared/webviewProtocol';
import { EpisodeBoard } from './episodeBoard';
import type { PlaySession } from './playSession';

/** The earlier session that the one on screen is compared with, as its episodes are shown. */
export class Baseline {
  readonly board: EpisodeBoard;

  constructor(readonly saved: SavedSession) {
    this.board = EpisodeBoard.ofSaved(saved);
  }

  /** The place here of an episode of the session on screen; null when it was not played here. */
  slotOf(session: PlaySession, { arm, slot }: EpisodeRef): number | null {
    const place = session.refOf({ arm, slot });
    return place ? this.board.slotOf(arm, place.seed, place.play) : null;
  }

  /** The episode here and that on screen, side by side. Both are named by the place on screen. */
  pair(session: PlaySession, slots: TranscriptPair['slots'], compare: PairCompare): TranscriptPair {
    const before = slots.noHint === null ? null : this.slotOf(session, { arm: compare.arm, slot: slots.noHint });
    return { ...session.board.pair({ hint: before, noHint: slots.noHint }, compare, this.board), slots };
  }
}
