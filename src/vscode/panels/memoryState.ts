import type { PlainJson } from '../../core/pythonJson';
import { codePoints } from '../../core/pythonText';
import type { MemoryEntry, MemoryFile } from '../../core/memory/readMemory';
import { rankedSeeds, rankOver } from '../../core/memory/ranks';
import { DEFAULT_CAPACITY, DEFAULT_DRAWS, poolSize, standings, type Standing } from '../../core/memory/sampling';
import { cutWarnings, skillWarnings } from '../../core/memory/warnings';
import { DEFAULT_SNIPPET_CHARS } from '../../core/memory/writeMemory';
import { SIMULATED_LEARNER } from '../../core/play/policy';
import { pushOf } from '../../core/run/judgeLink';
import { baseName } from '../../core/run/paths';
import { shortName } from '../../core/run/runNames';
import { message, type Message } from '../../shared/message';
import type { MemoryRowView, MemoryState, Span } from '../../shared/webviewMemory';
import { fate, nextRegeneration, paceFacts, promptsOf, type RunPace } from '../../core/run/pace';

/** What the view is built from; `file` null when there is none to read. */
export interface MemoryFacts {
  readonly run: string | null;
  readonly path: string;
  readonly file: MemoryFile | null;
  readonly liveness: MemoryState['liveness'];
  readonly pace: RunPace;
  readonly capacity?: number;
  readonly unreadable: MemoryState['unreadable'];
  readonly notUsed: Message | null;
  /** Age of the file in words, null when there is no file. */
  readonly age: Message | null;
}

/** Everything that the memory view shows of a file. */
export function memoryState({ run, path, file, liveness, pace, unreadable, notUsed, age, capacity = DEFAULT_CAPACITY }: MemoryFacts): MemoryState {
  const first = nextRegeneration(pace);
  return {
    run, file: path, liveness, unreadable, notUsed,
    facts: [...paceFacts(pace), age ?? message('no file yet')], rollout: pace.rollout,
    emptyText: first === null
      ? message('The run writes its first records at its first regeneration. What you push before that is read when the run loads the file.')
      : message('The run writes its first records at the regeneration of rollout {rollout}. What you push before that is read when the run loads the file.', { rollout: first }),
    capacity, seeds: DEFAULT_DRAWS.seeds, negatives: DEFAULT_DRAWS.negatives, pool: poolSize(), prompts: promptsOf(pace),
    rows: file ? rowsOf(file, pace, capacity) : [],
  };
}

/** The rows of a file, oldest first, with keys that later saves share. */
export function rowsOf({ entries, problems }: MemoryFile, pace: RunPace, capacity = DEFAULT_CAPACITY): MemoryRowView[] {
  const places = standings(entries, capacity);
  const keys = keysOf(entries);
  const ranks = ranksOf(entries);
  const texts = new Map<string, number[]>();
  for (const { index, snippet } of entries) if (snippet !== null) texts.set(snippet, [...(texts.get(snippet) ?? []), index]);
  return entries.map((entry, at) => {
    const standing = places[at]!;
    const mark = markOf(entry.metadata);
    const same = (entry.snippet === null ? [] : texts.get(entry.snippet) ?? []).filter((index) => index !== entry.index);
    return {
      key: keys[at]!, index: entry.index, line: null,
      name: shortName(entry.gameFile), gameFile: entry.gameFile, skill: entry.skill, class: standing.class,
      winRate: finite(entry.winRate), winInterval: mark.winInterval, regret: finite(entry.regret), regretInterval: mark.regretInterval,
      plays: mark.plays, wins: mark.plays === null || entry.winRate === null ? null : Math.round(entry.winRate * mark.plays), pairs: mark.pairs,
      rank: ranks.get(entry.index)?.rank ?? null, ranked: ranks.get(entry.index)?.of ?? 0, inPool: standing.poolRank !== null,
      rankRange: mark.regretInterval && rankOver(entries, entry.index, mark.regretInterval),
      odds: standing.odds, ...fate(standing, pace),
      rollout: entry.rolloutId, from: mark.yours ? 'you' : 'run', provenance: mark.provenance,
      findings: findingsOf(entry, same, problems),
    };
  });
}

