/** A run's folders as they are known, kept up to date by looking again only at what has changed. */
import type { FileStore } from '../ports';
import { fewAtATime, unhurried } from './breath';
import type { RunGame, RunInventory, RunReject, RunStep } from './inventory';
import { baseName, join, parentOf, stem } from './paths';
import type { RunFolder } from './runFolder';
import { firstComment, GAME, gameOf, HINT_END, REFUSED, REJECTED, STEP } from './runNames';

/** Folders that are listed, and files that are read, at the same time. */
const AT_ONCE = 16;
/** Steps gone through before others get their turn: they hold tens of games each. */
const STEPS_AT_ONCE = 20;
/** Steps whose folders are looked at again when nothing told of a change: the run still writes hints into the last ones. */
const LAST_STEPS = 8;

interface Step extends RunStep {
  readonly games: Map<string, RunGame>;
  readonly hints: Set<string>;
}

/**
 * Lists tens of thousands of files without ever keeping the process busy for long, and follows changes file by file. Bring it up to
 * date with {@link RunIndex.open} and {@link RunIndex.update}, one call after the other; {@link RunIndex.inventory} is the state after the last.
 */
export class RunIndex {
  private readonly steps = new Map<string, Step>();
  private readonly playing = new Map<string, RunGame>();
  private readonly rejects = new Map<string, RunReject>();
  private gamesModifiedMs: number | null = null;
  /** Times of the folders of rejects when they were last listed. */
  private readonly listedMs = new Map<string, number | null>();
  private current: Promise<RunInventory> | undefined;

  constructor(private readonly files: FileStore, private readonly run: RunFolder) {}

  /** Reads everything. */
  async open(): Promise<void> {
    for (const known of [this.steps, this.playing, this.rejects]) known.clear();
    const folders = ((await this.files.list(this.run.cacheDir)) ?? []).filter(({ name, folder }) => folder && STEP.test(name)).map(({ name }) => join(this.run.cacheDir, name));
    await fewAtATime(folders, AT_ONCE, (folder) => this.readStep(folder));
    await unhurried(await this.names(this.run.gamesDir), (name) => this.addPlaying(name));
    for (const folder of this.rejectFolders) this.listedMs.set(folder, await this.modified(folder));
    const rejected = [...(await this.paths(this.run.refusedDir)), ...(await this.paths(this.run.rejectedDir))];
    await fewAtATime(rejected, AT_ONCE, (path) => this.readReject(path));
    await this.settle();
  }

  /** Looks again at files and step folders that were made, changed or deleted. Paths that belong to nothing here are passed over. */
  async update(paths: readonly string[]): Promise<void> {
    await fewAtATime([...new Set(paths)], AT_ONCE, (path) => this.updateOne(path));
    await this.settle();
  }

  /**
   * Looks for changes that nobody told of, by the times of folders: few files are looked at, however many there are. True when there
   * was one.
   */
  async catchUp(): Promise<boolean> {
    const paths = [...(await this.changedSteps()), ...(await this.changedGames()), ...(await this.changedRejects())];
    if (paths.length > 0) await this.update(paths);
    return paths.length > 0;
  }

  private async changedSteps(): Promise<string[]> {
    const there = new Set(((await this.files.list(this.run.cacheDir)) ?? []).filter(({ name, folder }) => folder && STEP.test(name)).map(({ name }) => join(this.run.cacheDir, name)));
    const last = [...this.steps.values()].sort((a, b) => b.rollout - a.rollout).slice(0, LAST_STEPS);
    const changed = await fewAtATime(last, AT_ONCE, async ({ folder, modifiedMs }) => ((await this.modified(folder)) === modifiedMs ? [] : [folder]));
    return [...[...there].filter((folder) => !this.steps.has(folder)), ...[...this.steps.keys()].filter((folder) => !there.has(folder)), ...changed.flat()];
  }

  private async changedGames(): Promise<string[]> {
    if ((await this.modified(this.run.gamesDir)) === this.gamesModifiedMs) return [];
    const there = new Set((await this.names(this.run.gamesDir)).filter((name) => GAME.test(name)));
    const gone = [...this.playing.values()].map(({ file }) => file).filter((file) => !there.has(baseName(file)));
    return [...[...there].filter((name) => !this.playing.has(stem(name))).map((name) => join(this.run.gamesDir, name)), ...gone];
  }

  private async changedRejects(): Promise<string[]> {
    const changed: string[] = [];
    for (const folder of this.rejectFolders) {
      const now = await this.modified(folder);
      if (now === (this.listedMs.get(folder) ?? null)) continue;
      this.listedMs.set(folder, now);
      const there = new Set(await this.paths(folder));
      changed.push(...[...there].filter((path) => !this.rejects.has(path)), ...[...this.rejects.keys()].filter((path) => parentOf(path) === folder && !there.has(path)));
    }
    return changed;
  }

