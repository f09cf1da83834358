import type { Verdict } from '../../shared/findings';
import { groupBy } from '../collections';
import { contentHash } from '../checks/suppression';
import { mayBeEnvironment } from '../environment/looksLikeEnvironment';
import { EnvwrightError } from '../errors';
import type { FileStore } from '../ports';
import { fewAtATime } from '../run/breath';
import { currentDecisions, jointVerdict, type Decision } from './decision';
import { FactsReader, type FileFacts } from './fileFacts';
import type { KeyGroup, Nearest } from './noveltyIndex';
import { orderQueue, queueProgress, type QueueEntry, type QueueFilter, type QueueProgress } from './queue';

/** Which files are still to be looked at: those that nobody decided on, those that this reviewer did not, or all. */
export type QueueShow = 'open' | 'mine' | 'all';

/** One file of the queue with everything that is known of it. */
export interface QueueItem extends QueueEntry {
  readonly facts: FileFacts;
  /** Decisions in force on this content. */
  readonly said: readonly Decision[];
  /** Decisions in force on earlier contents of this file: they no longer say anything about it. */
  readonly stale: readonly Decision[];
  /** What it is most like among what was accepted and what is in the memory. */
  readonly like: Nearest | null;
  /** Contents of the queue that are copies of this one by structure, this one among them; null when none is. */
  readonly copies: KeyGroup | null;
}

/** What plays of this very content said. */
export interface PlayedOutcome {
  readonly regret: QueueEntry['regret'];
  readonly disagreement: number | null;
}

/** A file as it was read. */
interface ReadFile {
  readonly file: string;
  readonly hash: string;
  readonly facts: FileFacts;
}

const AT_ONCE = 32;

/**
 * The files under review. What is learned of them comes in piece by piece (verdicts, plays, likeness, decisions); the order is made
 * when it is asked for.
 */
export class ReviewQueue {
  private files: readonly ReadFile[] = [];
  private readonly verdicts = new Map<string, Verdict>();
  private readonly played = new Map<string, PlayedOutcome>();
  private nearest: ReadonlyMap<string, Nearest | null> = new Map();
  private groups: ReadonlyMap<string, KeyGroup> = new Map();
  private decisions: readonly Decision[] = [];
  private byContent: ReadonlyMap<string, readonly Decision[]> = new Map();
  private byFile: ReadonlyMap<string, readonly Decision[]> = new Map();
  private made: readonly QueueItem[] | undefined;
  private byHash: ReadonlyMap<string, readonly ReadFile[]> | undefined;
  private ordered: { readonly key: string; readonly items: readonly QueueItem[] } | undefined;
  show: QueueShow = 'open';

  /** @param nameOf a file's name in decisions: its path from the workspace on. */
  constructor(private readonly store: FileStore, private readonly nameOf: (file: string) => string, private readonly reviewer: () => string) {}

  get size(): number {
    return this.files.length;
  }

  /**
   * Reads files and their surroundings; Python files that hold no environment are left out. `texts` is told of each that is in the queue; `known` says
   * what their folders do not.
   */
  async load(paths: readonly string[], texts: (hash: string, text: string) => void = () => undefined, known: ReadonlyMap<string, FileFacts> = new Map(), signal?: AbortSignal): Promise<void> {
    const facts = new FactsReader(this.store);
    const read = await fewAtATime(paths, AT_ONCE, async (file): Promise<ReadFile | null> => {
      signal?.throwIfAborted();
      const text = (await this.textOf(file))?.replace(/^\ufeff/, '');
      if (text === undefined || !mayBeEnvironment(text)) return null;
      const hash = await contentHash(text);
      texts(hash, text);
      return { file, hash, facts: known.get(file) ?? (await facts.of(file)) };
    });
    this.files = read.filter((file) => file !== null);
    this.changed();
  }

  /** Reads one file again after an edit; true when it is in the queue. */
  async reload(file: string): Promise<boolean> {
    if (!this.files.some((known) => known.file === file)) return false;
    const text = await this.textOf(file);
    if (text === undefined) this.files = this.files.filter((known) => known.file !== file);
    else {
      const hash = await contentHash(text);
      this.files = this.files.map((known) => (known.file === file ? { ...known, hash } : known));
    }
    this.changed();
    return true;
  }

  setVerdict(hash: string, verdict: Verdict): void {
    this.verdicts.set(hash, verdict);
    this.changed();
  }

  setPlayed(hash: string, outcome: PlayedOutcome): void {
    this.played.set(hash, outcome);
    this.changed();
  }

  setLikeness(nearest: ReadonlyMap<string, Nearest | null>, groups: readonly KeyGroup[]): void {
    this.nearest = nearest;
    this.groups = new Map(groups.flatMap((group) => group.keys.map((key): [string, KeyGroup] => [key, group])));
    this.changed();
  }

  setDecisions(decisions: readonly Decision[]): void {
    this.decisions = currentDecisions(decisions);
    this.byContent = groupBy(this.decisions, (decision) => decision.contentHash);
    this.byFile = groupBy(this.decisions, (decision) => decision.file);
    this.changed();
  }

  /** All files, in no order. */
  all(): readonly QueueItem[] {
    return (this.made ??= this.files.map((file) => this.itemOf(file)));
  }

  /** The files that pass, most worth looking at first. */
  list(filter: QueueFilter = {}): readonly QueueItem[] {
    const key = JSON.stringify([filter, this.show]);
    if (this.ordered?.key !== key) {
      const items = new Map(this.all().map((item) => [item.file, item]));
      this.ordered = { key, items: orderQueue(this.all(), { ...filter, decided: this.show === 'all' }).map(({ file }) => items.get(file)!) };
    }
    return this.ordered.items;
  }

  /** @param decidedAt times of this reviewer's decisions in this sitting, milliseconds, ascending. */
  progress(decidedAt: readonly number[]): QueueProgress {
    return queueProgress(this.all(), decidedAt);
  }

  /** Files of a content. */
  filesOf(hash: string): readonly string[] {
    this.byHash ??= groupBy(this.files, (file) => file.hash);
    return (this.byHash.get(hash) ?? []).map(({ file }) => file);
  }

  private async textOf(file: string): Promise<string | undefined> {
    try {
      return await this.store.read(file);
    } catch (error) {
      // What is no text is rejected by the checks; there is nothing in it to review.
      if (error instanceof EnvwrightError) return undefined;
      throw error;
    }
  }

  private itemOf({ file, hash, facts }: ReadFile): QueueItem {
    const said = this.byContent.get(hash) ?? [];
    const played = this.played.get(hash);
    const { regret } = facts;
    const fromMemory = regret && { value: regret.value, interval: regret.lo === null || regret.hi === null ? null : { lo: regret.lo, hi: regret.hi } };
    const mine = said.filter(({ reviewer }) => reviewer === this.reviewer());
    return {
      file, contentHash: hash, skill: facts.skill, verdict: this.verdicts.get(hash) ?? null, facts, said,
      regret: played?.regret ?? fromMemory,
      disagreement: played?.disagreement ?? null,
      like: this.nearest.get(hash) ?? null,
      nearest: this.nearest.get(hash)?.similarity ?? null,
      copies: this.groups.get(hash) ?? null,
      decision: jointVerdict(this.show === 'mine' ? mine : said),
      stale: (this.byFile.get(this.nameOf(file)) ?? []).filter(({ contentHash: other }) => other !== hash),
    };
  }

  private changed(): void {
    this.made = undefined;
    this.byHash = undefined;
    this.ordered = undefined;
  }
}