/** Names every record so that a later save can be matched: the push that brought it, else file and rollout, counted where they repeat. */
export function keysOf(entries: readonly MemoryEntry[]): string[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const base = pushOf(entry) ?? `${entry.gameFile ?? ''}|${entry.rolloutId ?? ''}`;
    const nth = (seen.get(base) ?? 0) + 1;
    seen.set(base, nth);
    return nth === 1 ? base : `${base}#${nth}`;
  });
}

function ranksOf(entries: readonly MemoryEntry[]): ReadonlyMap<number, { rank: number; of: number }> {
  const skills = new Set(entries.flatMap(({ skill }) => skill ?? []));
  return new Map([...skills].flatMap((skill) => {
    const ranked = rankedSeeds(entries, skill);
    return ranked.map(({ index }, at) => [index, { rank: at + 1, of: ranked.length }] as const);
  }));
}

function findingsOf(entry: MemoryEntry, same: readonly number[], problems: MemoryFile['problems']): MemoryRowView['findings'] {
  const { snippet, skill } = entry;
  const cut = snippet === null ? [] : codePoints(snippet) > DEFAULT_SNIPPET_CHARS
    ? [message('The text has {length} characters. The run keeps what it loads whole, and cuts only what it adds.', { length: codePoints(snippet) })]
    : cutWarnings(snippet, DEFAULT_SNIPPET_CHARS).map(({ message: text }) => text);
  return [
    ...(same.length > 0 ? [{ id: 'duplicate' as const, text: same.length === 1 ? message('Record {index} holds the same text.', { index: same[0] ?? 0 }) : message('Records {indices} hold the same text.', { indices: same.join(', ') }) }] : []),
    ...cut.map((text) => ({ id: 'cut-snippet' as const, text })),
    ...(skill === null ? [] : skillWarnings(skill).map(({ message: text }) => ({ id: 'unknown-skill' as const, text }))),
    ...problems.filter(({ index, severity }) => index === entry.index && severity !== 'info').map(({ message: text }) => ({ id: 'problem' as const, text })),
  ];
}

interface Mark {
  readonly yours: boolean;
  readonly plays: number | null;
  readonly pairs: number | null;
  readonly winInterval: Span | null;
  readonly regretInterval: Span | null;
  readonly provenance: Message | null;
}

/** What Envwright wrote into a record's metadata, as far as it can be read: anybody may have written there. */
function markOf(metadata: PlainJson): Mark {
  const mark = member(metadata, 'envwright');
  const yours = mark !== undefined;
  const interval = member(mark, 'interval');
  const plays = whole(member(mark, 'plays'));
  const policy = member(mark, 'policy');
  const provenance = !yours ? null
    : member(mark, 'from') === 'hand' ? message('pushed, figures by hand')
    : policy === SIMULATED_LEARNER ? message('pushed, plays of a simulated learner')
    : member(mark, 'simulated') === true ? (typeof policy === 'string' ? message('pushed, plays of {policy}, no model', { policy }) : message('pushed, no model played it'))
    : typeof policy === 'string' ? message('pushed, plays of {policy}', { policy }) : message('pushed');
  return { yours, plays, pairs: whole(member(mark, 'pairs')) || null, winInterval: span(member(interval, 'win_rate')), regretInterval: span(member(interval, 'regret')), provenance };
}

function member(value: PlainJson | undefined, key: string): PlainJson | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function whole(value: PlainJson | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function span(value: PlainJson | undefined): Span | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [lo, hi] = value as readonly PlainJson[];
  return typeof lo === 'number' && typeof hi === 'number' && Number.isFinite(lo) && Number.isFinite(hi) && lo <= hi ? { lo, hi } : null;
}

const finite = (value: number | null): number | null => (value !== null && Number.isFinite(value) ? value : null);

/** The name of a run: that of its folder. */
export function runName(dir: string): string {
  return baseName(dir);
}

/** Where a record stands when it is drawn, in the words beside its text in the prompt. */
export function saysOf({ winRate, regret }: Pick<MemoryEntry, 'winRate' | 'regret'>, use: 'seed' | 'negative', standing: Pick<Standing, 'class'>): Message {
  const figure = (value: number | null) => (value === null ? '\u2013' : value.toFixed(2).replace('-', '\u2212'));
  if (use === 'seed') return message('win rate {rate}, regret {regret}', { rate: figure(winRate), regret: figure(regret) });
  return standing.class === 'too-easy' ? message('too easy, to avoid: win rate {rate}', { rate: figure(winRate) }) : message('too hard, to avoid: win rate {rate}', { rate: figure(winRate) });
}
