import type { Finding, Profile, Range } from '../../shared/findings';
import { message, type Message } from '../../shared/message';
import { checkById } from '../checks/catalog';
import { toFinding } from '../checks/static/run';
import { countWords, MAX_HINT_WORDS } from './hint';
import type { HintLeak } from './hintLeak';
import type { ScreenResult } from './screen';

/** The findings about a hint, at the place given: the class it is for. A leak that could not be tested for gives none. */
export function hintFindings(hint: string, leak: HintLeak, range: Range, profile: Profile | null): Finding[] {
  const findings: Finding[] = [];
  if (leak.values.length > 0) {
    const values = leak.values.slice(0, 3).join(', ');
    findings.push(opinion('hint-leaks-answer', range, profile, message('The hint holds {values}, which is in the answer of {count} of {tested} seeds. Take it out.', {
      values, count: leak.seeds.length, tested: leak.tested,
    }), { seeds: [...leak.seeds], actual: values }));
  }
  const words = countWords(hint);
  if (words > MAX_HINT_WORDS) findings.push(opinion('hint-too-long', range, profile, message('The hint has {words} words, more than {most}.', { words, most: MAX_HINT_WORDS })));
  return findings;
}

/** The finding that a screen leads to, none for a clear yes. */
export function screenFindings({ verdict, reason, inTheRun, model }: ScreenResult, range: Range, profile: Profile | null): Finding[] {
  if (verdict === 'yes') return [];
  const evidence = { detail: reason };
  if (verdict === 'no') return [opinion('screen-rejects', range, profile, message('{model} finds the environment unfit: {reason}', { model, reason }), evidence)];
  const text = inTheRun === 'passes'
    ? message('{model} gave no clear verdict. The run would let the file pass; here it is undecided.', { model })
    : message('{model} gave no clear verdict. The run would reject the file; here it is undecided.', { model });
  return [opinion('screen-undecided', range, profile, text, evidence)];
}

function opinion(id: string, range: Range, profile: Profile | null, text: Message, evidence: Finding['evidence'] = null): Finding {
  const check = checkById(id);
  if (!check) throw new Error(`The catalog has no check ${id}.`);
  const { line, column, endLine, endColumn } = range;
  return toFinding(check, { range: { line, column, endLine, endColumn }, message: text, ...(evidence ? { evidence } : {}) }, check.stages[0] ?? 'play', profile);
}
