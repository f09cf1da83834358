/** What the user decided about files of a workspace: silencings and profiles. Only what stands here counts, never a comment in a file. */
import { z } from 'zod';
import { Profile } from '../../shared/findings';
import { message } from '../../shared/message';
import { EnvwrightError } from '../errors';
import type { FileStore } from '../ports';
import { WORKSPACE_FOLDER } from '../workspaceFolder';
import { join } from '../run/paths';
import { SuppressionFile, type Suppression } from './suppression';

/** A profile that the user chose for a file, and why. It holds for the path, and for the same content under another name. */
export const ChosenProfile = z.object({ file: z.string(), hash: z.string().regex(/^[0-9a-f]{64}$/), profile: Profile, why: z.string().min(1) });
export type ChosenProfile = z.infer<typeof ChosenProfile>;

/** The workspace file that holds them. */
export const ProfileFile = z.object({ version: z.literal(1), profiles: z.array(ChosenProfile) });
export type ProfileFile = z.infer<typeof ProfileFile>;

/** All that the user decided in one workspace. */
export interface Decisions {
  readonly suppressions: readonly Suppression[];
  readonly profiles: readonly ChosenProfile[];
}

/** The profile chosen for a file: by its path, else by its content; undefined when none was. */
export function chosenProfile(profiles: readonly ChosenProfile[], { file, hash }: Pick<ChosenProfile, 'file' | 'hash'>): ChosenProfile | undefined {
  return profiles.find((entry) => entry.file === file) ?? profiles.find((entry) => entry.hash === hash);
}

/** Name of a file after `from` was renamed to `to`, itself or a folder above it; null for one that stays. Names are paths in the workspace, with slashes. */
export function movedName(file: string, from: string, to: string): string | null {
  if (file === from) return to;
  return file.startsWith(`${from}/`) ? `${to}${file.slice(from.length)}` : null;
}

/** Names of the files in the workspace's own folder. */
export const SUPPRESSION_FILE = 'suppressions.json';
export const PROFILE_FILE = 'profiles.json';

const isSame = (one: Suppression, other: Suppression): boolean =>
  one.scope === 'file' ? other.scope === 'file' && one.id === other.id && one.hash === other.hash && one.file === other.file : other.scope === 'workspace' && one.id === other.id;

/** The decisions on disk. Every change is made under the file's lock and replaces it atomically; a file that cannot be read is left as it is. */
export class CheckRecords {
  private readonly folder: string;

  constructor(private readonly files: FileStore, workspace: string) {
    this.folder = join(workspace, WORKSPACE_FOLDER);
  }

  /** @throws EnvwrightError `records/unreadable` when a file of decisions is damaged. */
  async read(): Promise<Decisions> {
    const [{ suppressions }, { profiles }] = await Promise.all([this.suppressionFile(), this.profileFile()]);
    return { suppressions, profiles };
  }

  /** Records a silencing; one of the same check for an older content of the file is replaced by it. */
  silence(entry: Suppression): Promise<void> {
    return this.changeSuppressions((known) => [
      ...known.filter((other) => !isSame(entry, other) && !(entry.scope === 'file' && other.scope === 'file' && other.id === entry.id && other.file === entry.file)),
      entry,
    ]);
  }

  /** Takes silencings back. */
  unsilence(entries: readonly Suppression[]): Promise<void> {
    return this.changeSuppressions((known) => known.filter((other) => !entries.some((entry) => isSame(entry, other))));
  }

  /** Records a profile for a file, in place of an earlier one. */
  chooseProfile(entry: ChosenProfile): Promise<void> {
    return this.changeProfiles((known) => [...known.filter(({ file, hash }) => file !== entry.file && hash !== entry.hash), entry]);
  }

  /** Takes the choice for a file back: its profile is detected again. */
  forgetProfile({ file, hash }: Pick<ChosenProfile, 'file' | 'hash'>): Promise<void> {
    return this.changeProfiles((known) => known.filter((entry) => entry.file !== file && entry.hash !== hash));
  }

  /** Has the decisions go along when a file or folder is renamed. Nothing is written where none is concerned. */
  async moved(from: string, to: string): Promise<void> {
    const follows = ({ file }: { readonly file: string }): boolean => movedName(file, from, to) !== null;
    const follow = <T extends { readonly file: string }>(entry: T): T => ({ ...entry, file: movedName(entry.file, from, to) ?? entry.file });
    const { suppressions, profiles } = await this.read();
    if (suppressions.some((entry) => entry.scope === 'file' && follows(entry))) {
      await this.changeSuppressions((known) => known.map((entry) => (entry.scope === 'file' ? follow(entry) : entry)));
    }
    if (profiles.some(follows)) {
      // What had been decided about another file in that place is about that file no more.
      const replaced = new Set(profiles.filter(follows).map((entry) => follow(entry).file));
      await this.changeProfiles((known) => known.filter((entry) => follows(entry) || !replaced.has(entry.file)).map(follow));
    }
  }

  private suppressionFile(): Promise<SuppressionFile> {
    return this.parsed(SUPPRESSION_FILE, SuppressionFile, { version: 1, suppressions: [] });
  }

  private profileFile(): Promise<ProfileFile> {
    return this.parsed(PROFILE_FILE, ProfileFile, { version: 1, profiles: [] });
  }

  private changeSuppressions(change: (known: readonly Suppression[]) => Suppression[]): Promise<void> {
    return this.change(SUPPRESSION_FILE, async (): Promise<SuppressionFile> => ({ version: 1, suppressions: change((await this.suppressionFile()).suppressions) }));
  }

  private changeProfiles(change: (known: readonly ChosenProfile[]) => ChosenProfile[]): Promise<void> {
    return this.change(PROFILE_FILE, async (): Promise<ProfileFile> => ({ version: 1, profiles: change((await this.profileFile()).profiles) }));
  }

  private async change(name: string, make: () => Promise<object>): Promise<void> {
    const path = join(this.folder, name);
    await this.files.makeFolder(this.folder);
    await this.files.withLock(path, async () => this.files.replace(path, `${JSON.stringify(await make(), null, 2)}\n`));
  }

  private async parsed<T>(name: string, schema: z.ZodType<T>, empty: T): Promise<T> {
    const path = join(this.folder, name);
    const text = await this.files.read(path);
    return text === undefined ? empty : parseRecord(path, text, schema);
  }
}

/** Parses a file that Envwright wrote and a person may have edited. @throws EnvwrightError `records/unreadable`. */
export function parseRecord<T>(path: string, text: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unreadable(path, error instanceof Error ? error.message : '', error);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw unreadable(path, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`, parsed.error);
}

function unreadable(path: string, why: string, cause: unknown): EnvwrightError {
  return new EnvwrightError('records/unreadable', message('{path} cannot be read ({why}). Nothing was changed.', { path, why }), message('Correct the file, or delete it to begin anew.'), { cause });
}
