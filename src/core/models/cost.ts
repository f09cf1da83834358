import type { CallCost } from '../../shared/design';
import { message } from '../../shared/message';
import type { ChatEvent, ChatRequest, Clock, ModelClient, ModelRole, Usage } from '../ports';
import { ModelError } from './errors';

export const NO_COST: CallCost = { calls: 0, promptTokens: 0, completionTokens: 0, ms: 0 };

/** The cost of one call. */
export function costOf(usage: Usage | null, ms: number): CallCost {
  return { calls: 1, promptTokens: usage?.promptTokens ?? null, completionTokens: usage?.completionTokens ?? null, ms };
}

/** Adds costs up; a count that one call does not know is unknown in the sum. */
export function sumCosts(costs: readonly CallCost[]): CallCost {
  const add = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return costs.reduce((sum, cost) => ({
    calls: sum.calls + cost.calls,
    promptTokens: add(sum.promptTokens, cost.promptTokens),
    completionTokens: add(sum.completionTokens, cost.completionTokens),
    ms: sum.ms + cost.ms,
  }), NO_COST);
}

/** What calls cost, by role. */
export class CostLedger {
  private readonly byRole = new Map<ModelRole, CallCost>();
  private counted = 0;

  /** Enters a call that gave a whole reply. */
  add(role: ModelRole, usage: Usage | null, ms: number): void {
    this.byRole.set(role, sumCosts([this.byRole.get(role) ?? NO_COST, costOf(usage, ms)]));
    this.counted += usage?.totalTokens ?? (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0);
  }

  roles(): readonly (readonly [ModelRole, CallCost])[] {
    return [...this.byRole];
  }

  /** Tokens that servers counted so far; calls that were not counted add nothing. */
  get countedTokens(): number {
    return this.counted;
  }
}

/** A budget of tokens; `ask` is called when it is used up, and true raises it by the same amount again. */
export interface TokenBudget {
  readonly tokens: number;
  ask(used: number): Promise<boolean>;
}

/**
 * A client whose calls are entered in a ledger. With a budget, no call begins once it is used up until the user has
 * allowed more; otherwise the call rejects with `model/budget`.
 */
export function metered(client: ModelClient, ledger: CostLedger, clock: Pick<Clock, 'now'>, budget?: TokenBudget): ModelClient {
  let allowed = budget?.tokens ?? Infinity;
  const stream = async function* (request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> {
    if (budget && ledger.countedTokens >= allowed) {
      if (!(await budget.ask(ledger.countedTokens))) throw overBudget(ledger.countedTokens);
      allowed = ledger.countedTokens + budget.tokens;
    }
    const started = clock.now();
    for await (const event of client.stream(request, signal)) {
      if (event.type === 'done') ledger.add(request.purpose?.role ?? 'agent', event.usage, clock.now() - started);
      yield event;
    }
  };
  return { name: client.name, simulated: client.simulated, stream };
}

function overBudget(used: number): ModelError {
  return new ModelError('budget', message('The budget of tokens is used up: {used} tokens.', { used }), message('Raise the budget, or stop here.'));
}
