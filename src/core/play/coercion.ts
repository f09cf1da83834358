import type { StepResult, WireText, WireValue } from '../../shared/hostProtocol';
import { fromJsonNumber } from '../../shared/json';

/** A step as the run's wrapper passes it on (run contract §2.5): flags through `bool`, the reward through `float`. */
export interface CoercedStep {
  readonly observation: string;
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
  /** Why the wrapper would have failed on it, null when it did not: then it is a terminal step of reward -1. */
  readonly failure: string | null;
}

/** What the run's wrapper makes of a step that raised, or that it cannot coerce. */
export function failedStep(failure: string): CoercedStep {
  return { observation: '', reward: -1, terminated: true, truncated: false, failure };
}

/** Coerces what `step` gave. */
export function coerceStep(result: StepResult): CoercedStep {
  if (result.shape) return failedStep(`step returned ${result.shape.type} and not five values`);
  const reward = toFloat(result.reward);
  if (reward === null) return failedStep(`the reward ${result.reward.repr} is not a number`);
  return {
    observation: coerceObservation(result.observation),
    reward,
    terminated: toBool(result.terminated),
    truncated: toBool(result.truncated),
    failure: null,
  };
}

/** The text of an observation; None becomes a text too. */
export function coerceObservation({ type, text }: WireText): string {
  return type === 'NoneType' && text === '' ? 'None' : text;
}

function toFloat({ type, number, json, repr }: WireValue): number | null {
  if (number !== undefined) return fromJsonNumber(number);
  if (type === 'int') return Number(repr);
  if (typeof json !== 'string') return null;
  const text = json.trim().replace(/_/g, '');
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (/^[+-]?(inf|infinity)$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^[+-]?nan$/i.test(text) ? NaN : null;
}

function toBool({ type, number, json }: WireValue): boolean {
  if (number !== undefined) return fromJsonNumber(number) !== 0;
  if (type === 'NoneType') return false;
  if (json === undefined) return true;
  if (typeof json === 'object' && json !== null) return Object.keys(json).length > 0;
  return Boolean(json);
}
