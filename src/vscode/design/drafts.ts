import type { CallCost } from '../../shared/design';
import type { Draft, DesignOptions } from '../../core/design/designer';
import type { KeptBatch, KeptDraft } from '../../core/design/storedDraft';
import { Emitter, type Disposable } from '../../core/lifecycle';
import { sumCosts } from '../../core/models/cost';
import type { FileStore, Logger, ModelRole } from '../../core/ports';

export type { KeptBatch, KeptDraft } from '../../core/design/storedDraft';

/** Drafts that are kept; older ones are forgotten. */
const MOST = 200;

/** Where drafts are kept between two sessions. */
export interface DraftPlace {
  readonly files: () => Promise<FileStore>;
  /** A folder of the extension for this workspace. */
  readonly folder: string;
  readonly log: Pick<Logger, 'warn'>;
}

/** The drafts and batches of this workspace, the latest first; each is a file, written when it changes. */
export class Drafts implements Disposable {
  private kept: readonly KeptDraft[] = [];
  private groups: readonly KeptBatch[] = [];
  private next = 1;
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private writing: Promise<void> = Promise.resolve();
  private loaded: Promise<void> | undefined;

  constructor(private readonly place: DraftPlace) {}

  get all(): readonly KeptDraft[] {
    return this.kept;
  }

  get batches(): readonly KeptBatch[] {
    return this.groups;
  }

  /** Reads what earlier sessions kept, once. */
  load(): Promise<void> {
    return (this.loaded ??= this.read().catch((error: unknown) => this.failed(error)));
  }

  async add(uri: string, options: DesignOptions, draft: Draft, { batch = null, again = false }: { readonly batch?: number | null; readonly again?: boolean } = {}): Promise<KeptDraft> {
    await this.load();
    const kept: KeptDraft = { id: this.next++, uri, options, draft, costs: { designer: draft.cost }, batch, ...(again && { again }) };
    this.kept = [kept, ...this.kept];
    for (const old of this.kept.slice(MOST)) this.discard(old.id);
    this.save(kept);
    return kept;
  }

  /** Says where the text of a draft stands now. */
  moved(id: number, uri: string): void {
    this.change(id, (kept) => ({ ...kept, uri }));
  }

  /** Enters what another role has used for the draft whose text this is. */
  addCost(text: string, role: ModelRole, cost: CallCost): void {
    const kept = this.keptOf(text);
    if (kept) this.change(kept.id, (old) => ({ ...old, costs: { ...old.costs, [role]: sumCosts([...(old.costs[role] ? [old.costs[role]] : []), cost]) } }));
  }

  discard(id: number): void {
    this.kept = this.kept.filter((draft) => draft.id !== id);
    this.changes.fire();
    this.write((files) => files.remove(this.path('draft', id)));
  }

  async addBatch(at: number, tasks: readonly DesignOptions[]): Promise<KeptBatch> {
    await this.load();
    const batch: KeptBatch = { id: this.next++, at, tasks, items: tasks.map(() => ({ state: 'queued' })) };
    this.groups = [batch, ...this.groups];
    this.saveBatch(batch);
    return batch;
  }

  setItem(id: number, index: number, item: KeptBatch['items'][number]): void {
    const batch = this.groups.find((other) => other.id === id);
    if (!batch) return;
    const changed = { ...batch, items: batch.items.map((old, at) => (at === index ? item : old)) };
    this.groups = this.groups.map((other) => (other.id === id ? changed : other));
    this.saveBatch(changed);
  }

  /** Forgets a batch and the drafts that it made. */
  discardBatch(id: number): void {
    this.groups = this.groups.filter((batch) => batch.id !== id);
    for (const draft of this.kept.filter(({ batch }) => batch === id)) this.discard(draft.id);
    this.changes.fire();
    this.write((files) => files.remove(this.path('batch', id)));
  }

