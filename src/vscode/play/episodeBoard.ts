import type { EpisodeRef, PlayEvent, StepDetail } from '../../core/play/events';
import type { ArmPlan } from '../../core/play/plan';
import type { SavedEpisode, SavedSession } from '../../core/play/sessionRecord';
import { message, type Message } from '../../shared/message';
import type { ArmName, Episode, EpisodeStep, PlayReport } from '../../shared/play';
import type { Cell, CellStatus, Divergence, PairCompare, Slot, StepRef, StepView, StreamItem, TextPart, Transcript, TranscriptPair } from '../../shared/webviewProtocol';
import { noticeText } from './notices';
import { outcomeInEpisode, outcomeOf } from '../../core/play/trained';
import { cutText } from './texts';

/** A place of the strip before anything was played in it: what will be played there. */
export interface PlannedSlot {
  readonly seed: number | null;
  readonly play: number;
}

/** The strip's columns: how many episodes each arm has, and which. */
export interface BoardPlan {
  readonly noHint: readonly PlannedSlot[];
  /** Undefined when only the arm without the hint is played. */
  readonly hint?: readonly PlannedSlot[];
  readonly hintText: string | null;
  /** Plays of one slot are of one seed, so that their difference is a gap. */
  readonly isPaired: boolean;
}

/** The columns that a plan needs. */
export function boardPlan({ order }: ArmPlan, hint: string | null, mode: PlayReport['mode']): BoardPlan {
  const of = (arm: ArmName) => order.filter((ref) => ref.arm === arm).sort((a, b) => a.slot - b.slot).map(({ seed, play }) => ({ seed, play }));
  const withHint = of('hint');
  return { noHint: of('noHint'), hintText: hint, isPaired: mode === 'paired', ...(withHint.length > 0 && { hint: withHint }) };
}

interface LiveStep {
  readonly step: number;
  readonly observation: string;
  reply: string;
  thinking: string;
}

interface BoardEpisode {
  status: CellStatus;
  steps: { readonly done: EpisodeStep; readonly detail: StepDetail }[];
  live: LiveStep | null;
  episode: Episode | null;
}

const queued = (): BoardEpisode => ({ status: 'queued', steps: [], live: null, episode: null });

/** A set of plays as the player shows it, kept by the events of the plays. Pure; all texts in it are untrusted. */
export class EpisodeBoard {
  private readonly arms: Readonly<Record<ArmName, BoardEpisode[]>>;

  constructor(private plan: BoardPlan) {
    this.arms = { noHint: plan.noHint.map(queued), hint: (plan.hint ?? []).map(queued) };
  }

  /** A saved session as a board. */
  static ofSaved({ plan, episodes, header }: SavedSession): EpisodeBoard {
    const board = new EpisodeBoard(boardPlan(plan, header.settings.hint, header.settings.mode));
    for (const saved of episodes.values()) board.restore(saved);
    board.close();
    return board;
  }

  /** More was planned: the further places are queued. */
  grow(plan: BoardPlan): void {
    this.plan = plan;
    for (const arm of ['hint', 'noHint'] as const) {
      const places = plan[arm] ?? [];
      while (this.arms[arm].length < places.length) this.arms[arm].push(queued());
    }
  }

  /** Puts an ended episode of a saved session in its place. */
  restore({ ref: { arm, slot }, episode, details }: SavedEpisode): void {
    if (!this.arms[arm][slot]) return;
    const none: StepDetail = { ms: 0, tokens: null, trace: null };
    this.arms[arm][slot] = { status: episode.status, live: null, episode, steps: episode.steps.map((done, index) => ({ done, detail: details[index] ?? none })) };
  }

  /** Episodes that are over, with where they are and what their steps took. */
  saved(): SavedEpisode[] {
    return (['hint', 'noHint'] as const).flatMap((arm) => this.arms[arm].flatMap(({ episode, steps }, slot): SavedEpisode[] => {
      const place = this.plan[arm]?.[slot];
      return episode && place ? [{ ref: { arm, slot, seed: place.seed, play: place.play }, episode, details: steps.map(({ detail }) => detail) }] : [];
    }));
  }

  /** Where an arm plays an instance; null when it does not. */
  slotOf(arm: ArmName, seed: number | null, play: number): number | null {
    const slot = (this.plan[arm] ?? []).findIndex((place) => place.seed === seed && place.play === play);
    return slot < 0 ? null : slot;
  }

