import { estimateTokens } from '../../core/design/tokens';
import type { PushPreview } from '../../core/memory/preview';
import { rankedSeeds, rankOver } from '../../core/memory/ranks';
import { readMemory, type MemoryEntry, type MemoryFile } from '../../core/memory/readMemory';
import { DEFAULT_DRAWS, negativePool, poolSize, standings } from '../../core/memory/sampling';
import { memoryText } from '../../core/memory/writeMemory';
import { codePoints } from '../../core/pythonText';
import { parsePythonJson } from '../../core/pythonJson';
import type { LedgerEvent, LedgerPush } from '../../core/run/ledger';
import type { Liveness } from '../../core/run/liveness';
import { baseName } from '../../core/run/paths';
import { message, type Message } from '../../shared/message';
import type { Span } from '../../shared/webviewMemory';
import { LINE, type DisplacedRow, type EarlierPush, type PushCheck, type PushState } from '../../shared/webviewPush';
import { fate, nextRegeneration, paceFacts, promptsOf, type RunPace } from '../../core/run/pace';
import { partOf } from './memoryReading';
import { shortName } from '../../core/run/runNames';
import { runName } from './memoryState';
import { needsReason, pushChecks } from './pushChecks';
import { lineOf, stateWords, undoOf } from './pushLine';

/** Everything that decides what the panel shows of a push. */
export interface PushFacts {
  readonly file: string;
  readonly text: string;
  readonly runDir: string;
  readonly skill: string;
  readonly skillSource: Message;
  readonly figures: { readonly winRate: number; readonly regret: number; readonly winInterval: Span | null; readonly regretInterval: Span | null; readonly plays: number | null; readonly pairs: number | null; readonly source: Message };
  readonly simulated: boolean;
  readonly preview: PushPreview;
  readonly before: MemoryFile;
  readonly capacity: number;
  readonly liveness: Liveness;
  /** The link module answers. */
  readonly linked: boolean;
  readonly pace: RunPace;
  readonly phase: PushState['phase'];
  readonly failure: Message | null;
  readonly stale: boolean;
  readonly push: LedgerPush | null;
  readonly pushes: readonly LedgerPush[];
  readonly events: readonly LedgerEvent[];
}

/** Earlier pushes that are listed. */
const EARLIER = 20;
/** Ranks shown above and below that of the push. */
const AROUND = 3;

/** The state of the panel. */
export function pushState(facts: PushFacts): Omit<PushState, 'kept'> {
  const { file, runDir, liveness, pace, preview, before, capacity, skill, push, events, phase, linked } = facts;
  const gone = Math.max(0, before.entries.length + 1 - capacity);
  const own = readMemory(memoryText([preview.record])).entries[0]!;
  const after = [...before.entries.slice(gone), own].map((entry, index) => ({ ...entry, index }));
  const ranked = rankedSeeds(after, skill);
  const index = after.length - 1;
  const rank = ranked.findIndex((entry) => entry.index === index) + 1 || null;
  const { standing } = preview;
  const destiny = fate(standing, pace);
  const rankRange = facts.figures.regretInterval && rankOver(after, index, facts.figures.regretInterval);
  const pool = poolSize();
  const others = rankedSeeds(before.entries, skill);
  const checks = pushChecks(preview.warnings, { ...facts.figures, rankRange, edge: others.length < pool ? null : others[pool - 1]?.regret ?? null }, passedChecks(facts));
  const negatives = negativePool(after, skill).length;
  const undo = push && undoOf(push);
  const route = (push ? push.inbox !== null : linked) ? 'inbox' : 'file';
  return {
    file, name: baseName(file), run: runName(runDir), liveness: { state: liveness.state, why: liveness.why }, facts: paceFacts(pace), phase, stale: facts.stale,
    sentence: sentenceOf(facts, checks, rank, ranked.length),
    figures: {
      class: standing.class, rank, ranked: ranked.length, rankRange, odds: standing.odds,
      drawn: standing.odds === 0 ? null : standing.poolRank !== null ? { take: DEFAULT_DRAWS.seeds, of: Math.min(pool, ranked.length) } : { take: DEFAULT_DRAWS.negatives, of: negatives },
      oddsByEviction: destiny.oddsByEviction, prompts: promptsOf(pace), evictedIn: destiny.evictedIn, evictedAt: destiny.evictedAt,
    },
    checks, displaces: displaced(facts, after, gone, ranked),
    record: recordRows(facts), metadata: metadataOf(preview.record),
    reading: { tokens: estimateTokens(preview.snippet), part: partOf(own, null, facts.text) },
    line: lineOf(push, events, route, destiny.evictedAt),
    foot: footOf(facts, checks, undo?.says ?? null), offersLink: phase === 'preview' && liveness.state === 'live' && !linked,
    push: phase === 'preview' ? (needsReason(checks) ? 'anyway' : 'push') : 'none', undo: undo?.label ?? null,
    receipts: push ? events.filter(({ id }) => id === push.id).map(({ at, state, note }) => ({ at, state: stateWords(state).template, note })) : [],
    earlier: earlierOf(facts),
  };
}

