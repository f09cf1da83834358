import * as vscode from 'vscode';
import type { EnvironmentAnchor } from '../../core/environment/looksLikeEnvironment';
import { shiftRange } from '../../core/checks/shiftRange';
import { Emitter, type Disposable } from '../../core/lifecycle';
import type { FileReport, Finding } from '../../shared/findings';
import { fromEditorRange } from '../ranges';

/** What is known of a document. */
export interface Checked {
  readonly uri: vscode.Uri;
  /** The last judgement, and the version of the document that it judged. */
  readonly report: FileReport;
  readonly version: number;
  /** True when the environment was run for this text. */
  readonly probed: boolean;
  /** Findings of an earlier run that an edit since has not touched: shown until the next run, as such. */
  readonly earlier: readonly Finding[];
  /** Undefined when the file is checked by request and is no environment. */
  readonly anchor: EnvironmentAnchor | undefined;
  /** The last run: it stands again whenever the text is the one that was run. */
  readonly ran: { readonly text: string; readonly report: FileReport } | undefined;
}

/** A judgement of a version and its text. */
export type Judged = Pick<Checked, 'uri' | 'version' | 'report' | 'anchor'> & { readonly text: string };

/** The latest judgement of every open document. An older version never replaces a newer one. */
export class CheckStore implements Disposable {
  private readonly entries = new Map<string, Checked>();
  private readonly changes = new Emitter<vscode.Uri>();
  /** A document has a new judgement, or none any more. */
  readonly onDidChange = this.changes.event;

  get(uri: vscode.Uri): Checked | undefined {
    return this.entries.get(uri.toString());
  }

  all(): readonly Checked[] {
    return [...this.entries.values()];
  }

  /** Takes a judgement unless a newer one is there, or one of this version that saw more. */
  put({ uri, version, report: judged, anchor, text }: Judged): boolean {
    const ranNow = judged.timing.probeMs !== null;
    const known = this.get(uri);
    if (known && (known.version > version || (known.version === version && known.probed && !ranNow))) return false;
    const ran = ranNow ? { text, report: judged } : known?.ran;
    const probed = ran?.text === text;
    const report = probed ? ran.report : judged;
    const earlier = probed || !known ? [] : known.earlier;
    this.entries.set(uri.toString(), { uri, report, version, probed, earlier, anchor, ran });
    this.changes.fire(uri);
    return true;
  }

  /** Follows an edit: what a run found moves with its lines. */
  edit(uri: vscode.Uri, changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
    const known = this.get(uri);
    if (!known) return;
    let findings: readonly Finding[] = known.probed ? ranFindings(known.report) : known.earlier;
    for (const { range, text } of changes) {
      const change = { ...fromEditorRange(range), text };
      findings = findings.flatMap((finding) => {
        const moved = shiftRange(finding, change);
        return moved ? [{ ...finding, ...moved, fix: null, related: [] }] : [];
      });
    }
    this.entries.set(uri.toString(), { ...known, probed: false, earlier: findings });
  }

  delete(uri: vscode.Uri): void {
    if (this.entries.delete(uri.toString())) this.changes.fire(uri);
  }

  dispose(): void {
    this.changes.dispose();
  }
}

const ranFindings = (report: FileReport) => report.findings.filter(({ stage }) => stage !== 'static');
