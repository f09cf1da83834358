/** What a user should know before a record is pushed, and about a record that is there. */
import { z } from 'zod';
import { message, type Message } from '../../shared/message';
import { SKILLS } from '../design/skills';
import { Redactor } from '../redaction';
import { codePoints } from '../pythonText';
import type { MemoryEntry } from './readMemory';
import { classify, seedPool, type PromptDraws } from './sampling';
import type { NewRecord } from './writeMemory';

/** What a warning of a push is about. */
export const PushWarningId = z.enum([
  'dead-zone', 'outside-pool', 'tie', 'example-to-avoid', 'unknown-skill', 'cut-snippet', 'duplicate', 'same-game-file', 'simulated', 'few-plays',
  'by-hand', 'open-findings', 'silenced-findings', 'memory-off', 'memory-unknown', 'skill-not-in-run', 'secret-in-code', 'instructions-in-code', 'fence-in-code', 'memory-problems',
]);
export type PushWarningId = z.infer<typeof PushWarningId>;

/** `warning` stops a push that is not forced; `info` is only said. */
export interface PushWarning {
  readonly id: PushWarningId;
  readonly severity: 'warning' | 'info';
  readonly message: Message;
}

/** Where a record's win rate and regret come from, under `metadata.envwright`; everything is optional. */
export interface Provenance {
  readonly plays?: number;
  readonly simulated?: boolean;
}

/** Fewer plays than this leave a win rate open by more than .4 to either side. */
const FEW_PLAYS = 8;

const warn = (id: PushWarningId, text: Message): PushWarning => ({ id, severity: 'warning', message: text });
const info = (id: PushWarningId, text: Message): PushWarning => ({ id, severity: 'info', message: text });

/** The display name that a misspelt skill stands for. */
export function nearestSkill(skill: string): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');
  return SKILLS.find((name) => plain(name) === plain(skill));
}

/** A skill that no prompt asks for. */
export function skillWarnings(skill: string): PushWarning[] {
  if (SKILLS.includes(skill)) return [];
  const meant = nearestSkill(skill);
  return [warn('unknown-skill', meant
    ? message('No prompt asks for the skill {skill}, so it is never drawn. Write it as {meant}.', { skill, meant })
    : message('No prompt asks for the skill {skill}, so it is never drawn.', { skill }))];
}

const INSTRUCTIONS = /\b(ignore|disregard|forget)\b[^\n]{0,40}\b(previous|above|prior|all|earlier)\b[^\n]{0,20}\b(instructions?|prompts?|rules?)\b|<\|(im_start|im_end|system|endoftext)\|>|\b(you are now|new instructions?:|system prompt)\b/i;

/** What the text that the designer will read holds besides code. */
export function codeWarnings(code: string, read: string): PushWarning[] {
  const warnings: PushWarning[] = [];
  if (new Redactor().redact(code) !== code) warnings.push(warn('secret-in-code', message('The code holds what looks like a key or password. It would go into the designer\'s prompt as it is. Take it out.')));
  if (INSTRUCTIONS.test(read)) warnings.push(warn('instructions-in-code', message('The text that the designer reads holds what looks like instructions to a model. It goes into the prompt as it is.')));
  if (read.includes('```')) warnings.push(info('fence-in-code', message('The text holds three backticks, which end the code block of the prompt early.')));
  const length = codePoints(code);
  const shown = codePoints(read);
  if (shown < length) warnings.push(info('cut-snippet', message('The designer reads the first {shown} of {length} characters.', { shown, length })));
  return warnings;
}

/** What the win rate and regret mean for the record's place among those that are there. */
export function placeWarnings(entries: readonly MemoryEntry[], record: NewRecord, rank: number | null, draws: PromptDraws): PushWarning[] {
  const { actor_win_rate: rate, regret = 0 } = record;
  const kind = classify(rate);
  if (kind === 'dead-zone') {
    return [warn('dead-zone', message('A win rate of {rate} is in a dead zone: it would take a place and never be shown. From .15 to .85 it can be drawn.', { rate }))];
  }
  if (kind !== 'seed') {
    return [info('example-to-avoid', kind === 'too-easy'
      ? message('At a win rate of {rate} it is only shown as an example to avoid: too easy.', { rate })
      : message('At a win rate of {rate} it is only shown as an example to avoid: too hard.', { rate }))];
  }
  const pool = seedPool(entries, record.skill, draws.seeds);
  const ties = pool.filter((entry) => entry.regret === regret).length;
  const warnings: PushWarning[] = [];
  if (rank === null) {
    const last = pool.at(-1)?.regret ?? 0;
    warnings.push(warn('outside-pool', message('It would not be drawn: the pool of {skill} is full of records with a regret of {last} and more. It needs more than that.', { skill: record.skill, last })));
  }
  if (ties > 0) {
    warnings.push(info('tie', ties === 1 ? message('An older record has the same regret and stands before it.') : message('{ties} older records have the same regret and stand before it.', { ties })));
  }
  return warnings;
}

/** A stored text that ends exactly where the run cuts: the designer sees a part of the environment only. */
export function cutWarnings(snippet: string, snippetChars: number): PushWarning[] {
  return codePoints(snippet) < snippetChars ? [] : [info('cut-snippet', message('The text ends where the run cuts it, after {snippetChars} characters.', { snippetChars }))];
}

/** The same environment, or the same name, in the buffer already. */
export function duplicateWarnings(entries: readonly MemoryEntry[], gameFile: string, snippet: string): PushWarning[] {
  const same = entries.filter((entry) => entry.snippet === snippet).map(({ index }) => index);
  const named = entries.filter((entry) => entry.gameFile === gameFile && entry.snippet !== snippet).map(({ index }) => index);
  return [
    ...(same.length > 0 ? [warn('duplicate', same.length === 1 ? message('Record {index} holds the same text already.', { index: same[0] ?? 0 }) : message('Records {indices} hold the same text already.', { indices: same.join(', ') }))] : []),
    ...(named.length > 0 ? [info('same-game-file', named.length === 1 ? message('Record {index} has the same game file with another text.', { index: named[0] ?? 0 }) : message('Records {indices} have the same game file with another text.', { indices: named.join(', ') }))] : []),
  ];
}

/** How far win rate and regret can be trusted. */
export function provenanceWarnings(provenance: Provenance | undefined): PushWarning[] {
  if (provenance?.simulated) return [warn('simulated', message('Win rate and regret come from plays in which no model took part.'))];
  if (provenance?.plays === undefined) return [info('by-hand', message('Win rate and regret were given by hand: on how many plays they rest is not known.'))];
  return provenance.plays < FEW_PLAYS
    ? [warn('few-plays', provenance.plays === 1 ? message('Win rate and regret rest on a single play.') : message('Win rate and regret rest on {plays} plays only.', { plays: provenance.plays }))]
    : [];
}
