import type { HostEvent, OpResult, PlanOp, ProbePlan, RunEvidence, SentOps, SentRun, SideEffects } from '../../shared/hostProtocol';
import type { PlanOutcome, SessionEnd } from '../../core/ports';
import { inFull } from './plainStep';

type ProgressFrame = Extract<HostEvent, { event: 'progress' }>;
type RunsFrame = Extract<HostEvent, { event: 'runs' }>;

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
  /** What was told, in full: its parts are shared by all results that name it. */
  private readonly told: OpResult[] = [];
  private readonly opsById: ReadonlyMap<string, readonly PlanOp[]>;

  constructor(private readonly plan: ProbePlan) {
    this.opsById = new Map(plan.runs.map(({ id, ops }) => [id, ops]));
  }

  /** The operation that is under way; null before the first frame. */
  get current(): PlanOp | null {
    return this.open && (this.opsOf(this.open.id)[this.open.next] ?? null);
  }

  /** Takes a frame in; false when it is out of the protocol. */
  take(frame: ProgressFrame | RunsFrame): boolean {
    for (const entry of frame.told ?? []) this.told.push(entry.kind === 'plain' ? inFull(entry.step, '') : entry);
    return frame.event === 'progress' ? this.progress(frame) : frame.runs.every((run) => this.finish(run));
  }

  private progress({ run, next, ops, effects }: ProgressFrame): boolean {
    if (this.open?.id !== run) this.open = { id: run, ops: new Map(), effects: NO_EFFECTS, next };
    this.open.next = next;
    if (effects) this.open.effects = effects;
    return this.add(run, this.open.ops, ops);
  }

  private finish({ id, ops: sent, effects = NO_EFFECTS }: SentRun): boolean {
    const ops = this.open?.id === id ? this.open.ops : new Map<number, OpResult[]>();
    const added = this.add(id, ops, sent);
    this.runs.push({ id, ops: listed(ops), effects, complete: true });
    this.open = null;
    return added;
  }

  /** Evidence of the runs that are over, in their order. */
  get complete(): readonly RunEvidence[] {
    return this.runs;
  }

  /** All evidence so far; with `end`, also of the run that the end cut short, and where that was. */
  outcome(end: SessionEnd | null): PlanOutcome {
    if (end === null) return { runs: this.runs, end: null };
    const { id, next, action } = this.position();
    const cut = this.open && { id: this.open.id, ops: listed(this.open.ops), effects: this.open.effects, complete: false };
    return { runs: cut ? [...this.runs, cut] : this.runs, end: { ...end, run: id, op: next, action } };
  }

  /** Adds results in full; false when the host names by number what it never told. */
  private add(run: string, into: Map<number, OpResult[]>, ops: SentOps): boolean {
    for (const { index, results } of ops) {
      let known = into.get(index);
      if (known === undefined) into.set(index, (known = []));
      for (const sent of results) {
        if (typeof sent === 'object' && 'kind' in sent && sent.kind === 'steps') {
          const op = this.opsOf(run)[index];
          for (let at = 0; at < sent.told.length; at += 1) {
            const step = this.told[sent.told[at]!];
            if (step?.kind !== 'step') return false;
            known.push({ ...step, action: actionAt(op, known.length) ?? '', ms: (sent.us[at] ?? 0) / 1000 });
          }
        } else if (typeof sent === 'object' && 'kind' in sent) known.push(sent);
        else {
          const [number, us] = typeof sent === 'number' ? [sent, null] : sent;
          const result = this.told[number];
          if (result === undefined || result.kind === 'step') return false;
          known.push(us === null || !('ms' in result) ? result : { ...result, ms: us / 1000 });
        }
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
