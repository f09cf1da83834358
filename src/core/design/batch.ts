import { EnvwrightError, isCancelled } from '../errors';
import { ModelError } from '../models/errors';
import type { Draft, DesignEvent, DesignerPorts, DesignOptions } from './designer';
import { designDraft } from './designer';

/** How one task of a batch stands. */
export type BatchItem =
  | { readonly state: 'queued' | 'running' | 'cancelled' }
  | { readonly state: 'done'; readonly draft: Draft }
  | { readonly state: 'failed'; readonly error: EnvwrightError };

/** What happens in a batch: an item changed, or its draft did, or no further one is begun because the budget is used up. */
export type BatchEvent =
  | { readonly type: 'item'; readonly index: number; readonly item: BatchItem }
  | { readonly type: 'stopped'; readonly error: ModelError }
  | { readonly type: 'draft'; readonly index: number; readonly event: DesignEvent };

/** Several tasks, a number of them at the same time. `resume` holds items of an earlier batch: what is done is not made again. */
export interface BatchOptions {
  readonly tasks: readonly DesignOptions[];
  readonly concurrency: number;
  readonly resume?: readonly BatchItem[];
}

/**
 * Makes the drafts of all tasks and gives how each came out. One that fails does not stop the others; aborting `signal`
 * leaves what is done and marks the rest as cancelled, and so does a budget that is used up.
 */
export async function designBatch(ports: DesignerPorts, { tasks, concurrency, resume = [] }: BatchOptions, emit: (event: BatchEvent) => void, signal: AbortSignal): Promise<BatchItem[]> {
  const items: BatchItem[] = tasks.map((_, index) => (resume[index]?.state === 'done' ? resume[index] : { state: 'queued' }));
  const set = (index: number, item: BatchItem) => {
    items[index] = item;
    emit({ type: 'item', index, item });
  };
  const queue = items.flatMap(({ state }, index) => (state === 'queued' ? [index] : []));
  let stopped: ModelError | undefined;
  const stop = (error: ModelError) => {
    if (!stopped) emit({ type: 'stopped', error });
    stopped = error;
  };
  const work = async () => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
      const task = tasks[index];
      if (!task) continue;
      const at = index;
      if (signal.aborted || stopped) set(at, { state: 'cancelled' });
      else set(at, await one(ports, task, (event) => emit({ type: 'draft', index: at, event }), () => set(at, { state: 'running' }), stop, signal));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, queue.length) }, work));
  return items;
}

async function one(ports: DesignerPorts, task: DesignOptions, emit: (event: DesignEvent) => void, begin: () => void, stop: (error: ModelError) => void, signal: AbortSignal): Promise<BatchItem> {
  begin();
  try {
    const draft = await designDraft(ports, task, emit, signal);
    return signal.aborted && draft.stopped !== undefined ? { state: 'cancelled' } : { state: 'done', draft };
  } catch (error) {
    if (isCancelled(error)) return { state: 'cancelled' };
    if (error instanceof ModelError && error.kind === 'budget') {
      stop(error);
      return { state: 'cancelled' };
    }
    if (error instanceof EnvwrightError) return { state: 'failed', error };
    throw error;
  }
}
