/** The checks of the hint and of the model screen: what they judge does not come from a probe, but from plays and from a model. */
import type { Finding, Profile, Range } from '../../shared/findings';
import { message } from '../../shared/message';
import { checkById } from './catalog';
import type { FindingDraft } from './check';
import { indexOfToken, isCommon } from './probe/tokens';
import { toFinding } from './static/run';

/** Longest hint, in words (run contract §5). */
export const HINT_WORDS = 100;

/** One instance that the hint is read beside: its answer, and the values that belong to it alone. */
export interface HintInstance {
  readonly seed: number;
  /** What `solution()` says on this seed; null when there is none. */
  readonly answer: string | null;
  /** Values of this instance that a hint must not hold, such as arguments of the solution's calls. */
  readonly values: readonly string[];
  /** What the agent sees anyway. */
  readonly observation: string;
}

function finish(id: string, draft: FindingDraft, profile: Profile | null): Finding {
  return toFinding(checkById(id)!, draft, id.startsWith('hint') ? 'play' : 'screen', profile);
}

/** What an instance gives away if a hint holds it: the answer, in tool use also every value; short and common ones and what the observation shows do not count. */
function secretsOf({ answer, values, observation }: HintInstance, profile: Profile | null): string[] {
  const concrete = profile === 't' || profile === 'u' ? values : [];
  return [...(answer === null ? [] : [answer.trim()]), ...concrete.map((value) => value.trim())]
    .filter((value) => !isCommon(value) && value.length <= 200 && (value === answer?.trim() || indexOfToken(observation, value) < 0));
}

/**
 * Judges a hint beside several instances of its environment (run contract §5): it may hold no answer, and in tool use no concrete value.
 * @param at where findings sit: the class of the environment.
 */
export function judgeHint(hint: string, instances: readonly HintInstance[], profile: Profile | null, at: Range): Finding[] {
  const findings: Finding[] = [];
  const told = instances.flatMap((instance) => {
    const value = secretsOf(instance, profile).find((secret) => indexOfToken(hint, secret) >= 0);
    return value === undefined ? [] : [{ seed: instance.seed, value }];
  });
  const first = told[0];
  if (first !== undefined) {
    findings.push(finish('hint-leaks-answer', {
      range: at,
      message: message('The hint holds {value}, a value of the instance of seed {seed}. With it the hint arm measures copying, not skill. Say how to find it, not what it is.', { value: first.value, seed: first.seed }),
      evidence: { seed: first.seed, seeds: told.map(({ seed }) => seed), expected: 'no value of an instance', actual: first.value },
    }, profile));
  }
  const words = hint.trim().split(/\s+/).filter((word) => word !== '').length;
  if (words > HINT_WORDS) {
    findings.push(finish('hint-too-long', {
      range: at,
      message: message('The hint has {words} words; the run asks for fewer than {limit}.', { words, limit: HINT_WORDS }),
      evidence: { expected: `at most ${HINT_WORDS} words`, actual: `${words} words` },
    }, profile));
  }
  return findings;
}

/** What the model screen said. Undecided is also what an error or a time-out is. */
export type ScreenOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'undecided'; readonly reason: string };

/** Judges the screen's outcome; nothing but a clear yes passes in silence. */
export function judgeScreen(outcome: ScreenOutcome, profile: Profile | null, at: Range): Finding[] {
  if (outcome.kind === 'accepted') return [];
  const rejected = outcome.kind === 'rejected';
  return [finish(rejected ? 'screen-rejects' : 'screen-undecided', {
    range: at,
    message: rejected
      ? message('The model screen rejects the file: {reason}', { reason: outcome.reason })
      : message('The model screen came to no verdict: {reason}. The run would let the file through; here it counts as undecided.', { reason: outcome.reason }),
    evidence: { actual: outcome.reason },
  }, profile)];
}
