import type { HostEvent, OpResult, PlanOp, ProbePlan, RunEvidence, SentOps, SideEffects, SnapshotResult } from '../../shared/hostProtocol';
import type { PlanOutcome, SessionEnd } from '../../core/ports';
import { inFull } from './plainStep';

type ProgressFrame = Extract<HostEvent, { event: 'progress' }>;
type RunFrame = Extract<HostEvent, { event: 'run' }>;

const NO_EFFECTS: SideEffects = { printed: 0, printLines: [], audits: [], globalChanges: [] };

/** Evidence of a run while it comes in. */
interface OpenRun {
  readonly id: string;
  readonly ops: Map<number, OpResult[]>;
  effects: SideEffects;
  next: number;
}

/** Puts the evidence of a plan together from its frames, and tells at any moment what is being done. */
export class PlanCollector {
  private readonly runs: RunEvidence[] = [];
  private open: OpenRun | null = null;
  private readonly states = new Map<string, SnapshotResult>();
  private readonly opsById: ReadonlyMap<string, readonly PlanOp[]>;

  constructor(private readonly plan: ProbePlan) {
    this.opsById = new Map(plan.runs.map(({ id, ops }) => [id, ops]));
  }

  /** The operation that is under way; null before the first frame. */
  get current(): PlanOp | null {
    return this.open && (this.opsOf(this.open.id)[this.open.next] ?? null);
  }

  /** Takes a frame in; false when it is out of the protocol. */
  take(frame: ProgressFrame | RunFrame): boolean {
    return frame.event === 'progress' ? this.progress(frame) : this.finish(frame.run);
  }

  private progress({ run, next, ops, effects }: ProgressFrame): boolean {
    if (this.open?.id !== run) this.open = { id: run, ops: new Map(), effects: NO_EFFECTS, next };
    this.open.next = next;
    if (effects) this.open.effects = effects;
    return this.add(run, this.open.ops, ops);
  }

  private finish(run: RunFrame['run']): boolean {
    const ops = this.open?.id === run.id ? this.open.ops : new Map<number, OpResult[]>();
    const added = this.add(run.id, ops, run.ops);
    this.runs.push({ ...run, ops: listed(ops) });
    this.open = null;
    return added;
  }

  /** All evidence so far; with `end`, also of the run that the end cut short, and where that was. */
  outcome(end: SessionEnd | null): PlanOutcome {
    if (end === null) return { runs: this.runs, end: null };
    const { id, next, action } = this.position();
    const cut = this.open && { id: this.open.id, ops: listed(this.open.ops), effects: this.open.effects, complete: false };
    return { runs: cut ? [...this.runs, cut] : this.runs, end: { ...end, run: id, op: next, action } };
  }

  /** Adds results in full; false when the host names a state that it never told. */
  private add(run: string, into: Map<number, OpResult[]>, ops: SentOps): boolean {
    for (const { index, results } of ops) {
      const known = into.get(index) ?? [];
      into.set(index, known);
      const op = this.opsOf(run)[index];
      for (const result of results) {
        if (result.kind === 'steps') for (const step of result.steps) known.push(inFull(step, actionAt(op, known.length) ?? ''));
        else if (result.kind === 'known') {
          const state = this.states.get(result.digest);
          if (state === undefined) return false;
          known.push(state);
        } else known.push(result);
        if (result.kind === 'snapshot') this.states.set(result.digest, result);
      }
    }
    return true;
  }

  private opsOf(run: string): readonly PlanOp[] {
    return this.opsById.get(run) ?? [];
  }

  /** Where the plan stands: between runs, at the start of the one that comes. */
  private position(): { id: string; next: number; action: string | null } {
    if (this.open === null) return { id: this.plan.runs[this.runs.length]?.id ?? '', next: 0, action: null };
    const { id, next, ops } = this.open;
    return { id, next, action: actionAt(this.opsOf(id)[next], ops.get(next)?.length ?? 0) };
  }
}

/** The action of a `steps` operation after `made` steps, as the plan words it: its `<solution()>` is not put in. */
function actionAt(op: PlanOp | undefined, made: number): string | null {
  if (op?.op !== 'steps') return null;
  const action = op.actions[made % op.actions.length];
  if (!action) return null;
  return action.boxed && !action.text.includes('\\boxed') ? `\\boxed{${action.text}}` : action.text;
}

function listed(ops: ReadonlyMap<number, OpResult[]>): RunEvidence['ops'] {
  return [...ops].map(([index, results]) => ({ index, results }));
}
