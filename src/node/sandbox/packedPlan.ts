import type { ProbePlan, SentPlan } from '../../shared/hostProtocol';

/** A text shorter than this crosses as it is. */
const LONG = 2000;
/** The same character again and again, as inputs have it that are long for the sake of it. */
const REPEATED = /([\s\S])\1{999,}/;

function shortened(text: string): SentPlan['texts'][number] {
  const found = text.length < LONG ? null : REPEATED.exec(text);
  if (found === null) return text;
  const [all, one = ''] = found;
  return [text.slice(0, found.index), one, all.length, text.slice(found.index + all.length)];
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
