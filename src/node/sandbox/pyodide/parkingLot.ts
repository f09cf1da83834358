import fs from 'node:fs/promises';
import path from 'node:path';
import { makePrivateFolder, removePrivateFolder } from '../privateFolder';

/** Parked sessions as files of a folder of its own, which only this user can read and which goes when it is disposed of. */
export class ParkingLot {
  private folder: string | null = null;
  private next = 0;

  constructor(private readonly parent: string) {}

  /** Keeps a parked session; gives its file. */
  async put(image: Buffer): Promise<string> {
    this.folder ??= makePrivateFolder(this.parent);
    const file = path.join(this.folder, `${this.next++}.session`);
    await fs.writeFile(file, image, { mode: 0o600 });
    return file;
  }

  /** Takes a parked session out. */
  async take(file: string): Promise<Buffer> {
    const image = await fs.readFile(file);
    this.drop(file);
    return image;
  }

  drop(file: string): void {
    fs.rm(file, { force: true }).catch(() => undefined);
  }

  dispose(): void {
    if (this.folder) removePrivateFolder(this.folder);
    this.folder = null;
  }
}
