import type { ArmName } from '../../src/shared/play';
import type { Divergence, Transcript, TranscriptPair } from '../../src/shared/webviewProtocol';
import { el } from '../ui/dom';
import { num, signed } from '../ui/format';
import { t } from '../ui/strings';
import { appendText } from '../ui/text';
import { statusWord, stepsWord } from './cells';
import { groupOf } from './statusGroup';

const ARMS: readonly ArmName[] = ['hint', 'noHint'];

/** Class of a column. */
export function side(arm: ArmName): string {
  return arm === 'hint' ? 'hint-side' : 'no-hint-side';
}

/** True for an episode that is over. */
export function ended({ status }: Transcript): boolean {
  return status !== 'running' && status !== 'queued';
}

/** What decides how a cell of the grid looks; running text is added to it without drawing it again. */
export function cellKey(transcript: Transcript | null, step: number): string {
  if (!transcript) return '-';
  const view = transcript.steps[step - 1];
  if (view) return `${view.outcome.kind} ${view.step} ${view.line ?? ''} ${view.result?.length ?? ''}`;
  if (transcript.live?.step === step) return `live${step}`;
  return ended(transcript) && step === transcript.steps.length + 1 ? `end ${transcript.status}` : '';
}

/** What decides how the head of a column looks. */
export function headOf(transcript: Transcript | null): unknown {
  return transcript && [transcript.status, transcript.return, transcript.steps.length, transcript.live?.step];
}

/** How an episode stands, in words. */
export function headWords(transcript: Transcript): string {
  if (transcript.status === 'queued') return t('queued');
  if (transcript.status === 'running') return t('step {n}', { n: transcript.live?.step ?? transcript.steps.length + 1 });
  const failed = groupOf(transcript) === 'failed';
  const value = failed ? t('in step {n}', { n: transcript.steps.length }) : transcript.return === null ? t('return not a number') : t('return {value}', { value: num(transcript.return) });
  return [statusWord(transcript), value, ...(failed ? [] : [stepsWord(transcript.steps.length)])].join(' \u00b7 ');
}

/** What is said of two episodes side by side. */
export function about(mode: string, gap: number | null, pair: TranscriptPair | null): string {
  if (mode === 'as-run') return t('as the run plays: the two arms are not on the same instance');
  if (gap !== null) return t('gap {gap}, with hint minus no hint', { gap: signed(gap) });
  const both = ARMS.map((arm) => pair?.[arm] ?? null).filter((transcript) => transcript !== null);
  if (both.length < 2) return '';
  if (both.every(({ status }) => status === 'running')) return t('both arms playing');
  if (both.some((transcript) => groupOf(transcript) === 'failed')) return t('no gap: one arm failed');
  return t('no gap yet');
}

/** True for the step at which the columns part. */
export function divergesAt(divergence: Divergence | null, step: number): boolean {
  return divergence?.step === step;
}

/** Where the columns part, in words. */
export function divergenceWords({ step, part }: Divergence): string {
  return {
    observation: t('First divergence: the observation of step {n}', { n: step }),
    reply: t('First divergence: the reply of step {n}', { n: step }),
    call: t('First divergence: the first call of step {n}', { n: step }),
    end: t('First divergence: one arm ends before step {n}', { n: step }),
  }[part];
}

/** Stands below the last step of an episode: how it ended, and what the environment said last. */
export function endCap(transcript: Transcript): HTMLElement {
  const n = transcript.steps.length;
  const failed = groupOf(transcript) === 'failed';
  const words = failed ? t('Episode failed in step {n}. The others went on.', { n })
    : t('Episode ended: {status}, {steps}, return {value}.', { status: statusWord(transcript), steps: stepsWord(n), value: transcript.return === null ? t('not a number') : num(transcript.return) });
  const box = el('div', { class: 'endcap muted small' }, el('p', { text: words }));
  if (transcript.finalObservation && transcript.finalObservation.length > 0) {
    const last = el('p', { class: 'mono said' });
    appendText(last, transcript.finalObservation.text.slice(0, 700));
    box.append(last);
  }
  return box;
}
