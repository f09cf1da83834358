import * as vscode from 'vscode';
import type { SessionSummary } from '../../core/play/sessionFiles';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import { BACK } from '../interaction';
import { localize } from '../localize';
import { sessionWords } from './comparisonView';
import type { FilePlayer } from './filePlayer';
import type { PlayerParts } from './playerParts';

const mean = (value: number | null): string => (value === null ? '–' : value.toFixed(2));

/** A session in a line: what it gave, and what is missing. */
export function sessionDescription({ noHint, hint, missing, damagedLines }: SessionSummary): string {
  return [
    hint ? vscode.l10n.t('with hint {0} (n {1})', mean(hint.mean), hint.n) : '',
    vscode.l10n.t('no hint {0} (n {1})', mean(noHint.mean), noHint.n),
    missing > 0 ? vscode.l10n.t('{0} not played', missing) : '',
    damagedLines > 0 ? vscode.l10n.t('{0} damaged lines', damagedLines) : '',
  ].filter((part) => part !== '').join(' · ');
}

/** A saved session in one line. */
export function sessionLabel({ header }: SessionSummary): string {
  return localize(sessionWords(header));
}

/** Asks for one of the saved sessions of a player's file. Undefined when dismissed. @throws EnvwrightError when there are none. */
async function choose(player: FilePlayer, { sessions, interaction }: PlayerParts, title: string): Promise<string | undefined> {
  const shown = player.shown?.header.id;
  const others = (await sessions.of(player.uri)).filter(({ header }) => header.id !== shown);
  if (others.length === 0) {
    throw new EnvwrightError('play/no-sessions', message('There is no other saved session of this file.'), message('Play it first: every set of plays is saved in the workspace.'));
  }
  const chosen = await interaction.pick({
    title, placeholder: vscode.l10n.t('Sessions of {0}, the newest first', vscode.workspace.asRelativePath(player.uri)),
    choices: others.map((summary) => ({ label: sessionLabel(summary), description: sessionDescription(summary), value: summary.header.id })),
  });
  return chosen === BACK ? undefined : chosen;
}

/** Puts a saved session on screen. */
export async function openChosen(player: FilePlayer, parts: PlayerParts): Promise<void> {
  const id = await choose(player, parts, vscode.l10n.t('Open a saved session'));
  if (id !== undefined) await player.openSession(id);
}

/** Compares what is on screen with a saved session. */
export async function compareChosen(player: FilePlayer, parts: PlayerParts): Promise<void> {
  if (!player.shown) throw new EnvwrightError('play/no-session', message('Nothing is on screen that could be compared.'), message('Play, or open a saved session.'));
  const id = await choose(player, parts, vscode.l10n.t('Compare with an earlier session'));
  if (id !== undefined) await player.compareWith(await parts.sessions.read(player.uri, id));
}
