import type { ProbePlan, SentPlan } from '../../shared/hostProtocol';

/** A text shorter than this crosses as it is. */
const LONG = 2000;
/** The same character so often in a row, as inputs have it that are long for the sake of it, crosses once. */
const REPEATED = 1000;

function shortened(text: string): SentPlan['texts'][number] {
  if (text.length < LONG) return text;
  // By hand: a file chooses some of these texts, and an expression takes quadratic time for runs that are just too short.
  for (let start = 0, at = 1; at <= text.length; at += 1) {
    if (at < text.length && text.charCodeAt(at) === text.charCodeAt(start)) continue;
    // Halves of surrogate pairs stay where they are: the host would not join them again.
    if (at - start >= REPEATED && !/[\ud800-\udfff]/.test(text.charAt(start))) return [text.slice(0, start), text.charAt(start), at - start, text.slice(at)];
    start = at;
  }
  return text;
}

/** A plan as it crosses: each action is told once, and what the host takes for granted is left out. */
export function packed(plan: ProbePlan): SentPlan {
  const texts: SentPlan['texts'][number][] = [];
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    let number = numbers.get(text);
    if (number === undefined) {
      number = texts.push(shortened(text)) - 1;
      numbers.set(text, number);
    }
    return number;
  };
  const runs = plan.runs.map((run) => ({
    ...run,
    ops: run.ops.map((op): SentPlan['runs'][number]['ops'][number] => {
      if (op.op === 'steps') {
        const { count, on, stopAtEnd, trace } = op;
        const actions = op.actions.map((action) => (action.boxed ? action : numberOf(action.text)));
        return { op: op.op, ...(on === 0 ? {} : { on }), actions, count, ...(stopAtEnd ? {} : { stopAtEnd }), ...(trace ? { trace } : {}) };
      }
      if (op.op === 'openings') return { ...op, actions: op.actions.map(numberOf) };
      if (op.op !== 'construct') return op;
      const { on, construction, maxTurns, brief } = op;
      return { op: op.op, ...(on === 0 ? {} : { on }), construction, ...(maxTurns === null ? {} : { maxTurns }), ...(brief ? { brief } : {}) };
    }),
  }));
  return { ...plan, texts, runs };
}