  /** The draft that became this text, also after it was saved under a name; undefined when the text was edited since. */
  of(text: string): Draft | undefined {
    return this.keptOf(text)?.draft;
  }

  keptOf(text: string): KeptDraft | undefined {
    return this.kept.find(({ draft }) => draft.code.trim() !== '' && draft.code.trim() === text.trim());
  }

  /** Resolves when everything so far is on the disk. */
  flushed(): Promise<void> {
    return this.writing;
  }

  dispose(): void {
    this.changes.dispose();
  }

  private change(id: number, how: (kept: KeptDraft) => KeptDraft): void {
    const old = this.kept.find((draft) => draft.id === id);
    if (!old) return;
    const changed = how(old);
    this.kept = this.kept.map((draft) => (draft.id === id ? changed : draft));
    this.save(changed);
  }

  private save(kept: KeptDraft): void {
    this.changes.fire();
    this.write(async (files) => files.replace(this.path('draft', kept.id), (await stored()).draftText(kept), { flush: false }));
  }

  private saveBatch(batch: KeptBatch): void {
    this.changes.fire();
    this.write(async (files) => files.replace(this.path('batch', batch.id), (await stored()).batchText(batch), { flush: false }));
  }

  private path(what: 'draft' | 'batch', id: number): string {
    return `${this.place.folder}/${what}-${id}.json`;
  }

  /** One write after the other; a draft that cannot be kept is still there in this window. */
  private write(work: (files: FileStore) => Promise<unknown>): void {
    this.writing = this.writing.then(async () => {
      const files = await this.place.files();
      await files.makeFolder(this.place.folder);
      await work(files);
    }).catch((error: unknown) => this.failed(error));
  }

  private failed(error: unknown): void {
    this.place.log.warn(`Drafts could not be kept or read: ${error instanceof Error ? error.message : String(error)}`);
  }

  private async read(): Promise<void> {
    const [files, { readDraft, readBatch }] = [await this.place.files(), await stored()];
    const names = (await files.list(this.place.folder).catch(() => undefined)) ?? [];
    const drafts: KeptDraft[] = [];
    const batches: KeptBatch[] = [];
    for (const { name } of names) {
      const text = await files.read(`${this.place.folder}/${name}`).catch(() => undefined);
      const draft = text !== undefined && name.startsWith('draft-') ? readDraft(text) : undefined;
      const batch = text !== undefined && name.startsWith('batch-') ? readBatch(text) : undefined;
      if (!draft && !batch && /^(draft|batch)-/.test(name)) this.place.log.warn(`${this.place.folder}/${name} cannot be read as a kept draft and is left as it is.`);
      // An untitled document of another session is another document.
      if (draft) drafts.push({ ...draft, uri: '' });
      if (batch) batches.push(batch);
    }
    this.kept = [...this.kept, ...drafts].sort((a, b) => b.id - a.id);
    this.groups = [...this.groups, ...batches.map((batch) => withDrafts(batch, drafts))].sort((a, b) => b.id - a.id);
    this.next = Math.max(0, ...this.kept.map(({ id }) => id), ...this.groups.map(({ id }) => id)) + 1;
    this.changes.fire();
  }
}

/** The batch with every draft it made: a window that goes away between the two writes leaves a draft that its batch does not name. */
function withDrafts(batch: KeptBatch, drafts: readonly KeptDraft[]): KeptBatch {
  const named = new Set(batch.items.map((item) => (item.state === 'done' ? item.draft : null)));
  const items = [...batch.items];
  for (const { id, options } of drafts.filter((draft) => draft.batch === batch.id && !named.has(draft.id))) {
    const made = JSON.stringify(options);
    const at = items.findIndex(({ state }, index) => state !== 'done' && JSON.stringify(batch.tasks[index]) === made);
    if (at >= 0) items[at] = { state: 'done', draft: id };
  }
  return { ...batch, items };
}

/** Loaded when drafts are read or kept, not with the extension. */
function stored() {
  return import('../../core/design/storedDraft');
}
