import { z } from 'zod';

/** What a reviewer says of a file. */
export const DecisionVerdict = z.enum(['accept', 'reject', 'needs-work']);
export type DecisionVerdict = z.infer<typeof DecisionVerdict>;

/** Reasons to choose from for a reject or needs-work; free text goes beside them. */
export const DecisionReason = z.enum([
  'unsolvable', 'too-easy', 'too-hard', 'guessable', 'leaks-answer', 'ambiguous-task', 'wrong-scoring', 'duplicate', 'off-skill', 'unsafe', 'hint-unusable', 'poor-text',
]);
export type DecisionReason = z.infer<typeof DecisionReason>;

/**
 * A note on a line. `line` counts from 1 in the text the note was written on; `text` is that line and `before` and
 * `after` its neighbours, so that the note finds its place again after an edit (see `anchor.ts`).
 */
export const Note = z.object({
  line: z.int().min(1),
  text: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  body: z.string().min(1),
  at: z.iso.datetime(),
});
export type Note = z.infer<typeof Note>;

/**
 * One decision of one reviewer on one content. Decisions are never edited: a change of mind is a new one, and the newest of
 * a reviewer counts. So two branches of a workspace can only differ by whole files, and any merge is the union of them.
 */
export const Decision = z.object({
  version: z.literal(1),
  /** Unique; part of the file's name. */
  id: z.string().regex(/^[a-z0-9-]{8,64}$/),
  /** Digest of the file's text (`contentHash` of the checks): the same for any line ends and with or without a byte order mark. */
  contentHash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Where the file was, relative to the workspace; a hint for people, never a key. */
  file: z.string(),
  reviewer: z.string().min(1),
  verdict: DecisionVerdict,
  reasons: z.array(DecisionReason),
  comment: z.string(),
  at: z.iso.datetime(),
});
export type Decision = z.infer<typeof Decision>;

/** A note of one reviewer on a line of one content, in a file of its own. Notes are never edited either: another text is another note. */
export const ReviewNote = z.object({
  version: z.literal(1),
  id: Decision.shape.id,
  contentHash: Decision.shape.contentHash,
  file: z.string(),
  reviewer: z.string().min(1),
  note: Note,
  /** The note that this one answers, null for one that begins a thread. */
  answers: z.string().nullable(),
});
export type ReviewNote = z.infer<typeof ReviewNote>;

/** Name of a note's file, beside the decisions. */
export function noteFileName({ contentHash, id }: ReviewNote): string {
  return `${contentHash.slice(0, 16)}-${id}.note.json`;
}

/** Name of a decision's file in `.envwright/reviews/`: content first, so that decisions on one content stand together. */
export function decisionFileName({ contentHash, id }: Decision): string {
  return `${contentHash.slice(0, 16)}-${id}.json`;
}

/** Text of the file of a decision or a note. */
export function writeDecision(decision: Decision | ReviewNote): string {
  return `${JSON.stringify(decision, null, 2)}\n`;
}

/** True when `a` is the newer of two decisions; the id breaks a tie, so that every reader agrees. */
function isNewer(a: Decision, b: Decision): boolean {
  return a.at === b.at ? a.id > b.id : a.at > b.at;
}

/** The decisions in force: for each content and reviewer the newest, in the order of content, then reviewer. */
export function currentDecisions(decisions: Iterable<Decision>): Decision[] {
  const current = new Map<string, Decision>();
  for (const decision of decisions) {
    const key = `${decision.contentHash} ${decision.reviewer}`;
    const known = current.get(key);
    if (!known || isNewer(decision, known)) current.set(key, decision);
  }
  return [...current.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, decision]) => decision);
}

/**
 * What the reviewers together say of one content: `accept` only when all do, `reject` when one does, else `needs-work`;
 * null when nobody decided.
 */
export function jointVerdict(decisions: readonly Decision[]): DecisionVerdict | null {
  if (decisions.length === 0) return null;
  if (decisions.some(({ verdict }) => verdict === 'reject')) return 'reject';
  return decisions.every(({ verdict }) => verdict === 'accept') ? 'accept' : 'needs-work';
}