  /** Follows an event; gives what whoever watches the episode is to be sent. */
  apply(event: PlayEvent): StreamItem | undefined {
    if (event.type === 'progress' || event.type === 'waiting' || event.type === 'loaded') return undefined;
    const { arm, slot } = event.ref;
    const at = this.arms[arm][slot];
    if (!at) return undefined;
    switch (event.type) {
      case 'started':
        this.arms[arm][slot] = { ...queued(), status: 'running' };
        return undefined;
      case 'shown':
        at.live = { step: event.step, observation: event.observation, reply: '', thinking: '' };
        return { kind: 'begin', arm, slot, step: event.step + 1, observation: cutText(event.observation) };
      case 'text':
        if (at.live) at.live.reply += event.text;
        return { kind: 'text', arm, slot, step: event.step + 1, text: event.text };
      case 'reasoning':
        if (at.live) at.live.thinking += event.text;
        return { kind: 'thinking', arm, slot, step: event.step + 1, text: event.text };
      case 'step':
        at.live = null;
        at.steps.push({ done: event.done, detail: event.detail });
        return { kind: 'step', arm, slot, view: stepView(event.done, event.step, event.detail, outcomeOf(event.done)) };
      case 'ended':
        at.live = null;
        at.status = event.episode.status;
        at.episode = event.episode;
        return undefined;
    }
  }

  /** Episodes of an arm that are over, in the order of their slots. */
  ended(arm: ArmName): Episode[] {
    return this.arms[arm].flatMap(({ episode }) => episode ?? []);
  }

  episode(arm: ArmName, slot: number): Episode | undefined {
    return this.arms[arm][slot]?.episode ?? undefined;
  }

  /** Episodes that failed for a reason of their own and may be tried again. */
  failed(): readonly Pick<EpisodeRef, 'arm' | 'slot'>[] {
    return (['hint', 'noHint'] as const).flatMap((arm) =>
      this.arms[arm].flatMap(({ status }, slot) => (status === 'policy-failed' || status === 'step-timeout' || status === 'step-raised' ? [{ arm, slot }] : [])),
    );
  }

  /** Episodes that were not played to an end. */
  unfinished(): readonly Pick<EpisodeRef, 'arm' | 'slot'>[] {
    return (['hint', 'noHint'] as const).flatMap((arm) =>
      this.arms[arm].flatMap(({ episode }, slot) => (episode === null || episode.status === 'cancelled' ? [{ arm, slot }] : [])));
  }

  /** Puts episodes back into the queue, to be played again. */
  requeue(episodes: readonly Pick<EpisodeRef, 'arm' | 'slot'>[]): void {
    for (const { arm, slot } of episodes) this.arms[arm][slot] = queued();
  }

  /** What was not begun when the plays were ended is shown as cancelled. */
  close(): void {
    for (const at of [...this.arms.hint, ...this.arms.noHint]) if (at.episode === null) at.status = 'cancelled';
  }

  /** One whole text of a step (from 1), uncut; undefined when there is none. */
  text({ arm, slot, step }: StepRef, part: TextPart): string | undefined {
    const at = this.arms[arm][slot];
    if (part === 'transcript') return at && at.steps.length > 0 ? transcriptText(at) : undefined;
    const done = at?.steps[step - 1]?.done;
    if (part === 'result') return at?.steps[step]?.done.observation ?? at?.episode?.finalObservation;
    return done?.[part];
  }

  slots(): Slot[] {
    const columns = Math.max(this.plan.noHint.length, this.plan.hint?.length ?? 0);
    return Array.from({ length: columns }, (_, slot) => {
      const planned = this.plan.noHint[slot] ?? this.plan.hint?.[slot];
      const hint = this.arms.hint[slot];
      const noHint = this.arms.noHint[slot];
      const gap = this.plan.isPaired ? gapOf(hint?.episode, noHint?.episode) : null;
      return { seed: planned?.seed ?? null, play: planned?.play ?? 0, hint: hint ? cellOf(hint) : null, noHint: noHint ? cellOf(noHint) : null, gap };
    });
  }

  /** Two episodes side by side: both arms of a place, or as `compare` says; then `other` is the board of the earlier session. */
  pair(slots: TranscriptPair['slots'], compare: PairCompare | null = null, other: EpisodeBoard | null = null): TranscriptPair {
    const left = compare?.other ? other : this;
    const arms = { hint: compare?.arm ?? 'hint', noHint: compare?.arm ?? 'noHint' } as const;
    const found = (board: EpisodeBoard | null, arm: ArmName, slot: number | null) => {
      const at = slot === null ? undefined : board?.arms[arm][slot];
      return board && at && slot !== null ? { board, at, transcript: board.transcript(arm, slot, at) } : null;
    };
    const [hint, noHint] = [found(left, arms.hint, slots.hint), found(this, arms.noHint, slots.noHint)];
    return {
      slots, compare,
      titles: compare && { hint: columnTitle(compare, hint?.transcript.seed ?? null, true), noHint: columnTitle(compare, noHint?.transcript.seed ?? null, false) },
      hint: hint?.transcript ?? null,
      noHint: noHint?.transcript ?? null,
      divergence: hint && noHint ? divergence(plain(hint), plain(noHint)) : null,
    };
  }

