/** Something that must be let go of. */
export interface Disposable {
  dispose(): void;
}

/** Owns disposables: disposes them in reverse order, once; what is added after that is disposed at once. */
export class DisposableStore implements Disposable {
  private readonly items: Disposable[] = [];
  private disposed = false;

  /** Takes ownership and returns the item. */
  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.push(item);
    return item;
  }

  dispose(): void {
    this.disposed = true;
    for (let item = this.items.pop(); item; item = this.items.pop()) item.dispose();
  }
}

/** A list of listeners. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(event: T) => void>();

  /** Subscribes; disposing of the result unsubscribes. */
  readonly event = (listener: (event: T) => void): Disposable => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };

  fire(event: T): void {
    for (const listener of [...this.listeners]) listener(event);
  }

  dispose(): void {
    this.listeners.clear();
  }
}
