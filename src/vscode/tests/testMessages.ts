import * as vscode from 'vscode';
import { counterexampleOf, type ReplayComparison } from '../../core/checks/replays';
import { REPLAYABLE } from '../../shared/contributions';
import type { Finding } from '../../shared/findings';
import { evidenceLines, findingText } from '../checks/evidence';
import type { Replayed } from '../checks/replays';
import { ownFrames } from '../checks/traceback';
import { plainLine, plainLines } from '../../core/plainText';
import { toEditorRange } from '../ranges';

/** Longest value in a comparison, in characters. */
const VALUE = 4000;

/** A finding as a failure: where, expected and actual, the traceback by lines. Everything of the environment is text only. */
export function failureOf(uri: vscode.Uri, file: string, finding: Finding): vscode.TestMessage {
  const { evidence } = finding;
  const text = [findingText(finding), ...evidenceLines(evidence)].join('\n');
  const failure = new vscode.TestMessage(text);
  if (evidence?.expected !== undefined && evidence.actual !== undefined) {
    failure.expectedOutput = plainLines(evidence.expected, VALUE);
    failure.actualOutput = plainLines(evidence.actual, VALUE);
  }
  const range = toEditorRange(finding);
  failure.location = new vscode.Location(uri, range);
  if (counterexampleOf(finding) !== null) failure.contextValue = REPLAYABLE;
  const frames = ownFrames(finding, file).map((frame) => new vscode.TestMessageStackFrame(plainLine(frame.function, 100), uri, toEditorRange(frame.range).start));
  if (frames.length > 0) failure.stackTrace = frames;
  return failure;
}

/** A kept counterexample that goes as it went before; shown at `place`, since an edit may have moved the line that it was found at. */
export function stillHappens(uri: vscode.Uri, { kept: { replay } }: Replayed, place: vscode.Range | undefined): vscode.TestMessage {
  const failure = new vscode.TestMessage(vscode.l10n.t('The counterexample still goes as recorded: {0}', plainLine(replay.said, VALUE)));
  if (replay.expected !== null && replay.actual !== null) {
    failure.expectedOutput = plainLines(replay.expected, VALUE);
    failure.actualOutput = plainLines(replay.actual, VALUE);
  }
  failure.location = new vscode.Location(uri, place ?? new vscode.Position(0, 0));
  return failure;
}

/** What became of a counterexample, in a few words. That it changed does not say that the fault is gone: the check says that. */
export function comparisonText(comparison: ReplayComparison): string {
  if (comparison.same) return vscode.l10n.t('same as recorded');
  return comparison.step === null ? vscode.l10n.t('changed since it was recorded') : vscode.l10n.t('changed at step {0}', comparison.step + 1);
}

/** Both sides of the first difference, for the output of a run. */
export function differenceLines(comparison: ReplayComparison): string[] {
  if (comparison.same) return [];
  return [vscode.l10n.t('Recorded: {0}', plainLine(comparison.before, 400)), vscode.l10n.t('Now: {0}', plainLine(comparison.after, 400))];
}
