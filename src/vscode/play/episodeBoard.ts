import type { EpisodeRef, PlayEvent, StepDetail } from '../../core/play/events';
import { message } from '../../shared/message';
import type { ArmName, Episode, EpisodeStep } from '../../shared/play';
import type { Cell, CellStatus, Divergence, Slot, StepRef, StepView, StreamItem, TextPart, Transcript, TranscriptPair } from '../../shared/webviewProtocol';
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

  constructor(readonly plan: BoardPlan) {
    this.arms = { noHint: plan.noHint.map(queued), hint: (plan.hint ?? []).map(queued) };
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

  pair(slots: TranscriptPair['slots']): TranscriptPair {
    const hint = slots.hint === null ? undefined : this.arms.hint[slots.hint];
    const noHint = slots.noHint === null ? undefined : this.arms.noHint[slots.noHint];
    return {
      slots,
      hint: hint ? this.transcript('hint', slots.hint ?? 0, hint) : null,
      noHint: noHint ? this.transcript('noHint', slots.noHint ?? 0, noHint) : null,
      divergence: hint && noHint ? this.divergence(hint, noHint) : null,
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

  private divergence(hint: BoardEpisode, noHint: BoardEpisode): Divergence | null {
    const hintLine = this.plan.hintText === null ? '' : `\n\nHINT: ${this.plan.hintText}`;
    const plain = (text: string, index: number) => (index === 0 && text.endsWith(hintLine) ? text.slice(0, text.length - hintLine.length) : text);
    const shared = Math.min(hint.steps.length, noHint.steps.length);
    for (let index = 0; index < shared; index += 1) {
      const a = hint.steps[index]!.done;
      const b = noHint.steps[index]!.done;
      const step = index + 1;
      if (plain(a.observation, index) !== b.observation) return { step, part: 'observation' };
      if (JSON.stringify(a.calls.map(named)) !== JSON.stringify(b.calls.map(named))) return { step, part: 'call' };
      if (a.action !== b.action) return { step, part: 'reply' };
    }
    const isOver = hint.episode !== null && noHint.episode !== null;
    return isOver && hint.steps.length !== noHint.steps.length ? { step: shared + 1, part: 'end' } : null;
  }
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
