import { environmentAnchor, mayBeEnvironment } from '../../core/environment/looksLikeEnvironment';
import type { PythonFile } from '../../core/environment/pythonFile';
import type { FileReport } from '../../shared/findings';
import { message } from '../../shared/message';
import type { NodePorts } from '../nodePorts';
import type { SandboxSource } from '../sandboxSource';
import type { CheckEngine, CheckSubject } from './checkEngine';

/** The checks of `core`, loaded with the first file that may be an environment. */
export class CoreCheckEngine implements CheckEngine {
  constructor(
    private readonly ports: Pick<NodePorts, 'parser'>,
    private readonly sandbox: SandboxSource,
  ) {}

  async recognise(subject: CheckSubject) {
    return mayBeEnvironment(subject.text) ? environmentAnchor(await this.parse(subject)) : undefined;
  }

  async staticReport(subject: CheckSubject): Promise<FileReport> {
    const { checkStatically } = await import('../../core/checks/static/run');
    const { catalog } = await import('../../core/checks/catalog');
    const { className, profile, findings } = checkStatically(await this.parse(subject), null);
    return {
      file: subject.file, class: className, profile, findings: [...findings], suppressed: [],
      verdict: findings.some(({ severity }) => severity === 'error') ? 'reject' : 'accept',
      notChecked: catalog.filter(({ stages }) => stages.includes('probe')).map(({ id }) => ({ id, reason: message('not run') })),
      timing: { staticMs: 0, probeMs: null },
    };
  }

  async fullReport(subject: CheckSubject, signal: AbortSignal): Promise<FileReport> {
    await this.sandbox.get(signal);
    return this.staticReport(subject);
  }

  private async parse({ text }: CheckSubject): Promise<PythonFile> {
    const { PythonFile } = await import('../../core/environment/pythonFile');
    const tree = (await this.ports.parser()).parse(text);
    try {
      return new PythonFile(text, tree);
    } finally {
      tree.delete();
    }
  }
}
