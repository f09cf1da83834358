import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { contentHash } from '../../core/checks/suppression';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, Emitter, type Disposable } from '../../core/lifecycle';
import type { Clock, FileStore } from '../../core/ports';
import { jointVerdict, type Decision, type DecisionReason, type DecisionVerdict } from '../../core/review/decision';
import type { QueueFilter, QueueProgress } from '../../core/review/queue';
import { ReviewQueue, type QueueItem, type QueueShow } from '../../core/review/reviewQueue';
import { NO_REVIEWS, ReviewStore, type Reviews } from '../../core/review/reviewStore';
import { SourceStore } from '../../core/review/sourceStore';
import { groupBy } from '../../core/collections';
import { message } from '../../shared/message';
import { setContext } from '../context';
import type { Likeness } from './likeness';
import { reviewerName } from './reviewer';
import { filesOfSource, ReviewSource, type SourceParts } from './source';
import { reviewName, reviewRoot } from './workspace';

/** Key under which the files under review are remembered for the next session of the editor. */
const STORED = 'review.source';
/** Changes within this are shown together, in milliseconds. */
const SETTLE_MS = 400;

/** What a review works with. */
export interface ReviewParts extends SourceParts {
  readonly files: () => Promise<FileStore>;
  readonly clock: Clock;
  readonly likeness: Likeness;
  readonly memento: vscode.Memento;
  readonly onDefect: (error: unknown) => void;
}

/** What a reviewer says of a file. */
export interface Saying {
  readonly verdict: DecisionVerdict;
  readonly reasons: readonly DecisionReason[];
  readonly comment: string;
  readonly reviewer: string;
}

