import { fromJsonNumber, type JsonNumber } from '../../src/shared/json';
import type { Outcome, StepView, Transcript } from '../../src/shared/webviewProtocol';
import { num, raw } from '../ui/format';
import type { IconName } from '../ui/icons';
import { t } from '../ui/strings';

/** What the run makes of a reward: shape, tone, words; `strong` where it decides the episode. */
export interface OutcomeWords {
  readonly icon: IconName;
  readonly tone: string;
  readonly words: string;
  /** In one word, for the inspector. */
  readonly brief: string;
  readonly strong: boolean;
}

/** Puts an outcome into words. */
export function outcomeWords({ kind, value }: Outcome): OutcomeWords {
  const shown = value === null ? '' : num(value);
  const make = (icon: IconName, tone: string, words: string, brief: string, strong: boolean): OutcomeWords => ({ icon, tone, words, brief, strong });
  switch (kind) {
    case 'trains': return make('won', value !== null && value > 0 ? 'ok' : '', t('trains {value}, terminated', { value: shown }), t('trains {value}', { value: shown }), true);
    case 'clipped': return make('won', 'warning', t('trains {value}, clipped', { value: shown }), t('clipped to {value}', { value: shown }), true);
    case 'nan-wins': return make('won', 'warning', t('trains {value}: the run clips NaN to 1', { value: shown }), t('trains {value}', { value: shown }), true);
    case 'not-terminal': return make('dropped', 'muted', t('dropped, not terminal'), t('dropped'), false);
    case 'lost-truncated': return make('dropped', 'warning', t('0, lost by truncation'), t('0, lost by truncation'), true);
    case 'tool-call': return make('queued', 'muted', t('no reward: a tool call is not a turn'), t('no reward'), false);
    case 'raised': return make('failed', 'err', t('trains {value}: the run takes the exception for the end of a lost episode', { value: shown }), t('trains {value}', { value: shown }), true);
    case 'failed-counts-zero': return make('failed', 'err', t('failed: a hint play counts 0 in the run'), t('0 in the run'), true);
    case 'failed-dropped': return make('failed', 'err', t('failed: the run drops a no-hint play that failed'), t('dropped by the run'), true);
    case 'cancelled': return make('dropped', 'muted', t('stopped: does not count'), t('does not count'), false);
    case 'pending': return make('running', 'info', t('not known yet'), t('not known yet'), false);
  }
}

/** The raw reward in words. */
export function rawWords(reward: JsonNumber | null): string {
  return reward === null ? t('raw none') : t('raw {value}', { value: raw(reward) });
}

/** The sentence below the reward in the inspector: why, and what trains instead. */
export function outcomeSentence(step: StepView, episode: Transcript): string {
  const last = episode.steps.at(-1);
  const isLast = last?.step === step.step;
  switch (step.outcome.kind) {
    case 'not-terminal':
      if (episode.status === 'terminated' && last && !isLast) return t('Not terminal. Only step {n} trains: {value}.', { n: last.step, value: num(episode.runReturn) });
      if (episode.status === 'running') return t('Not terminal. Only the last reward of an episode that terminates trains.');
      return t('Not terminal. The episode did not terminate, so nothing of it trains.');
    case 'trains': return t('The last reward of an episode that terminated: it is the return.');
    case 'clipped': return t('The run clips the return to [\u22121, 1].');
    case 'nan-wins': return t('Clipping a NaN gives 1 in the run: this counts as a win.');
    case 'lost-truncated': return t('The episode was truncated, so its return is 0 in the run.');
    case 'tool-call': return t('A native call runs through execute_tool: no turn, no reward.');
    case 'raised': return t('step() raised. The run goes on with a terminal step of reward \u22121.');
    case 'failed-counts-zero': return t('No reward came back. The run counts a failed hint play as 0 and drops a failed no-hint play.');
    case 'failed-dropped': return t('No reward came back. The run drops a failed no-hint play and counts a failed hint play as 0.');
    case 'cancelled': return t('The play was stopped by hand. It is left out of every number.');
    case 'pending': return t('The episode is still being played.');
  }
}

/** A reward as a number to plot, null when it cannot be drawn. */
export function plottable(reward: JsonNumber | null): number | null {
  if (reward === null) return null;
  const value = fromJsonNumber(reward);
  return Number.isFinite(value) ? value : null;
}
