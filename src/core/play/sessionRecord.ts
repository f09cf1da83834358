/** A saved set of plays: JSON lines, one file a session, only ever added to. */
import { z } from 'zod';
import { ArmName, Episode, type PlayReport } from '../../shared/play';
import { PlaySettings } from '../../shared/webviewProtocol';
import type { BlendWeights } from '../value/designer';
import { episodeKey } from './arms';
import type { EpisodeRef, StepDetail } from './events';
import type { ArmPlan } from './plan';
import type { Policy } from './policy';
import { reportOf } from './report';

/** Version of the schema; every line carries it. */
const SESSION_VERSION = 1;

const Ref = z.object({ arm: ArmName, slot: z.int().min(0), seed: z.int().nullable(), play: z.int().min(0) });
const line = <T extends z.ZodRawShape>(shape: T) => z.object({ v: z.literal(SESSION_VERSION), ...shape });

/** Where the actions of a session came from, when not from a policy of its own. `step` counts from 1. */
export const SessionOrigin = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('replay'), of: z.string() }),
  z.object({ kind: z.literal('take-over'), of: z.string().nullable(), step: z.int() }),
]);
export type SessionOrigin = z.infer<typeof SessionOrigin>;

/** The first line: what was played, by whom and how. `source` is the text that was played, so that a session stands by itself. */
export const SessionHeader = line({
  type: z.literal('session'),
  id: z.string().regex(/^[\w.-]+$/),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Path of the environment in its workspace. */
  file: z.string(),
  hash: z.string(),
  source: z.string(),
  settings: PlaySettings,
  policy: z.object({ name: z.string(), simulated: z.boolean(), usesHint: z.boolean(), note: z.string().nullable() }),
  simulatedHint: z.boolean(),
  maxTurns: z.int(),
  thinking: z.boolean(),
  origin: SessionOrigin.nullable().default(null),
});
export type SessionHeader = z.infer<typeof SessionHeader>;

/** What is to be played; a later one replaces an earlier one and only adds to it. */
const PlanLine = line({ type: z.literal('plan'), order: z.array(Ref) });

/** What the environment turned out to be when it was first built: `tools` is the function-calling schema that the agent was given. */
const LoadedLine = line({ type: z.literal('loaded'), toolUse: z.boolean(), tools: z.array(z.json()) });
export type LoadedFacts = Pick<z.infer<typeof LoadedLine>, 'toolUse' | 'tools'>;

const Detail = z.object({ ms: z.number(), tokens: z.number().nullable(), line: z.int().nullable() });
/** An episode that has ended; a later one of the same place replaces an earlier one. */
const EpisodeLine = line({ type: z.literal('episode'), ref: Ref, episode: Episode, details: z.array(Detail) });

/** The plays came to an end, or were stopped. `elapsedMs` is the time they took. */
const EndLine = line({ type: z.literal('end'), at: z.number(), elapsedMs: z.number() });

const SessionLine = z.discriminatedUnion('type', [SessionHeader, PlanLine, LoadedLine, EpisodeLine, EndLine]);

/** An ended episode with what its steps took. */
export interface SavedEpisode {
  readonly ref: EpisodeRef;
  readonly episode: Episode;
  readonly details: readonly StepDetail[];
}

/** A line of the file that cannot be used; `line` counts from 1. The rest is used. */
export interface DamagedLine {
  readonly line: number;
  readonly why: string;
}

/** A session as its file gives it. `episodes` by {@link episodeKey}. */
export interface SavedSession {
  readonly header: SessionHeader;
  readonly plan: ArmPlan;
  readonly episodes: ReadonlyMap<string, SavedEpisode>;
  /** Null when nothing was built, or the line is damaged. */
  readonly loaded: LoadedFacts | null;
  readonly elapsedMs: number;
  readonly damaged: readonly DamagedLine[];
}

/** The header's line. */
export function headerLine(header: Omit<SessionHeader, 'v' | 'type'>): string {
  return written({ type: 'session', ...header });
}

/** The line of a plan. */
export function planLine(plan: ArmPlan): string {
  return written({ type: 'plan', order: plan.order });
}

/** The line that says what the environment turned out to be. */
export function loadedLine({ toolUse, tools }: LoadedFacts): string {
  return written({ type: 'loaded', toolUse, tools });
}

