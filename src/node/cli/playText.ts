import { groupBy } from '../../core/collections';
import type { PlayEvent } from '../../core/play/events';
import { valueSentence } from '../../core/value/sentence';
import { pairBySeed } from '../../core/value/summary';
import type { ComparisonDocument, SessionsDocument } from '../../shared/cliDocuments';
import type { Interval } from '../../shared/interval';
import { formatMessage } from '../../shared/message';
import type { ArmReport, PlayReport } from '../../shared/play';
import { table, type Output } from './output';

const number = (value: number | null): string => (value === null ? '–' : value.toFixed(2));
const span = (interval: Interval | null): string => (interval ? `${number(interval.lo)} to ${number(interval.hi)}` : '–');
const armName = (arm: 'hint' | 'noHint'): string => (arm === 'hint' ? 'hint' : 'no hint');

/** Seeds that are named of those where the same went wrong. */
const SEEDS_NAMED = 8;

function armRow(name: string, arm: ArmReport): string[] {
  const counted = arm.episodes.filter(({ return: value }) => value !== null).length;
  return [name, `mean return ${number(arm.mean)}`, span(arm.interval), `n ${counted}`, `won ${arm.winRate === null ? '–' : `${(arm.winRate * 100).toFixed(0)} %`}`, `failed ${arm.failed}`];
}

/** A report for people. */
export function reportText(report: PlayReport): string {
  const { noHint, hint } = report.arms;
  const regret = report.paired ?? report.unpaired;
  const sentence = valueSentence(noHint, hint, report.paired, hint ? pairBySeed(hint.episodes, noHint.episodes) : []);
  return [
    `${report.file}, played by ${report.policy}`,
    table([armRow('no hint', noHint), ...(hint ? [armRow('hint', hint)] : [])]),
    ...(regret ? [`regret ${number(regret.regret)} (${span(regret.interval)}${report.paired ? `, ${report.paired.pairs} pairs` : ''})`] : []),
    ...(report.designer ? [`plateau ${number(report.designer.plateau)}, regret term ${number(report.designer.regretTerm)}, blend ${number(report.designer.blend)}`] : []),
    `${formatMessage(sentence.lead)} ${formatMessage(sentence.rest)}`,
    ...report.notes,
    ...failures([noHint, ...(hint ? [hint] : [])]),
  ].join('\n');
}

/** What went wrong, each way once with the instances it went wrong on. */
function failures(arms: readonly ArmReport[]): string[] {
  const failed = arms.flatMap(({ episodes }) => episodes).filter(({ error }) => error !== null);
  return [...groupBy(failed, ({ status, error }) => `${status}: ${error}`)].map(([what, episodes]) => {
    const seeds = [...new Set(episodes.map(({ seed }) => seed ?? '–'))];
    const more = seeds.length - SEEDS_NAMED;
    return `${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.slice(0, SEEDS_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${what}`;
  });
}

/** A comparison for people: what flipped, and the means. */
export function comparisonText({ arms, regret, compared, flipped, changes, differences }: ComparisonDocument): string {
  const end = ({ status, return: value }: ComparisonDocument['changes'][number]['before']): string => `${status} ${number(value)}`;
  return [
    `${flipped} of ${compared} outcomes flipped, ${changes.length - flipped} more changed`,
    ...differences,
    ...(arms.length > 0 ? [table(arms.map(({ arm, before, after, difference }) => [
      armName(arm), `${number(before.mean)} (n ${before.n})`, `-> ${number(after.mean)} (n ${after.n})`,
      difference ? `difference ${number(difference.value)} (${span(difference.interval)}${difference.paired ? ', same instances' : ''})` : 'no difference known',
    ]))] : []),
    ...(regret.before === null && regret.after === null ? [] : [`regret ${number(regret.before)} -> ${number(regret.after)}`]),
    ...changes.map(({ arm, seed, play, kind, step, before, after }) =>
      `${kind}: ${armName(arm)}, seed ${seed ?? '–'}, play ${play + 1}: ${end(before)} -> ${end(after)}${step === null ? '' : `, from step ${step} on`}`),
  ].join('\n');
}

/** The saved sessions as lines, with what could not be read. */
export function sessionsText({ sessions, unreadable }: SessionsDocument): string {
  if (sessions.length === 0 && unreadable.length === 0) return 'No sessions are saved in this folder.';
  return [
    ...(sessions.length > 0 ? [table(sessions.map(({ id, file, policy, noHint, hint, missing }) => [
      id, file, policy, `no hint ${number(noHint.mean)} (n ${noHint.n})`, hint ? `hint ${number(hint.mean)} (n ${hint.n})` : '', missing > 0 ? `${missing} not played` : '',
    ]))] : []),
    ...unreadable.map(({ path, why }) => `${path}: ${why}`),
  ].join('\n');
}

/** Tells of every episode as it ends. */
export function progressOf(output: Output): (event: PlayEvent) => void {
  let done = 0;
  let total = 0;
  return (event) => {
    if (event.type === 'progress') ({ total } = event);
    if (event.type !== 'ended') return;
    done += 1;
    const { ref, episode } = event;
    output.note(`${done} of ${total}: ${armName(ref.arm)}, seed ${ref.seed ?? '–'}: ${episode.status}, return ${number(episode.return)}`);
  };
}
