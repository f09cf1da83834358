import type * as vscode from 'vscode';
import type { Move } from '../../core/play/policy';
import type { PlayReport } from '../../shared/play';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { CommandDocuments, type CommandTarget } from '../commands/environmentDocument';
import type { CommandRegistry } from '../commands/register';
import type { ReadOnlyDocuments } from '../documents';
import { PlayerPanels } from '../panels/playerPanels';
import { requireTrust } from '../trust';
import type { PlayerParts } from './filePlayer';
import { Players } from './players';

/** What playing in the editor needs. */
export interface PlayParts extends PlayerParts {
  readonly extension: vscode.Uri;
  readonly documents: ReadOnlyDocuments;
}

/** The players and their panels. */
export class Play implements Disposable {
  private readonly owned = new DisposableStore();
  readonly players: Players;
  /** Finds the file that a command is about: also the one whose player is in front. */
  readonly targets: CommandDocuments;

  private readonly panels: PlayerPanels;

  constructor(commands: CommandRegistry, parts: PlayParts) {
    const players = (this.players = this.owned.add(new Players(parts)));
    const panels = this.panels = this.owned.add(new PlayerPanels((uri) => Promise.resolve(players.at(uri)), {
      extension: parts.extension,
      showText: (name, text) => parts.documents.show(name, text, 'plaintext'),
      onDefect: (error) => parts.log.error('A player’s page met a defect.', error),
    }));
    this.targets = new CommandDocuments(() => panels.active);
    this.owned.add(commands.register('play', async (target: CommandTarget) => {
      requireTrust();
      await panels.show((await this.targets.of(target)).uri);
    }));
  }

  /** Shows the player of a file and plays given actions on one instance in it. */
  async playScript(uri: vscode.Uri, seed: number, script: readonly Move[]): Promise<PlayReport> {
    requireTrust();
    await this.panels.show(uri);
    return this.players.of(uri).playScript(seed, script);
  }

  dispose(): void {
    this.owned.dispose();
  }
}