function passedChecks({ preview, text, simulated, figures }: PushFacts): Message[] {
  const found = new Set(preview.warnings.map(({ id }) => id));
  const without = (...ids: Parameters<typeof found.has>[0][]): boolean => !ids.some((id) => found.has(id));
  return [
    ...(without('unknown-skill', 'skill-not-in-run') ? [message('skill name is exact')] : []),
    ...(without('cut-snippet') ? [message('snippet is whole ({n} of 2,000 characters)', { n: codePoints(text) })] : []),
    ...(without('secret-in-code', 'instructions-in-code') ? [message('no secrets or instructions in the code')] : []),
    ...(figures.plays !== null && !simulated ? [message('plays from a model')] : []),
    ...(without('open-findings', 'silenced-findings') ? [message('no open findings')] : []),
  ];
}

function sentenceOf({ preview: { standing, warnings }, skill, capacity, phase, failure, push }: PushFacts, checks: readonly PushCheck[], rank: number | null, ranked: number): PushState['sentence'] {
  const say = (tone: PushState['sentence']['tone'], strong: string, ...rest: Message[]) => ({ tone, strong: message(strong), rest });
  if (phase === 'failed') return { tone: 'error', strong: message('The push failed.'), rest: failure ? [failure] : [] };
  if (phase === 'pushing') return say('info', 'Pushing\u2026');
  if (push) return pushedSentence(push);
  const place = message('It would take one of {capacity} places until it is evicted.', { capacity });
  if (warnings.some(({ id, severity }) => id === 'memory-off' && severity === 'warning')) return say('error', 'This run would never read it.', message('It does not use its memory.'));
  if (standing.poolRank !== null) {
    return say(needsReason(checks) ? 'warning' : 'ok', 'The designer will probably read it.',
      message('Each {skill} prompt draws {seeds} of the {pool} best seeds; this would stand at rank {rank}.', { skill, seeds: DEFAULT_DRAWS.seeds, pool: Math.min(poolSize(), ranked), rank: rank ?? 0 }));
  }
  if (standing.odds > 0) return say('info', 'The designer may read it as an example to avoid.', message('Only its name and the reason are shown, not its code.'));
  return standing.class === 'seed' ? say('warning', 'The designer would not read it now.', message('It stands below the pool.'), place) : say('error', 'The designer would never read it.', place);
}

function pushedSentence({ state, note, inbox }: LedgerPush): PushState['sentence'] {
  const rest = note === '' ? [] : [message('{note}.', { note })];
  const say = (tone: PushState['sentence']['tone'], strong: string) => ({ tone, strong: message(strong), rest });
  switch (state) {
    case 'queued': return inbox === null ? say('info', 'It waits in the queue.') : say('info', 'It lies in the inbox of the link module.');
    case 'written': return say('ok', 'Written into the memory file.');
    case 'claimed': return say('info', 'The link module has taken it.');
    case 'in-memory': return say('ok', 'In the memory of the run.');
    case 'drawn': return say('ok', 'The designer has read it.');
    case 'evicted': return say('info', 'Evicted: newer records took its place.');
    case 'lost': return say('warning', 'The run overwrote it; it is in the queue again.');
    case 'failed': return say('error', 'The push failed.');
    case 'removed': return say('info', 'Taken out of the memory.');
    case 'cancelled': return say('info', 'Taken back: nothing reached the run.');
  }
}

function displaced({ before, preview, capacity }: PushFacts, after: readonly MemoryEntry[], gone: number, ranked: readonly MemoryEntry[]): PushState['displaces'] {
  const evicted = before.entries.slice(0, gone);
  const [now, then] = [standings(before.entries, capacity), standings(after, capacity)];
  const leaving = preview.displaces.filter(({ from }) => from === 'pool').length;
  const size = message('Memory {before} \u2192 {after} of {capacity}:', { before: before.entries.length, after: after.length, capacity });
  const summary = [
    size,
    evicted.length === 0 ? message('nothing is evicted by this push.') : evicted.length === 1 ? message('the oldest record leaves it, {name}.', { name: shortName(evicted[0]?.gameFile ?? null) }) : message('the {n} oldest records leave it.', { n: evicted.length }),
    leaving === 0 ? message('No record leaves the pool.') : leaving === 1 ? message('One record leaves the pool.') : message('{n} records leave the pool.', { n: leaving }),
  ];
  const own = after.length - 1;
  const place = ranked.findIndex(({ index }) => index === own);
  if (place < 0) return { summary, rows: evicted.slice(0, AROUND).map((entry) => row(entry, { note: 'leaves-memory' })) };
  const ranksBefore = new Map(rankedSeeds(before.entries, after[own]?.skill ?? '').map(({ index }, at) => [index, at + 1]));
  const pool = poolSize();
  const [from, to] = [Math.max(0, place - AROUND), Math.max(place + AROUND, Math.min(pool, ranked.length - 1) + 1)];
  const rows = ranked.slice(from, to + 1).map((entry, offset): DisplacedRow => {
    const at = from + offset + 1;
    const old = entry.index === own ? null : entry.index + gone;
    const [rankNow, oddsNow, oddsAfter] = [old === null ? null : ranksBefore.get(old) ?? null, old === null ? null : now[old]?.odds ?? null, then[entry.index]?.odds ?? null];
    const note = old === null ? 'this-push' : (oddsNow ?? 0) > 0 && oddsAfter === 0 ? 'leaves-pool' : entry.regret === after[own]?.regret ? 'older' : null;
    return row(entry, { now: rankNow, after: at, oddsNow, oddsAfter, note, poolEnd: at === pool });
  });
  return { summary, rows };
}