/** The files under review in this window, and what is being decided about them. */
export class ReviewSession implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<void>());
  /** Order, decisions or progress changed. */
  readonly onDidChange = this.changes.event;
  private queue: ReviewQueue | undefined;
  private texts = new Map<string, string>();
  private source: ReviewSource | undefined;
  private storage: { readonly reviews: ReviewStore; readonly sources: SourceStore; readonly root: string } | undefined;
  private loading = new AbortController();
  private settle: NodeJS.Timeout | undefined;
  private compare: NodeJS.Timeout | undefined;
  private readonly decidedAt: number[] = [];
  private readonly made: Decision[] = [];
  private readonly passed = new Set<string>();
  private shown = '';
  label = '';
  filter: QueueFilter = {};
  reviews: Reviews = NO_REVIEWS;
  /** The file being looked at, by its path. */
  current: string | undefined;

  constructor(private readonly parts: ReviewParts) {
    const watcher = this.owned.add(vscode.workspace.createFileSystemWatcher('**/.envwright/reviews/*.json'));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) this.owned.add(event(() => this.follow(this.loadReviews())));
    this.owned.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => this.follow(this.saved(uri.fsPath))));
  }

  get isOpen(): boolean {
    return this.queue !== undefined;
  }

  get show(): QueueShow {
    return this.queue?.show ?? 'open';
  }

  set show(show: QueueShow) {
    if (!this.queue) return;
    this.queue.show = show;
    this.fire();
  }

  /** The files that pass the filter, most worth looking at first. */
  list(): readonly QueueItem[] {
    return this.queue?.list(this.filter) ?? [];
  }

  all(): readonly QueueItem[] {
    return this.queue?.all() ?? [];
  }

  progress(): QueueProgress {
    return this.queue?.progress(this.decidedAt) ?? { total: 0, decided: 0, remainingMs: null };
  }

  /** Decisions made in this sitting. */
  get decidedHere(): number {
    return this.decidedAt.length;
  }

  item(file: string | undefined): QueueItem | undefined {
    return file === undefined ? undefined : this.all().find((item) => item.file === file);
  }

  filesOf(hash: string): readonly string[] {
    return this.queue?.filesOf(hash) ?? [];
  }

  /** Stores of the workspace. @throws EnvwrightError `review/no-workspace`. */
  async stores(): Promise<{ readonly reviews: ReviewStore; readonly sources: SourceStore; readonly root: string }> {
    const root = reviewRoot();
    if (this.storage?.root === root) return this.storage;
    const files = await this.parts.files();
    return (this.storage = { root, reviews: new ReviewStore(files, root), sources: new SourceStore(files, root) });
  }

  /** Goes on with the files of the last session of the editor, if there were some and they are still there. */
  async resume(): Promise<void> {
    const stored = ReviewSource.safeParse(this.parts.memento.get(STORED));
    if (!stored.success || !vscode.workspace.workspaceFolders) return;
    try {
      await this.start(stored.data, new AbortController().signal);
    } catch (error) {
      if (!(error instanceof EnvwrightError)) throw error;
      await this.end();
    }
  }

  /** Puts files under review. @throws EnvwrightError when there are none; then what was under review stays. */
  async start(source: ReviewSource, signal: AbortSignal): Promise<void> {
    const [{ root }, files] = [await this.stores(), await this.parts.files()];
    const { label, paths, facts } = await filesOfSource(source, files, root, this.parts, signal);
    const [queue, texts] = [new ReviewQueue(files, reviewName, reviewerName), new Map<string, string>()];
    await queue.load(paths, (hash, text) => texts.set(hash, text), facts, signal);
    if (queue.size === 0) throw new EnvwrightError('review/no-environments', message('No file of {where} holds an environment.', { where: label }), message('Choose another folder. An environment is a class whose name ends in Env.'));
    queue.show = this.queue?.show ?? 'open';
    this.loading.abort();
    this.loading = new AbortController();
    Object.assign(this, { queue, texts, source, label, filter: {}, current: undefined });
    this.passed.clear();
    await this.parts.memento.update(STORED, source);
    await this.loadReviews();
    this.compareSoon();
  }

  async end(): Promise<void> {
    this.loading.abort();
    Object.assign(this, { queue: undefined, texts: new Map(), source: undefined, label: '', filter: {}, current: undefined });
    await this.parts.memento.update(STORED, undefined);
    this.fire();
  }

  /** Ends with the files that are under review now. */
  get lifetime(): AbortSignal {
    return this.loading.signal;
  }

  /** The next file to look at: the first in the order that was not passed over yet; undefined when there is none. */
  next(): QueueItem | undefined {
    const here = this.item(this.current);
    if (here) this.passed.add(here.contentHash);
    const left = this.list().filter(({ decision, contentHash: hash }) => (decision === null || this.show === 'all') && !this.passed.has(hash));
    return left[0];
  }

  /** Lets files that were passed over come again. */
  startOver(): void {
    this.passed.clear();
  }

  setVerdict(hash: string, verdict: NonNullable<QueueItem['verdict']>): void {
    this.queue?.setVerdict(hash, verdict);
    this.soon();
  }

  setPlayed(hash: string, outcome: Parameters<ReviewQueue['setPlayed']>[1]): void {
    this.queue?.setPlayed(hash, outcome);
    this.soon();
  }

  /** Records a decision about the content that is on disk now. @throws EnvwrightError `review/changed` when it is not the one that was looked at. */
  async decide(item: QueueItem, { verdict, reasons, comment, reviewer }: Saying): Promise<Decision> {
    const [{ reviews, sources }, files] = [await this.stores(), await this.parts.files()];
    const text = (await files.read(item.file))?.replace(/^\ufeff/, '');
    if (text === undefined || (await contentHash(text)) !== item.contentHash) {
      await this.saved(item.file);
      throw new EnvwrightError('review/changed', message('{file} has changed since it was listed, so nothing was decided about it.', { file: reviewName(item.file) }), message('Look at it again, then decide.'));
    }
    const now = this.parts.clock.now();
    const decision: Decision = {
      version: 1, id: randomUUID(), contentHash: item.contentHash, file: reviewName(item.file), reviewer, verdict, reasons: [...reasons], comment, at: new Date(now).toISOString(),
    };
    if (verdict === 'accept') await sources.keep(text);
    await reviews.decide(decision);
    this.decidedAt.push(now);
    this.made.push(decision);
    await this.loadReviews();
    if (verdict === 'accept') this.compareSoon();
    return decision;
  }

  /** Takes back the last decision of this window; undefined when there is none. */
  async takeBack(): Promise<Decision | undefined> {
    const decision = this.made.pop();
    if (!decision) return undefined;
    this.decidedAt.pop();
    this.passed.delete(decision.contentHash);
    await (await this.stores()).reviews.takeBack(decision);
    await this.loadReviews();
    return decision;
  }

  /** Digests of the contents that the reviewers together accept. */
  accepted(): Set<string> {
    return new Set([...groupBy(this.reviews.decisions, (decision) => decision.contentHash)].filter(([, said]) => jointVerdict(said) === 'accept').map(([hash]) => hash));
  }

  /** Reads what reviewers have said since. */
  async loadReviews(): Promise<void> {
    this.reviews = await (await this.stores()).reviews.load();
    this.queue?.setDecisions(this.reviews.decisions);
    this.fire();
  }

  dispose(): void {
    this.loading.abort();
    clearTimeout(this.settle);
    clearTimeout(this.compare);
    this.owned.dispose();
  }

  private async saved(file: string): Promise<void> {
    const files = await this.parts.files();
    if (!(await this.queue?.reload(file))) return;
    const text = await files.read(file);
    if (text !== undefined) this.texts.set(await contentHash(text.replace(/^\ufeff/, '')), text);
    this.compareSoon();
    this.fire();
  }

  /** Compares in a moment: several decisions in a row need it once. */
  private compareSoon(): void {
    clearTimeout(this.compare);
    this.compare = setTimeout(() => this.follow(this.compareAll()), SETTLE_MS);
  }

  private async compareAll(): Promise<void> {
    const { queue } = this;
    if (!queue) return;
    const { sources } = await this.stores();
    const { nearest, groups } = await this.parts.likeness.compare(this.texts, this.accepted(), sources);
    queue.setLikeness(nearest, groups);
    this.fire();
  }

  private follow(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!(error instanceof EnvwrightError) && !(error instanceof Error && error.name === 'AbortError')) this.parts.onDefect(error);
    });
  }

  /** Says that something changed, now and then: verdicts come in by the dozen. */
  private soon(): void {
    this.settle ??= setTimeout(() => {
      this.settle = undefined;
      this.fire();
    }, SETTLE_MS);
  }

  private fire(): void {
    const shown = `${this.isOpen} ${Object.keys(this.filter).length > 0}`;
    if (shown !== this.shown) {
      setContext('reviewing', this.isOpen);
      setContext('reviewFiltered', Object.keys(this.filter).length > 0);
      this.shown = shown;
    }
    this.changes.fire();
  }

  /** Shows a part of the files only; an empty filter shows all. */
  setFilter(filter: QueueFilter): void {
    this.filter = filter;
    this.fire();
  }
}
