/** What the link module's folder and the run's saves tell about the pushes that went through its inbox. */
import type { MemoryEntry } from '../memory/readMemory';
import type { DrawnLine, Receipt } from '../../shared/link';
import { whyMissing, type PushUpdate } from './judgeFile';
import type { LedgerPush, PushState } from './ledger';
import type { LinkFolder, LinkPlace } from './linkFolder';

/** What is known of one push through the inbox. */
interface LinkEvidence {
  readonly place: LinkPlace | undefined;
  readonly added: Receipt | null;
  readonly removed: Receipt | null;
  readonly draws: readonly DrawnLine[];
  readonly refusal: string;
  /** A save that the run made after it had taken the push in lies in the file, with or without its record. */
  readonly saved: boolean;
}

/** Collects the evidence of pushes. Read it before the file: a push that is `done` here is in every save that is read after. */
export async function linkEvidence(link: LinkFolder, pushes: readonly LedgerPush[]): Promise<ReadonlyMap<LedgerPush, LinkEvidence>> {
  const evidence = new Map<LedgerPush, LinkEvidence>();
  if (pushes.length === 0) return evidence;
  const [places, draws] = [await link.places(), await link.draws()];
  for (const push of pushes) {
    const place = push.inbox === null ? undefined : places.get(push.inbox);
    evidence.set(push, {
      place,
      added: await link.receipt(push.id, 'add'),
      removed: await link.receipt(push.id, 'remove'),
      draws: draws.get(push.id) ?? [],
      refusal: place === 'refused' && push.inbox !== null ? await link.refusal(push.inbox) : '',
      saved: place === 'done',
    });
  }
  return evidence;
}

/** The push that brought a record, as its metadata says. */
export function pushOf({ metadata }: MemoryEntry): string | null {
  const mark = isObject(metadata) ? metadata['envwright'] : undefined;
  const push = isObject(mark) ? mark['push'] : undefined;
  return typeof push === 'string' ? push : null;
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** New states of the pushes that went through the inbox; what has not changed is left out. */
export function judgeLink(evidence: ReadonlyMap<LedgerPush, LinkEvidence>, entries: readonly MemoryEntry[]): PushUpdate[] {
  const pushes = [...evidence.keys()];
  const indices = new Map(entries.flatMap((entry) => { const id = pushOf(entry); return id === null ? [] : [[id, entry.index] as const]; }));
  const places = new Map(pushes.flatMap((push) => { const place = indices.get(push.id); return place === undefined ? [] : [[push, place] as const]; }));
  return pushes.map((push) => judgeOne(push, evidence.get(push)!, () => (places.has(push) ? null : whyMissing(push, pushes, entries, places))))
    .filter(({ push, state, note }) => state !== push.state || note !== push.note);
}

function judgeOne(push: LedgerPush, { place, added, removed, draws, refusal, saved }: LinkEvidence, missing: () => PushUpdate | null): PushUpdate {
  const now = (state: PushState, note: string): PushUpdate => ({ push, state, note });
  if (removed && removed.state !== 'failed') return now('removed', removed.state === 'removed' ? `taken out in rollout ${removed.rollout}` : 'it was not in the memory any more');
  if (place === 'refused') return now('failed', refusal === '' ? 'the link module refused it' : refusal);
  // Handed over again after the run had lost it: the receipt is that of the first time.
  if (place === 'inbox') return now('queued', push.note);
  if (added?.state === 'failed') return now('failed', added.reason ?? '');
  if (added) {
    const gone = saved ? missing() : null;
    if (gone) return gone;
    const first = draws[0];
    if (first) return now('drawn', `as ${first.role} in rollout ${first.rollout}${draws.length > 1 ? `, ${draws.length} times by now` : ''}`);
    return now('in-memory', saved ? `since rollout ${added.rollout}; a save of the run holds it` : `since rollout ${added.rollout}; the run has not saved it yet`);
  }
  if (place === 'claimed') return now('claimed', 'taken by the link module');
  if (place === 'done') return now('in-memory', 'a save of the run holds it');
  return now(push.state === 'lost' ? 'lost' : 'queued', push.note);
}