function row({ gameFile, regret }: MemoryEntry, rest: Partial<DisplacedRow>): DisplacedRow {
  return { now: null, after: null, name: shortName(gameFile), regret: regret !== null && Number.isFinite(regret) ? regret : null, oddsNow: null, oddsAfter: null, note: null, poolEnd: false, ...rest };
}

/** The values as the file will hold them, each with where it came from. */
function recordRows({ preview, skillSource, figures, text, pace }: PushFacts): PushState['record'] {
  const node = parsePythonJson(preview.record);
  const shown = codePoints(preview.snippet);
  const length = codePoints(text);
  const sources: Readonly<Record<string, Message>> = {
    game_file: message('this file'), skill: skillSource,
    code_snippet: shown < length ? message('{shown} of {length} characters, cut by the run', { shown, length }) : length === 1 ? message('1 character, whole') : message('{n} characters, whole', { n: length }),
    actor_win_rate: figures.source, regret: figures.pairs === null ? figures.source : figures.pairs === 1 ? message('1 pair') : message('{n} pairs', { n: figures.pairs }),
    rollout_id: pace.rollout === null ? message('the run has not started') : message('newest rollout of the run'), metadata: message('provenance, plays, intervals'),
  };
  return node.kind === 'object'
    ? node.members.map(({ key, value }) => ({ key, source: sources[key] ?? message(''), value: key === 'metadata' && value.kind === 'object' ? '{\u2026}' : preview.record.slice(value.start, value.end).slice(0, 400) }))
    : [];
}

function metadataOf(record: string): string {
  const node = parsePythonJson(record);
  const value = node.kind === 'object' ? node.members.find(({ key }) => key === 'metadata')?.value : undefined;
  return value ? record.slice(value.start, value.end).replace(/\n {4}/g, '\n') : '';
}

function footOf({ liveness, linked, pace, phase, push }: PushFacts, checks: readonly PushCheck[], undo: Message | null): Message[] {
  if (push?.removal && push.state !== 'removed') return [message('The link module takes the record out at its next rollout.')];
  if (undo) return [undo];
  if (phase !== 'preview') return [];
  const next = nextRegeneration(pace);
  const way = linked ? [message('Goes through the inbox of the link module and is taken up at rollout {n}.', { n: (pace.rollout ?? 0) + 1 }), message('Can be undone until it is evicted; a prompt already drawn stays as it was.')]
    : liveness.state === 'live' ? [next === null ? message('This run would overwrite the file at its next regeneration. The push waits until the run has ended.') : message('This run would overwrite the file at rollout {n}. The push waits until the run has ended.', { n: next })]
    : liveness.state === 'stopped' ? [message('The run has stopped: the record goes into its file, and a backup is kept. A restart usually gets a new cache folder, and then reads another memory.')]
    : [message('The run has not started: it reads the record when it loads this file. In a new cache folder it reads another memory.')];
  return [
    ...(needsReason(checks) ? [message('Push anyway asks for a reason, which is kept in metadata.')] : []), ...way,
    message('The designer reads the first 2,000 characters of a pushed environment. To have it played, it must be in a static pool.'),
  ];
}

function earlierOf({ pushes, push, events }: PushFacts): EarlierPush[] {
  return pushes.filter(({ id }) => id !== push?.id).reverse().slice(0, EARLIER).map((other): EarlierPush => ({
    id: other.id, name: baseName(other.gameFile), at: other.pushedAt, line: lineOf(other, events, other.inbox === null ? 'file' : 'inbox', null),
    note: other.note === '' ? stateWords(other.state) : message('{state}: {note}', { state: stateWords(other.state).template, note: other.note }),
    action: undoOf(other) ? 'undo' : LINE.some((state) => state === other.state && state !== 'evicted') ? null : 'again',
  }));
}
