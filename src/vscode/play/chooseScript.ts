import * as vscode from 'vscode';
import { z } from 'zod';
import { movesToReplay } from '../../core/play/replay';
import { episodesOf, type SavedEpisode, type SavedSession } from '../../core/play/sessionRecord';
import { EnvwrightError } from '../../core/errors';
import { message, type Message } from '../../shared/message';
import { BACK, type Choice } from '../interaction';
import { localize } from '../localize';
import { sessionWords } from './comparisonView';
import type { PlayerParts } from './playerParts';
import type { GivenScript } from './policies';

/** Earlier sessions whose episodes are offered. */
const SESSIONS = 3;

/** Asks for the actions of a saved episode, or a file of actions (a JSON array of texts). Undefined when dismissed. */
export async function chooseScript(uri: vscode.Uri, { sessions, interaction }: PlayerParts, shown: SavedSession | undefined): Promise<GivenScript | undefined> {
  const earlier = (await sessions.of(uri)).filter(({ header }) => header.id !== shown?.header.id).slice(0, SESSIONS);
  const all = [...(shown ? [shown] : []), ...await Promise.all(earlier.map(({ header }) => sessions.read(uri, header.id)))];
  const fromFile: Choice<GivenScript | 'file'> = { label: vscode.l10n.t('From a file…'), description: vscode.l10n.t('A JSON array of texts'), value: 'file' };
  const chosen = await interaction.pick<GivenScript | 'file'>({
    title: vscode.l10n.t('Actions to play'),
    choices: [fromFile, ...all.flatMap((session) => [{ separator: localize(sessionWords(session.header)) }, ...choicesOf(session)])],
  });
  if (chosen === BACK || chosen === undefined) return undefined;
  if (chosen !== 'file') return chosen;
  const file = await interaction.chooseFile(vscode.l10n.t('Choose Actions'), ['json']);
  return file && scriptOfFile(file);
}

function choicesOf(session: SavedSession): Choice<GivenScript>[] {
  return (['hint', 'noHint'] as const).flatMap((arm) => episodesOf(session, arm)).filter(({ episode }) => episode.steps.length > 0).map((saved) => ({
    label: localize(episodeWords(saved)),
    description: vscode.l10n.t('{0} actions, {1}', saved.episode.steps.length, saved.episode.status),
    value: { moves: movesToReplay(saved.episode), label: message('Saved actions ({n})', { n: saved.episode.steps.length }) },
  }));
}

function episodeWords({ ref: { arm, seed, play } }: SavedEpisode): Message {
  if (seed === null) return arm === 'hint' ? message('Play {n}, with hint', { n: play + 1 }) : message('Play {n}, no hint', { n: play + 1 });
  return arm === 'hint' ? message('Seed {seed}, with hint', { seed }) : message('Seed {seed}, no hint', { seed });
}

/** @throws EnvwrightError `play/bad-script`. */
async function scriptOfFile(file: vscode.Uri): Promise<GivenScript> {
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  try {
    const moves = z.array(z.string()).min(1).parse(JSON.parse(text));
    return { moves, label: message('Saved actions ({n})', { n: moves.length }) };
  } catch (error) {
    throw new EnvwrightError('play/bad-script', message('{file} holds no actions.', { file: vscode.workspace.asRelativePath(file) }), message('Write them as a JSON array of texts, a reply each.'), { cause: error });
  }
}
