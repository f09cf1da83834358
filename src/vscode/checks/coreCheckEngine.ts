import type { Disposable } from '../../core/lifecycle';
import type { InterpreterFacts } from '../../core/environment/pythonFile';
import type { FileReport } from '../../shared/findings';
import { message } from '../../shared/message';
import type { FullChecks, NodePorts, StaticChecks } from '../nodePorts';
import type { SandboxSource } from '../sandboxSource';
import type { CheckEngine, CheckSubject, TextReport } from './checkEngine';

/** The checks of `core`, loaded with the first file that may be an environment. */
export class CoreCheckEngine implements CheckEngine, Disposable {
  private started: StaticChecks | undefined;
  private thread: FullChecks | undefined;

  constructor(
    private readonly ports: Pick<NodePorts, 'staticChecks' | 'fullChecks'>,
    private readonly sandbox: SandboxSource,
  ) {}

  async byText({ key, text, file, profile, suppressions = [], severityOverrides }: CheckSubject, signal?: AbortSignal): Promise<TextReport> {
    const checks = (this.started ??= await this.ports.staticChecks());
    const { catalog, checkById } = await import('../../core/checks/catalog');
    const { appliesTo } = await import('../../core/checks/check');
    const { applySuppressions, contentHash } = await import('../../core/checks/suppression');
    const { overridden, verdictOf } = await import('../../core/checks/verdict');
    const started = performance.now();
    const judged = await checks.check(key, text, { profile: profile ?? null, interpreter: this.interpreter() }, signal);
    const { findings } = overridden(judged.findings, severityOverrides);
    // A run may still find what was silenced, so that only a changed text makes a silencing stale here.
    const decided = applySuppressions(findings, suppressions, { file, hash: await contentHash(text), made: () => false, known: (id) => checkById(id) !== undefined });
    const [open, suppressed] = [[...decided.open], [...decided.suppressed]];
    const reason = message('Not run yet: this is what the text alone tells.');
    return {
      anchor: judged.anchor,
      report: {
        file,
        class: judged.className,
        profile: judged.profile,
        findings: open,
        suppressed,
        ...(decided.stale.length > 0 && { staleSuppressions: [...decided.stale] }),
        verdict: verdictOf({ open, suppressed, cannotRun: false, staticOnly: true }),
        notChecked: catalog.filter((check) => check.stages.includes('probe') && appliesTo(check, judged.profile)).map(({ id }) => ({ id, reason })),
        timing: { staticMs: performance.now() - started, probeMs: null },
      },
    };
  }

  /** The interpreter that would run the file, null until the sandbox is up: the text is judged without starting it. */
  private interpreter(): InterpreterFacts | null {
    const { state } = this.sandbox;
    return state.kind === 'ready' ? { python: state.sandbox.python, packages: state.sandbox.packages } : null;
  }

  async full({ key: _key, ...input }: CheckSubject, signal: AbortSignal): Promise<FileReport> {
    const checks = (this.thread ??= await this.ports.fullChecks());
    return checks.check(input, this.sandbox, signal);
  }

  dispose(): void {
    this.started?.dispose();
    this.thread?.dispose();
  }

  forget(key: string): void {
    this.started?.forget(key);
  }
}
