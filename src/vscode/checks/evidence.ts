import * as vscode from 'vscode';
import type { Evidence, Finding } from '../../shared/findings';
import type { Message } from '../../shared/message';
import { localize } from '../localize';
import { plainLine } from '../../core/plainText';

/** Longest piece of an environment's text in a line of a diagnostic, in characters. */
const PIECE = 200;
/** Longest message: names and texts of the environment stand in it. */
const SAID = 2000;

/** A message of a check as one harmless line: what the environment said in it is text only. */
export function saidLine(text: Message): string {
  return plainLine(localize(text), SAID);
}

/** What a finding says, as one harmless line. */
export function findingText({ message }: Pick<Finding, 'message'>): string {
  return saidLine(message);
}

/** What a probe saw, a line each: seed and actions that show it again, and the values that differ. Untrusted text, cut and made harmless. */
export function evidenceLines(evidence: Evidence | null): string[] {
  if (!evidence) return [];
  const { seed, seeds, actions, expected, actual, detail, traceback } = evidence;
  const lines: string[] = [];
  if (seed !== undefined) lines.push(seed === null ? vscode.l10n.t('Without a seed.') : vscode.l10n.t('Seed {0}.', seed));
  if (seeds?.length) lines.push(vscode.l10n.t('Seeds {0}.', seeds.join(', ')));
  if (actions?.length) lines.push(vscode.l10n.t('Actions: {0}', actions.map((action) => quoted(action)).join(', ')));
  if (expected !== undefined) lines.push(vscode.l10n.t('Expected: {0}', plainLine(expected, PIECE)));
  if (actual !== undefined) lines.push(vscode.l10n.t('Actual: {0}', plainLine(actual, PIECE)));
  if (detail !== undefined) lines.push(plainLine(detail, PIECE));
  if (traceback?.length) lines.push(...traceback.slice(-4).map((frame) => plainLine(frame, PIECE)));
  return lines;
}

/** A text in quotes as JSON writes it. What is spelled out stands as itself within them: the backslash of a sign is not one of the text. */
function quoted(text: string): string {
  return plainLine(JSON.stringify(text.length > PIECE ? `${text.slice(0, PIECE)}…` : text), Infinity);
}
