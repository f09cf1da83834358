import type { LedgerEvent, LedgerPush, PushState as LedgerState } from '../../core/run/ledger';
import { message, type Message } from '../../shared/message';
import { LINE, type LineStep } from '../../shared/webviewPush';

type Step = (typeof LINE)[number];

/** How a push goes to the run. */
export type Route = 'inbox' | 'file';

const EXPECTED: Readonly<Record<Route, Readonly<Record<Step, string>>>> = {
  inbox: { queued: 'in the ledger', written: 'in the inbox', claimed: 'by the link module', 'in-memory': 'seen in a save', drawn: 'seen in a prompt', evicted: 'oldest out' },
  file: { queued: 'in the ledger', written: 'in the file', claimed: 'when the run loads it', 'in-memory': 'seen in a save', drawn: 'not seen without link', evicted: 'oldest out' },
};

/** The state line of a push, or of one that is still to be made (null). `evictedAt` is the rollout at which it would leave. */
export function lineOf(push: LedgerPush | null, events: readonly LedgerEvent[], route: Route, evictedAt: number | null): LineStep[] {
  const own = push ? events.filter(({ id }) => id === push.id) : [];
  const reached = push ? placeOf(push) : -1;
  const isBroken = push !== null && (push.state === 'failed' || push.state === 'removed' || push.state === 'cancelled');
  return LINE.map((state, at): LineStep => {
    const time = own.find((event) => event.state === state)?.at ?? null;
    const status = isBroken && at === reached ? 'failed' : at < reached ? 'done' : at === reached ? 'now' : 'todo';
    const expected = state === 'evicted' && evictedAt !== null ? message('rollout {n}', { n: evictedAt }) : message(EXPECTED[route][state]);
    return { state, status, at: status === 'todo' ? null : time, detail: status === 'failed' && push ? message(WORDS[push.state]) : expected };
  });
}

/** How far a push has come. One that lies in the inbox is written; one that ended stands at the step that it did not reach. */
function placeOf({ state, inbox }: LedgerPush): number {
  switch (state) {
    case 'queued': return inbox === null ? 0 : 1;
    case 'lost': return 0;
    case 'failed': return inbox === null ? 1 : 2;
    case 'cancelled': return 1;
    case 'removed': return 4;
    default: return LINE.indexOf(state);
  }
}

const WORDS: Readonly<Record<LedgerState, string>> = {
  queued: 'queued', written: 'written', claimed: 'claimed', 'in-memory': 'in memory', drawn: 'drawn', evicted: 'evicted', lost: 'overwritten by the run', failed: 'failed', removed: 'taken out', cancelled: 'taken back',
};

/** A state of the ledger, in words. */
export function stateWords(state: LedgerState): Message {
  return message(WORDS[state]);
}

/** What undoing can still do; null when there is nothing to undo. */
export function undoOf({ state, inbox, removal }: LedgerPush): { readonly label: Message; readonly says: Message } | null {
  const stays = 'A prompt already drawn with it stays as it was.';
  if (removal !== null) return null;
  switch (state) {
    case 'queued':
    case 'lost': return { label: message('Undo Push'), says: message('Undo takes it out of the queue: the run has not seen it.') };
    case 'claimed': return { label: message('Undo Push'), says: message(`Undo asks the link module to take the record out at the next rollout. ${stays}`) };
    case 'written': return { label: message('Undo Push'), says: message(`Undo takes the record out of the file. ${stays}`) };
    case 'in-memory': return { label: message('Undo Push'), says: inbox === null ? message(`Undo takes the record out of the file once the run has ended. ${stays}`) : message(`Undo asks the link module to take the record out at the next rollout. ${stays}`) };
    case 'drawn': return { label: message('Remove from Memory'), says: message(stays) };
    default: return null;
  }
}
