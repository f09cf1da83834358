import { CheckRecords, chosenProfile, type Decisions } from '../../core/checks/records';
import type { FileStore } from '../../core/ports';
import { join } from '../../core/run/paths';
import { AuditJournal, workspaceJournal } from '../../core/review/audit/journal';
import { runAudit, type AuditProgress, type AuditResult } from '../../core/review/audit/runAudit';
import { keyOf, stampOf } from '../../core/review/audit/stamp';
import { timedSandbox } from '../../core/review/audit/timedSandbox';
import type { NodePorts } from '../nodePorts';
import type { SandboxSource } from '../sandboxSource';
import { readSetting } from '../settings';
import { requireTrust } from '../trust';
import { reviewRoot } from './workspace';

/** Files judged at the same time: the editor's own checks must still get their turn. */
const AT_ONCE = 3;

/** Audits with the editor's checks, sandbox and settings; what was judged is kept in the workspace's journal, which the command line shares. */
export class Auditor {
  private journal: { readonly root: string; readonly opened: Promise<AuditJournal> } | undefined;

  constructor(private readonly parts: { readonly ports: Pick<NodePorts, 'files' | 'fullChecks' | 'novelty'>; readonly sandbox: SandboxSource }) {}

  /** Judges files. @throws AbortError when the signal aborts; what was judged is kept. */
  async run(paths: readonly string[], onProgress: (progress: AuditProgress) => void, signal: AbortSignal): Promise<AuditResult> {
    requireTrust();
    const { ports, sandbox } = this.parts;
    const [files, checks, novelty] = await Promise.all([ports.files(), ports.fullChecks(), ports.novelty()]);
    return runAudit({
      files, journal: await this.opened(files),
      print: (text) => novelty.print(text),
      judge: async (input, aborted) => {
        const timed = timedSandbox(sandbox);
        return { report: await checks.check(input, timed, aborted), sandboxMs: timed.spentMs() };
      },
    }, {
      paths, stamp: await this.stamp(), decisions: await this.decisions(files), profile: null, input: { severityOverrides: readSetting('check.severities') }, atOnce: AT_ONCE, onProgress,
    }, signal);
  }

  /** What is known already of contents by their digest, without judging any. */
  async known(contents: readonly { readonly file: string; readonly hash: string }[]): Promise<ReadonlyMap<string, AuditProgress['report']['verdict']>> {
    requireTrust();
    const files = await this.parts.ports.files();
    const [journal, stamp, decisions] = [await this.opened(files), await this.stamp(), await this.decisions(files)];
    const verdicts = new Map<string, AuditProgress['report']['verdict']>();
    for (const { file, hash } of contents) {
      const profile = chosenProfile(decisions.profiles, { file, hash })?.profile ?? null;
      const entry = journal.get(await keyOf(stamp, hash, { profile, suppressions: decisions.suppressions }));
      if (entry) verdicts.set(hash, entry.report.verdict);
    }
    return verdicts;
  }

  private async opened(files: FileStore): Promise<AuditJournal> {
    const root = reviewRoot();
    if (this.journal?.root !== root) {
      const opened = workspaceJournal(files, root).then((path) => AuditJournal.open(files, path));
      this.journal = { root, opened };
      opened.catch(() => (this.journal = undefined));
    }
    return this.journal.opened;
  }

  private async stamp(): Promise<string> {
    return stampOf({ staticOnly: false, severities: readSetting('check.severities'), sandbox: await this.parts.sandbox.get() });
  }

  /** What the user decided, with files by their full paths. */
  private async decisions(files: FileStore): Promise<Decisions> {
    const root = reviewRoot();
    const { suppressions, profiles } = await new CheckRecords(files, root).read();
    const full = <T extends { readonly file: string }>(entry: T): T => ({ ...entry, file: join(root, entry.file) });
    return { suppressions: suppressions.map((entry) => (entry.scope === 'file' ? full(entry) : entry)), profiles: profiles.map(full) };
  }
}
