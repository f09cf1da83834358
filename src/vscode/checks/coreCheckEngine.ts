import type { FileReport } from '../../shared/findings';
import { message } from '../../shared/message';
import type { NodePorts, StaticChecks } from '../nodePorts';
import type { SandboxSource } from '../sandboxSource';
import type { CheckEngine, CheckSubject, TextReport } from './checkEngine';

/** The checks of `core`, loaded with the first file that may be an environment. */
export class CoreCheckEngine implements CheckEngine {
  private started: StaticChecks | undefined;

  constructor(
    private readonly ports: Pick<NodePorts, 'parser' | 'staticChecks'>,
    private readonly sandbox: SandboxSource,
  ) {}

  async byText({ key, text, file, profile }: CheckSubject, signal?: AbortSignal): Promise<TextReport> {
    const checks = (this.started ??= await this.ports.staticChecks());
    const { catalog } = await import('../../core/checks/catalog');
    const { appliesTo } = await import('../../core/checks/check');
    const { verdictOf } = await import('../../core/checks/verdict');
    const started = performance.now();
    const judged = await checks.check(key, text, { profile: profile ?? null, interpreter: null }, signal);
    const findings = [...judged.findings];
    const reason = message('Not run yet: this is what the text alone tells.');
    return {
      anchor: judged.anchor,
      report: {
        file,
        class: judged.className,
        profile: judged.profile,
        findings,
        suppressed: [],
        verdict: verdictOf({ open: findings, suppressed: [], cannotRun: false, staticOnly: true }),
        notChecked: catalog.filter((check) => check.stages.includes('probe') && appliesTo(check, judged.profile)).map(({ id }) => ({ id, reason })),
        timing: { staticMs: performance.now() - started, probeMs: null },
      },
    };
  }

  async full({ text, file, profile }: CheckSubject, signal: AbortSignal): Promise<FileReport> {
    const { checkFile } = await import('../../core/checks/checkFile');
    const deps = { parser: await this.ports.parser(), sandbox: this.sandbox };
    return checkFile(deps, { file, text, ...(profile && { profile }) }, signal);
  }

  forget(key: string): void {
    this.started?.forget(key);
  }
}
