import * as vscode from 'vscode';
import type { Disposable } from '../../core/lifecycle';
import { FilePlayer } from './filePlayer';
import type { PlayerParts } from './playerParts';

/** One player a file, for as long as the extension lives: its plays outlast the panel that shows them. */
export class Players implements Disposable {
  private readonly players = new Map<string, FilePlayer>();

  constructor(private readonly parts: PlayerParts) {}

  of(uri: vscode.Uri): FilePlayer {
    const key = uri.toString();
    const player = this.players.get(key) ?? new FilePlayer(uri, this.parts);
    this.players.set(key, player);
    return player;
  }

  /** The player of an address. */
  at(uri: string): FilePlayer {
    return this.of(vscode.Uri.parse(uri));
  }

  dispose(): void {
    for (const player of this.players.values()) player.dispose();
  }
}
