import type { ArmName } from '../../src/shared/play';
import type { StepView, TranscriptPair } from '../../src/shared/webviewProtocol';

/** All text of a step, for a search. */
function textOf(step: StepView): string {
  return [step.observation.text, step.thinking.text, step.reply.text, step.action, step.result?.text ?? '', JSON.stringify(step.calls)].join('\n').toLowerCase();
}

/** The next step after `from` that holds the query, in reading order (row by row, hint first), starting over at the end; null when there is none. */
export function findStep(pair: TranscriptPair, query: string, from: { arm: ArmName; step: number } | null): { arm: ArmName; step: number } | null {
  const all = (['hint', 'noHint'] as const)
    .flatMap((arm) => (pair[arm]?.steps ?? []).map((view) => ({ arm, step: view.step, text: textOf(view) })))
    .sort((a, b) => a.step - b.step || (a.arm === 'hint' ? -1 : 1));
  const start = from ? all.findIndex(({ arm, step }) => arm === from.arm && step === from.step) + 1 : 0;
  const wanted = query.toLowerCase();
  const found = [...all.slice(start), ...all.slice(0, start)].find(({ text }) => text.includes(wanted));
  return found ? { arm: found.arm, step: found.step } : null;
}