  private get rejectFolders(): readonly string[] {
    return [this.run.refusedDir, this.run.rejectedDir];
  }

  private async modified(folder: string): Promise<number | null> {
    return (await this.files.stat(folder))?.modifiedMs ?? null;
  }

  /** What is there, as {@link takeInventory} tells it. */
  inventory(): Promise<RunInventory> {
    return (this.current ??= this.collect());
  }

  private async updateOne(path: string): Promise<void> {
    const [folder, name] = [parentOf(path), baseName(path)];
    if (folder === this.run.cacheDir && STEP.test(name)) return this.readStep(path);
    if (parentOf(folder) === this.run.cacheDir && STEP.test(baseName(folder))) return this.readStep(folder);
    if (folder === this.run.gamesDir) {
      if (await this.files.stat(path)) this.addPlaying(name);
      else this.playing.delete(stem(name));
    } else if (folder === this.run.refusedDir || folder === this.run.rejectedDir) {
      await this.readReject(path.replace(/\.reason\.txt$/, '.py'));
    }
  }

  private async readStep(folder: string): Promise<void> {
    const found = await this.files.stat(folder);
    if (!found) {
      this.steps.delete(folder);
      return;
    }
    const all = await this.names(folder);
    const hints = new Set(all.filter((name) => name.endsWith(HINT_END)));
    const games = new Map<string, RunGame>();
    await unhurried(all, (name) => { for (const game of gameOf(folder, name, false, hints)) games.set(stem(name), game); });
    this.steps.set(folder, { rollout: Number(STEP.exec(baseName(folder))?.[1]), folder, modifiedMs: found.modifiedMs, games, hints });
  }

  private addPlaying(name: string): void {
    if (!GAME.test(name)) return;
    for (const game of gameOf(this.run.gamesDir, name, true, new Set())) this.playing.set(stem(name), game);
  }

  private async readReject(path: string): Promise<void> {
    const isRefused = parentOf(path) === this.run.refusedDir;
    const found = (isRefused ? REFUSED : REJECTED).exec(baseName(path));
    if (!found) return;
    if (!(await this.files.stat(path))) {
      this.rejects.delete(path);
      return;
    }
    const reason = isRefused
      ? ((await this.files.read(path.replace(/\.py$/, '.reason.txt')).catch(() => undefined))?.trim() ?? null)
      : await firstComment(this.files, path);
    this.rejects.set(path, { file: path, rollout: Number(found[1]), stage: isRefused ? (found[2] ?? '') : 'validation', reason });
  }

  private async settle(): Promise<void> {
    this.gamesModifiedMs = await this.modified(this.run.gamesDir);
    this.current = undefined;
  }

  private async names(folder: string): Promise<string[]> {
    return ((await this.files.list(folder)) ?? []).filter((entry) => !entry.folder).map(({ name }) => name);
  }

  private async paths(folder: string): Promise<string[]> {
    return (await this.names(folder)).filter((name) => name.endsWith('.py')).map((name) => join(folder, name));
  }

  /** A game that is in play and in a step counts once, as in play, with the hint of its step. */
  private async collect(): Promise<RunInventory> {
    const steps = [...this.steps.values()].sort((a, b) => a.rollout - b.rollout);
    const byRollout = new Map<number, RunGame[]>();
    const add = (game: RunGame): void => {
      const own = byRollout.get(game.rollout);
      if (own) own.push(game);
      else byRollout.set(game.rollout, [game]);
    };
    const seen = new Set<string>();
    const hints: string[] = [];
    await unhurried(steps, (step) => {
      for (const [name, game] of step.games) {
        const playing = this.playing.get(name);
        if (playing) seen.add(name);
        add(playing ? { ...playing, hint: game.hint } : game);
      }
      for (const name of [...step.hints].sort()) hints.push(join(step.folder, name));
    }, STEPS_AT_ONCE);
    await unhurried([...this.playing], ([name, game]) => { if (!seen.has(name)) add(game); });
    const games: RunGame[] = [];
    const groups = [...byRollout].sort(([a], [b]) => a - b);
    await unhurried(groups, ([, own]) => { for (const game of own.sort((a, b) => a.index - b.index)) games.push(game); }, STEPS_AT_ONCE);
    return {
      games,
      rejects: [...this.rejects.values()].sort(byFolderAndName(this.run.refusedDir)),
      hints,
      steps: steps.map(({ rollout, folder, modifiedMs }) => ({ rollout, folder, modifiedMs })),
      gamesModifiedMs: this.gamesModifiedMs,
    };
  }
}

function byFolderAndName(first: string): (a: RunReject, b: RunReject) => number {
  const place = ({ file }: RunReject): number => (parentOf(file) === first ? 0 : 1);
  return (a, b) => place(a) - place(b) || (a.file < b.file ? -1 : 1);
}