  private transcript(arm: ArmName, slot: number, { status, steps, live, episode }: BoardEpisode): Transcript {
    const seed = (arm === 'hint' ? this.plan.hint : this.plan.noHint)?.[slot]?.seed ?? null;
    return {
      seed,
      status,
      return: episode?.return ?? null,
      runReturn: episode?.runReturn ?? 0,
      hint: arm === 'hint' ? this.plan.hintText : null,
      steps: steps.map(({ done, detail }, index) => {
        const outcome = episode ? outcomeInEpisode(done, index === steps.length - 1, episode, arm) : outcomeOf(done);
        // What the agent sees next is the answer of its calls.
        const answer = done.calls.length > 0 ? steps[index + 1]?.done.observation ?? live?.observation ?? episode?.finalObservation : undefined;
        return { ...stepView(done, index, detail, outcome), result: answer === undefined ? null : cutText(answer) };
      }),
      live: live && { step: live.step + 1, observation: cutText(live.observation), thinking: live.thinking, reply: live.reply },
      finalObservation: episode && episode.finalObservation !== '' ? cutText(episode.finalObservation) : null,
      error: episode?.error ?? null,
    };
  }
}

/** What stands above a column that is not an arm's. */
function columnTitle({ arm, other }: PairCompare, seed: number | null, isFirst: boolean): Message {
  const hasHint = arm === 'hint';
  if (!other) return hasHint ? message('Seed {seed}, with hint', { seed: seed ?? '–' }) : message('Seed {seed}, no hint', { seed: seed ?? '–' });
  if (isFirst) return hasHint ? message('Earlier session, with hint') : message('Earlier session, no hint');
  return hasHint ? message('This session, with hint') : message('This session, no hint');
}

/** The steps of an episode, its hint left out of the first observation. */
function plain({ at, transcript }: { readonly at: BoardEpisode; readonly transcript: Transcript }): { readonly steps: readonly EpisodeStep[]; readonly isOver: boolean } {
  const tail = transcript.hint === null ? '' : `\n\nHINT: ${transcript.hint}`;
  const steps = at.steps.map(({ done }, index) =>
    (index === 0 && tail !== '' && done.observation.endsWith(tail) ? { ...done, observation: done.observation.slice(0, -tail.length) } : done));
  return { steps, isOver: at.episode !== null };
}

function divergence(hint: ReturnType<typeof plain>, noHint: ReturnType<typeof plain>): Divergence | null {
  const shared = Math.min(hint.steps.length, noHint.steps.length);
  for (let index = 0; index < shared; index += 1) {
    const a = hint.steps[index]!;
    const b = noHint.steps[index]!;
    const step = index + 1;
    if (a.observation !== b.observation) return { step, part: 'observation' };
    if (JSON.stringify(a.calls.map(named)) !== JSON.stringify(b.calls.map(named))) return { step, part: 'call' };
    if (a.action !== b.action) return { step, part: 'reply' };
  }
  return hint.isOver && noHint.isOver && hint.steps.length !== noHint.steps.length ? { step: shared + 1, part: 'end' } : null;
}

function transcriptText({ steps, episode }: BoardEpisode): string {
  const parts = steps.flatMap(({ done }, index) => [
    `== step ${index + 1}: sees`, done.observation,
    ...(done.thinking === '' ? [] : ['== thinks', done.thinking]),
    '== replies', done.reply,
    ...done.calls.map(({ name, arguments: args }) => `== calls ${name} ${JSON.stringify(args)}`),
    `== pays ${done.reward ?? 'nothing'}`,
  ]);
  return [...parts, ...(episode ? ['== end', episode.finalObservation, episode.status, episode.error ?? ''] : []), ''].join('\n');
}

/** A call without its id, which differs from reply to reply. */
const named = ({ name, arguments: args }: EpisodeStep['calls'][number]) => ({ name, args });

function cellOf({ status, steps, episode }: BoardEpisode): Cell {
  return { status, return: episode?.return ?? null, runReturn: episode?.runReturn ?? 0, steps: steps.length, rewards: steps.map(({ done }) => done.reward) };
}

function gapOf(hint: Episode | null | undefined, noHint: Episode | null | undefined): number | null {
  if (typeof hint?.return !== 'number' || typeof noHint?.return !== 'number') return null;
  return hint.return - noHint.return;
}

function stepView(done: EpisodeStep, index: number, { ms, tokens, trace }: StepDetail, outcome: StepView['outcome']): StepView {
  return {
    step: index + 1,
    observation: cutText(done.observation),
    thinking: cutText(done.thinking),
    reply: cutText(done.reply),
    action: done.action,
    calls: done.calls,
    result: null,
    reward: done.reward,
    notices: [
      ...done.notices.map((id) => ({ id, text: noticeText(id, done) })),
      ...(done.reward === null && done.truncated ? [{ id: 'reply-cut' as const, text: message('Cut at the token limit: the run ends the episode as truncated.') }] : []),
    ],
    outcome,
    line: trace?.returnLine ?? null,
    ms,
    tokens,
  };
}
