import type { RunInventory } from './inventory';
import type { RunIndex } from './runIndex';

/** A run's index, opened when it is first asked for and brought up to date one change after the other. */
export class FollowedRun {
  private work: Promise<void> | undefined;

  constructor(private readonly index: RunIndex) {}

  /** What is there, with every change that was told of before. A failed opening is tried again by the next call. */
  async inventory(): Promise<RunInventory> {
    const opening = (this.work ??= this.index.open());
    try {
      await opening;
    } catch (error) {
      if (this.work === opening) this.work = undefined;
      throw error;
    }
    return this.index.inventory();
  }

  /** Looks again at these paths. Nothing is done before the index was asked for: opening reads everything. */
  update(paths: readonly string[]): Promise<void> {
    return this.next(() => this.index.update(paths));
  }

  /** Finds what no watcher told of, as on network disks; true when there was something. */
  async catchUp(): Promise<boolean> {
    let found = false;
    await this.next(async () => { found = await this.index.catchUp(); });
    return found;
  }

  private async next(work: () => Promise<void>): Promise<void> {
    if (this.work) await (this.work = this.work.then(work));
  }
}
