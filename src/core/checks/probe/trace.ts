import type { LineTrace } from '../../../shared/hostProtocol';
import type { EpisodeSpec, StepLines } from './facts';
import type { Job, JobFacts } from './plan';

/** What makes two steps the same: how the episode was built, its seed, and the moves up to the step. */
function keyOf(spec: EpisodeSpec, turn: number): string {
  return JSON.stringify([spec.seed, spec.construction, spec.maxTurns, spec.thread, spec.disturb, spec.disturbance, spec.moves.slice(0, turn + 1)]);
}

/** Collects which steps a judgement wants traced, and tells their lines once they are. */
export class TraceBook implements StepLines {
  private readonly wanted = new Map<string, { spec: EpisodeSpec; turn: number }>();
  private readonly known = new Map<string, LineTrace>();
  asked = 0;

  of(spec: EpisodeSpec, turn: number): LineTrace | undefined {
    const key = keyOf(spec, turn);
    const lines = this.known.get(key);
    if (lines === undefined && turn >= 0) {
      this.asked += 1;
      this.wanted.set(key, { spec, turn });
    }
    return lines;
  }

  /** The episodes to play again with tracing on; empty when nothing is wanted. */
  jobs(): Job[] {
    return [...this.wanted.values()].map(({ spec, turn }): Job => ({
      kind: 'episodes', trace: true, specs: [{ ...spec, moves: spec.moves.slice(0, turn + 1), snapshots: false, solutions: false, criteria: false }],
    }));
  }

  /** Takes in what {@link jobs} gave. */
  learn(facts: readonly JobFacts[]): void {
    for (const fact of facts.flatMap((job) => (job.kind === 'episodes' ? job.facts : []))) {
      const turn = fact === undefined ? -1 : fact.spec.moves.length - 1;
      const lines = fact?.turns[turn]?.step?.trace;
      if (fact !== undefined && lines !== undefined) this.known.set(keyOf(fact.spec, turn), lines);
    }
    this.wanted.clear();
  }
}
