import * as vscode from 'vscode';
import type { Move } from '../../core/play/policy';
import type { PlayReport } from '../../shared/play';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import { chooseEnvironment } from '../commands/chooseEnvironment';
import { CommandDocuments, type CommandTarget } from '../commands/environmentDocument';
import type { CommandRegistry } from '../commands/register';
import type { ReadOnlyDocuments } from '../documents';
import { PlayerPanels } from '../panels/playerPanels';
import { setContext } from '../context';
import { findEnvironments } from '../trees/environmentsTree';
import { requireTrust } from '../trust';
import type { FilePlayer } from './filePlayer';
import type { PlayerParts } from './playerParts';
import { AgentContext } from './agentContext';
import { LinesInEditor } from './linesInEditor';
import { Players } from './players';
import type { LinkedRun } from '../run/linkedRun';
import { PlaySessions } from './sessions';
import { PlayWeights } from './weights';
import type { NodePorts } from '../nodePorts';

/** What playing in the editor needs. */
export interface PlayParts extends Omit<PlayerParts, 'sessions' | 'lines' | 'weights' | 'context'> {
  readonly documents: ReadOnlyDocuments;
  readonly ports: Pick<NodePorts, 'files' | 'contextOf'>;
  readonly run: LinkedRun;
}

/** A saved session as a row of a view hands it to commands. */
export interface SessionTarget {
  readonly file: vscode.Uri;
  readonly sessionId: string;
}

/** The players, their panels, and the sessions they save. */
export class Play implements Disposable {
  private readonly owned = new DisposableStore();
  readonly players: Players;
  readonly sessions: PlaySessions;
  readonly lines: LinesInEditor;
  /** Finds the file that a command is about: also the one whose player is in front. */
  readonly targets: CommandDocuments;

  private readonly panels: PlayerPanels;
  private readonly parts: PlayerParts;

  constructor(commands: CommandRegistry, { documents, ports, run, ...shared }: PlayParts) {
    this.sessions = this.owned.add(new PlaySessions(ports));
    this.lines = this.owned.add(new LinesInEditor());
    const weights = this.owned.add(new PlayWeights(run, (error) => shared.log.error('The weights of the linked run cannot be read.', error)));
    const context = this.owned.add(new AgentContext(shared.models, ports, (error) => shared.log.info(`The server does not tell its context: ${String(error)}`)));
    const parts: PlayerParts = this.parts = { ...shared, sessions: this.sessions, lines: this.lines, weights, context };
    const players = (this.players = this.owned.add(new Players(parts)));
    const panels = this.panels = this.owned.add(new PlayerPanels((uri) => Promise.resolve(players.at(uri)), {
      extension: parts.extension,
      showText: (name, text) => documents.show(name, text, 'plaintext'),
      onDefect: (error) => parts.log.error('A player’s page met a defect.', error),
    }));
    this.targets = new CommandDocuments(() => panels.active, () => chooseEnvironment(async () => (await findEnvironments()).uris, parts.store, parts.interaction));
    this.owned.add(parts.results.onDidChange(() => setContext('hasPlayed', true)));
    this.owned.add(commands.register('play', async (target: CommandTarget) => {
      await this.shownPlayer(target);
    }));
    this.owned.add(commands.register('openSession', (target: SessionTarget | CommandTarget) => this.openSession(target)));
    this.owned.add(commands.register('deleteSession', (target?: SessionTarget) => this.deleteSession(target)));
    this.owned.add(commands.register('compareSessions', async (target: CommandTarget) => (await this.shownPlayer(target)).open('compare', null)));
    this.owned.add(commands.register('exportSession', async (target: CommandTarget) => (await this.playerOf(target)).open('export', null)));
    this.owned.add(commands.register('replaySession', async (target: CommandTarget) => {
      const player = await this.shownPlayer(target);
      if (!player.shown) await this.openNewest(player);
      await player.replayAll();
    }));
    this.owned.add(commands.register('chooseScript', async (target: CommandTarget) => {
      const player = await this.shownPlayer(target);
      const { chooseScript } = await import('./chooseScript');
      const script = await chooseScript(player.uri, parts, player.shown);
      if (script) player.useScript(script);
    }));
    this.owned.add(commands.register('clearLines', () => this.lines.clear()));
  }

  /** Shows the player of a file and plays given actions on one instance in it. */
  async playScript(uri: vscode.Uri, seed: number, script: readonly Move[]): Promise<PlayReport> {
    requireTrust();
    await this.panels.show(uri);
    return this.players.of(uri).playScript(seed, script);
  }

  /** Fills a panel that the editor brings back after a reload, from what its page had saved. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.panels.deserializeWebviewPanel(panel, state);
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async playerOf(target: CommandTarget): Promise<FilePlayer> {
    requireTrust();
    return this.players.of((await this.targets.of(target)).uri);
  }

  private async shownPlayer(target: CommandTarget): Promise<FilePlayer> {
    const player = await this.playerOf(target);
    await this.panels.show(player.uri);
    return player;
  }

  /** A row of a view opens its session; from the palette it is asked which. */
  private async openSession(target: SessionTarget | CommandTarget): Promise<void> {
    if (target && 'sessionId' in target) return (await this.shownPlayer(target.file)).openSession(target.sessionId);
    await (await this.shownPlayer(target)).open('session', null);
  }

  private async openNewest(player: FilePlayer): Promise<void> {
    const [newest] = await this.sessions.of(player.uri);
    if (!newest) throw new EnvwrightError('play/no-sessions', message('There is no saved session of this file.'), message('Play it first: every set of plays is saved in the workspace.'));
    await player.openSession(newest.header.id);
  }

  private async deleteSession(target: SessionTarget | undefined): Promise<void> {
    requireTrust();
    if (!target) return;
    const agreed = await this.parts.interaction.confirm({
      message: vscode.l10n.t('Delete this session?'), detail: vscode.l10n.t('Its plays are deleted from the disk. This cannot be undone.'), accept: vscode.l10n.t('Delete'),
    });
    if (!agreed) return;
    await this.sessions.remove(target.file, target.sessionId);
    this.players.of(target.file).forget(target.sessionId);
  }
}
