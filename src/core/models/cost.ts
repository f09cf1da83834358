import type { CallCost } from '../../shared/design';
import { message } from '../../shared/message';
import type { ChatEvent, ChatRequest, Clock, ModelClient, ModelRole, Usage } from '../ports';
import { ModelError } from './errors';
import { estimateTokens } from '../design/tokens';

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

/** What was added to a sum since it was `before`; unknown where either is. */
export function costSince(before: CallCost, now: CallCost): CallCost {
  const less = (a: number | null, b: number | null) => (a === null || b === null ? null : a - b);
  return {
    calls: now.calls - before.calls, promptTokens: less(now.promptTokens, before.promptTokens), completionTokens: less(now.completionTokens, before.completionTokens), ms: now.ms - before.ms,
  };
}

/** What calls cost, by role. */
export class CostLedger {
  private readonly byRole = new Map<ModelRole, CallCost>();
  private counted = 0;
  private guessed = 0;

  /** Enters a call. `estimate` stands in, for the budget alone, where the server counted nothing. */
  add(role: ModelRole, usage: Usage | null, ms: number, estimate = 0): void {
    this.byRole.set(role, sumCosts([this.of(role), costOf(usage, ms)]));
    const tokens = usage?.totalTokens ?? ((usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0) || null);
    if (tokens === null) this.guessed += estimate;
    else this.counted += tokens;
  }

  of(role: ModelRole): CallCost {
    return this.byRole.get(role) ?? NO_COST;
  }

  roles(): readonly (readonly [ModelRole, CallCost])[] {
    return [...this.byRole];
  }

  /** Tokens that servers counted so far. */
  get countedTokens(): number {
    return this.counted;
  }

  /** Tokens so far: counted, and estimated for calls that nobody counted or that broke off. */
  get tokens(): number {
    return this.counted + this.guessed;
  }
}

/** A budget of tokens of a ledger; `ask` is called when it is used up, and true raises it by the same amount again. 0: no budget. */
export interface TokenBudget {
  readonly tokens: number;
  ask(used: number): Promise<boolean>;
}

/** Lets calls begin while a budget lasts. Several calls that wait for the same answer ask once. */
export class BudgetGate {
  private allowed: number;
  private asking: Promise<boolean> | undefined;

  constructor(private readonly ledger: CostLedger, private readonly budget: TokenBudget) {
    this.allowed = budget.tokens;
  }

  /** @throws ModelError `budget` when it is used up and no more is granted. */
  async admit(): Promise<void> {
    const { tokens } = this.budget;
    if (tokens === 0) return;
    this.allowed = Math.max(this.allowed, tokens);
    if (this.ledger.tokens < this.allowed) return;
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    if (!(await this.asking)) throw overBudget(this.ledger.tokens);
  }

  /** For one work of many calls: what was refused once is not asked about again, at each of its calls. */
  forWork(): Pick<BudgetGate, 'admit'> {
    let refusal: ModelError | undefined;
    return {
      admit: async () => {
        if (refusal) throw refusal;
        await this.admit().catch((error: unknown) => {
          if (error instanceof ModelError) refusal = error;
          throw error;
        });
      },
    };
  }

  private async ask(): Promise<boolean> {
    const granted = await this.budget.ask(this.ledger.tokens);
    if (granted) this.allowed = this.ledger.tokens + this.budget.tokens;
    return granted;
  }
}

/**
 * A client whose calls are entered in a ledger, also those that fail or are cancelled after something arrived. With a
 * gate, no call begins once its budget is used up until the user has allowed more.
 */
export function metered(client: ModelClient, ledger: CostLedger, clock: Pick<Clock, 'now'>, gate?: Pick<BudgetGate, 'admit'>): ModelClient {
  const stream = async function* (request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> {
    await gate?.admit();
    const started = clock.now();
    let said = '';
    let usage: Usage | null | undefined;
    try {
      for await (const event of client.stream(request, signal)) {
        if (event.type === 'text' || event.type === 'reasoning') said += event.text;
        if (event.type === 'done') usage = event.usage;
        yield event;
      }
    } finally {
      const asked = request.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
      if (usage !== undefined || said !== '') ledger.add(request.purpose?.role ?? 'agent', usage ?? null, clock.now() - started, asked + estimateTokens(said));
    }
  };
  return { name: client.name, simulated: client.simulated, stream };
}

function overBudget(used: number): ModelError {
  return new ModelError('budget', message('The budget of tokens is used up: {used} tokens.', { used: used.toLocaleString('en') }), message('Raise the budget, or go on later: what was finished is kept.'));
}