/** The line of an episode that has ended. */
export function episodeLine({ ref, episode, details }: SavedEpisode): string {
  return written({ type: 'episode', ref, episode, details: details.map(({ ms, tokens, trace }) => ({ ms, tokens, line: trace?.returnLine ?? null })) });
}

/** The line that ends a session; `at` in milliseconds since 1970. */
export function endLine(at: number, elapsedMs: number): string {
  return written({ type: 'end', at, elapsedMs });
}

function written(value: object): string {
  return `${JSON.stringify({ v: SESSION_VERSION, ...value })}\n`;
}

/** Puts the lines of a session together, one after the other. */
export class SessionReader {
  private header: SessionHeader | null = null;
  private order: readonly EpisodeRef[] = [];
  private loaded: LoadedFacts | null = null;
  private readonly episodes = new Map<string, SavedEpisode>();
  private readonly damaged: DamagedLine[] = [];
  private elapsedMs = 0;
  private count = 0;

  /** Takes the next line. One that is torn, or of another version, is noted. */
  add(text: string): void {
    this.count += 1;
    if (text.trim() === '') return;
    const parsed = parseLine(text);
    if ('why' in parsed) this.damaged.push({ line: this.count, why: parsed.why });
    else this.take(parsed.line);
  }

  /** The session; null when its first line is missing, so that nothing says what was played. */
  session(): SavedSession | null {
    const { header, episodes, damaged, elapsedMs, loaded } = this;
    if (!header) return null;
    // A plan that is damaged is made up from the episodes there are.
    const order = this.order.length > 0 ? this.order : [...episodes.values()].map(({ ref }) => ref);
    return { header, plan: { order, slots: Math.max(0, ...order.map(({ slot }) => slot + 1)) }, episodes, loaded, damaged, elapsedMs };
  }

  private take(value: z.infer<typeof SessionLine>): void {
    switch (value.type) {
      case 'session':
        this.header ??= value;
        return;
      case 'plan':
        this.order = value.order;
        return;
      case 'loaded':
        this.loaded ??= { toolUse: value.toolUse, tools: value.tools };
        return;
      case 'episode': {
        const details = value.details.map(({ ms, tokens, line: at }) => ({ ms, tokens, trace: at === null ? null : { lines: [], returnLine: at } }));
        this.episodes.set(episodeKey(value.ref), { ref: value.ref, episode: value.episode, details });
        return;
      }
      case 'end':
        this.elapsedMs += value.elapsedMs;
    }
  }
}

function parseLine(text: string): { readonly line: z.infer<typeof SessionLine> } | { readonly why: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { why: 'The line is torn.' };
  }
  const version = z.object({ v: z.number() }).safeParse(value);
  if (version.success && version.data.v > SESSION_VERSION) return { why: `Version ${version.data.v} is newer than this program.` };
  const parsed = SessionLine.safeParse(value);
  if (parsed.success) return { line: parsed.data };
  const [issue] = parsed.error.issues;
  return { why: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` };
}

/** Episodes of an arm in the plan's order, those that have ended. */
export function episodesOf({ plan, episodes }: Pick<SavedSession, 'plan' | 'episodes'>, arm: ArmName): SavedEpisode[] {
  return plan.order.flatMap((ref) => (ref.arm === arm ? (episodes.get(episodeKey(ref)) ?? []) : []));
}

/** Episodes that were planned and have not ended, or were stopped. */
export function missingOf({ plan, episodes }: Pick<SavedSession, 'plan' | 'episodes'>): EpisodeRef[] {
  return plan.order.filter((ref) => {
    const known = episodes.get(episodeKey(ref));
    return !known || known.episode.status === 'cancelled';
  });
}

/** The report of a saved session, as its plays would have given it. */
export function reportOfSession(session: SavedSession, weights?: BlendWeights): PlayReport {
  const { header } = session;
  const { file, settings, policy, simulatedHint } = header;
  const of = (arm: ArmName) => episodesOf(session, arm).map(({ episode }) => episode);
  const hasHintArm = session.plan.order.some(({ arm }) => arm === 'hint');
  return reportOf({
    file, policy, mode: settings.mode, hint: hasHintArm ? settings.hint : null, simulatedHint, episodes: { noHint: of('noHint'), hint: of('hint') },
    ...(weights && { weights }),
  });
}

/** What a policy is called in a record. */
export function policyInRecord({ name, simulated, usesHint, note }: Policy): SessionHeader['policy'] {
  return { name, simulated, usesHint, note };
}
