import * as vscode from 'vscode';
import { z } from 'zod';
import { EnvwrightError } from '../../core/errors';
import type { FileReport, Finding } from '../../shared/findings';
import { message } from '../../shared/message';
import type { CheckStore } from './checkStore';

/** Names a finding of a document, as commands carry it. */
export const FindingRef = z.object({ uri: z.string(), id: z.string(), line: z.int(), column: z.int() });
export type FindingRef = z.infer<typeof FindingRef>;

/** A finding with the document and the judgement that it is part of. */
export interface FoundFinding {
  readonly uri: vscode.Uri;
  readonly finding: Finding;
  readonly report: FileReport;
}

/** The reference to a finding. */
export function refOf(uri: vscode.Uri, { id, line, column }: Finding): FindingRef {
  return { uri: uri.toString(), id, line, column };
}

/** What is said about a file besides its checks: by models and plays. */
export interface Opinions {
  of(uri: vscode.Uri): readonly Finding[];
}

/** The finding that is meant, of the checks or of those who say something besides. @throws EnvwrightError `checks/no-finding` when it is not there any more. */
export function findingAt(store: CheckStore, opinions: Opinions, ref: FindingRef): FoundFinding {
  const uri = vscode.Uri.parse(ref.uri);
  const report = store.get(uri)?.report;
  const finding = [...(report?.findings ?? []), ...opinions.of(uri)].find(({ id, line, column }) => id === ref.id && line === ref.line && column === ref.column);
  if (!report || !finding) {
    throw new EnvwrightError('checks/no-finding', message('{id} finds nothing there any more.', { id: ref.id }), message('Check the file again.'));
  }
  return { uri, finding, report };
}
