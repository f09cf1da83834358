/** The saved sessions of a workspace: `.envwright/plays/*.jsonl`. */
import { message } from '../../shared/message';
import { EnvwrightError, isCancelled } from '../errors';
import type { FileStore } from '../ports';
import { WORKSPACE_FOLDER } from '../workspaceFolder';
import { join, stem } from '../run/paths';
import { countedReturns, summariseArm } from '../value/summary';
import type { ArmPlan } from './plan';
import {
  endLine, episodeLine, episodesOf, headerLine, loadedLine, missingOf, planLine, SessionReader, SessionHeader, type LoadedFacts, type SavedEpisode, type SavedSession,
} from './sessionRecord';

const ENDING = '.jsonl';

/** A session in a list. Means and counts are of plain returns that are numbers. */
export interface SessionSummary {
  readonly header: Pick<SessionHeader, 'id' | 'at' | 'file' | 'hash' | 'settings' | 'policy' | 'origin'>;
  readonly path: string;
  readonly planned: number;
  readonly missing: number;
  readonly noHint: { readonly mean: number | null; readonly n: number };
  readonly hint: { readonly mean: number | null; readonly n: number } | null;
  readonly damagedLines: number;
}

/** A file among the sessions that is none. */
export interface UnreadableSession {
  readonly path: string;
  readonly why: string;
}

/** Writes a session while it is played. Lines are on the disk in the order of the calls; what could not be written rejects. */
export class SessionWriter {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly files: FileStore, readonly path: string) {}

  plan(plan: ArmPlan): Promise<void> {
    return this.add(planLine(plan));
  }

  loaded(facts: LoadedFacts): Promise<void> {
    return this.add(loadedLine(facts), false);
  }

  /** The system decides when an episode reaches the disk: a power cut may take the last ones, never damage earlier ones. */
  episode(episode: SavedEpisode): Promise<void> {
    return this.add(episodeLine(episode), false);
  }

  end(at: number, elapsedMs: number): Promise<void> {
    return this.add(endLine(at, elapsedMs));
  }

  private add(line: string, flush = true): Promise<void> {
    const added = this.last.then(() => this.files.append(this.path, line, { flush }));
    this.last = added.catch(() => undefined);
    return added;
  }
}

/** Makes the name of a session: when, of what, and what keeps two of one second apart. */
export function sessionId(atMs: number, file: string): string {
  const when = new Date(atMs).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const what = stem(file).replace(/[^\w-]/g, '').slice(0, 60) || 'environment';
  return `${when}-${what}-${crypto.randomUUID().slice(0, 4)}`;
}

/** The sessions on disk. Files are only added to or deleted as a whole. */
export class SessionFiles {
  private readonly folder: string;
  private readonly summaries = new Map<string, { readonly key: string; readonly summary: SessionSummary }>();

  constructor(private readonly files: FileStore, workspace: string) {
    this.folder = join(workspace, WORKSPACE_FOLDER, 'plays');
  }

  /** @throws EnvwrightError `records/no-session` for what is no id: a session never lies outside of its folder. */
  pathOf(id: string): string {
    if (!SessionHeader.shape.id.safeParse(id).success) throw noSession(id);
    return join(this.folder, `${id}${ENDING}`);
  }

  /** Begins a session: what it is and what is to be played are on the disk when this resolves. */
  async begin(header: Omit<SessionHeader, 'v' | 'type'>, plan: ArmPlan): Promise<SessionWriter> {
    const path = this.pathOf(header.id);
    await this.files.append(path, headerLine(header) + planLine(plan));
    return new SessionWriter(this.files, path);
  }

  /** Goes on with a session that is there. */
  writer(id: string): SessionWriter {
    return new SessionWriter(this.files, this.pathOf(id));
  }

  /** All sessions, the newest first, and the files that are none. */
  async list(): Promise<{ readonly sessions: readonly SessionSummary[]; readonly unreadable: readonly UnreadableSession[] }> {
    const names = ((await this.files.list(this.folder)) ?? []).filter(({ name, folder }) => !folder && name.endsWith(ENDING)).map(({ name }) => name);
    const sessions: SessionSummary[] = [];
    const unreadable: UnreadableSession[] = [];
    for (const name of names) {
      const path = join(this.folder, name);
      try {
        sessions.push(await this.summary(path));
      } catch (error) {
        if (isCancelled(error)) throw error;
        unreadable.push({ path, why: error instanceof Error ? error.message : String(error) });
      }
    }
    return { sessions: sessions.sort((a, b) => b.header.at - a.header.at), unreadable };
  }

  async read(id: string, signal?: AbortSignal): Promise<SavedSession> {
    return readSession(this.files, this.pathOf(id), signal);
  }

  async remove(id: string): Promise<void> {
    await this.files.remove(this.pathOf(id));
  }

  /** Kept until the file changes. */
  private async summary(path: string): Promise<SessionSummary> {
    const stat = await this.files.stat(path);
    const key = `${stat?.size} ${stat?.modifiedMs}`;
    const known = this.summaries.get(path);
    if (known?.key === key) return known.summary;
    const summary = summaryOf(path, await readSession(this.files, path));
    this.summaries.set(path, { key, summary });
    return summary;
  }
}

/** Reads one session. @throws EnvwrightError `records/no-session` when it is not there, or nothing says what was played. */
export async function readSession(files: FileStore, path: string, signal?: AbortSignal): Promise<SavedSession> {
  if (!(await files.stat(path))) throw noSession(path);
  const reader = new SessionReader();
  for await (const { text } of files.lines(path, signal)) reader.add(text);
  const session = reader.session();
  if (session) return session;
  throw new EnvwrightError('records/no-session', message('{path} does not say what was played: its first line is damaged.', { path }),
    message('Nothing was changed. Delete the file if it is of no use.'));
}

function noSession(path: string): EnvwrightError {
  return new EnvwrightError('records/no-session', message('There is no session at {path}.', { path }), message('It may have been deleted. Choose another one.'));
}

function summaryOf(path: string, session: SavedSession): SessionSummary {
  const { id, at, file, hash, settings, policy, origin } = session.header;
  const of = (arm: 'hint' | 'noHint') => {
    const report = summariseArm(episodesOf(session, arm).map(({ episode }) => episode));
    return { mean: report.mean, n: countedReturns(report.episodes).length };
  };
  return {
    header: { id, at, file, hash, settings, policy, origin }, path, planned: session.plan.order.length, missing: missingOf(session).length,
    noHint: of('noHint'), hint: session.plan.order.some(({ arm }) => arm === 'hint') ? of('hint') : null, damagedLines: session.damaged.length,
  };
}
