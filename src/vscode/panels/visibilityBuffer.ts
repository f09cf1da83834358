import type { Disposable } from '../../core/lifecycle';

/** Where a buffer sends: whole snapshots by name, and what streams between them. */
export interface Outlet<Name extends string, Item> {
  /** Makes the snapshot of this name now and sends it. */
  snapshot(name: Name): void;
  stream(items: readonly Item[]): void;
}

/** Milliseconds between two snapshots, and between two bundles of what streams: the page draws once a frame. */
const SNAPSHOT_MS = 100;
const STREAM_MS = 16;

/**
 * Keeps a hidden webview quiet: it gets nothing, and one fresh snapshot of everything that changed on its return. While it
 * is visible, changes are bundled; what streams is dropped when hidden, since snapshots hold it.
 */
export class VisibilityBuffer<Name extends string, Item> implements Disposable {
  private readonly stale = new Set<Name>();
  private items: Item[] = [];
  private visible = false;
  private snapshotTimer: ReturnType<typeof setTimeout> | undefined;
  private streamTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly outlet: Outlet<Name, Item>) {}

  /** Says that a snapshot is out of date; it is made when it can be shown. `now`: without waiting for others. */
  invalidate(name: Name, now = false): void {
    this.stale.add(name);
    if (!this.visible) return;
    if (now) this.flush();
    else this.snapshotTimer ??= setTimeout(() => this.flush(), SNAPSHOT_MS);
  }

  /** Adds to what streams. */
  push(item: Item): void {
    if (!this.visible) return;
    this.items.push(item);
    this.streamTimer ??= setTimeout(() => this.drain(), STREAM_MS);
  }

  /** Says whether the page can be seen; on its return everything stale is sent at once. */
  setVisible(visible: boolean): void {
    this.visible = visible;
    if (visible) this.flush();
    else this.quieten();
  }

  dispose(): void {
    this.visible = false;
    this.quieten();
  }

  private quieten(): void {
    clearTimeout(this.snapshotTimer);
    clearTimeout(this.streamTimer);
    this.snapshotTimer = this.streamTimer = undefined;
    this.items = [];
  }

  /** Snapshots go before what streams on top of them, and hold what streamed until now. */
  private flush(): void {
    this.drain();
    clearTimeout(this.snapshotTimer);
    this.snapshotTimer = undefined;
    const names = [...this.stale];
    this.stale.clear();
    for (const name of names) this.outlet.snapshot(name);
  }

  private drain(): void {
    clearTimeout(this.streamTimer);
    this.streamTimer = undefined;
    const items = this.items;
    this.items = [];
    if (items.length > 0) this.outlet.stream(items);
  }
}
