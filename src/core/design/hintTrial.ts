import { message } from '../../shared/message';
import type { ArmReport, Episode, PlayReport } from '../../shared/play';
import { EnvwrightError } from '../errors';
import { episodeKey, startArms } from '../play/arms';
import type { PlayedFile } from '../play/instance';
import type { Policy } from '../play/policy';
import type { Clock, SandboxProvider } from '../ports';
import { countWords, MAX_HINT_WORDS } from './hint';
import { findHintLeak, type HintLeak } from './hintLeak';
import { hintOnlyPolicy } from './hintOnly';

/** A hint that is to be tried, and whether it came from no model. */
export interface HintCandidate {
  readonly text: string;
  readonly simulated: boolean;
}

/** What a hint turned out to be worth. `alone` is what the agent wins with the hint and nothing else; null for a policy that is no model. */
export interface HintTrial {
  readonly hint: HintCandidate;
  readonly words: number;
  readonly tooLong: boolean;
  readonly leak: HintLeak;
  readonly report: PlayReport;
  readonly alone: ArmReport | null;
}

/** How hints are tried: on the same instances, against one set of plays without a hint. */
export interface TrialOptions {
  readonly file: PlayedFile;
  readonly sandbox: SandboxProvider;
  readonly policy: Policy;
  readonly seeds: readonly number[];
  readonly maxTurns: number;
  readonly thinking: boolean;
  readonly concurrency: number;
  readonly clock: Pick<Clock, 'now'>;
}

/** How far the trials are: episodes that have ended, of all. */
export type OnTrial = (ended: number, of: number) => void;

/**
 * Tries hints by their regret: each is played on the same seeds, and all are compared with the same plays without a hint.
 * The best by regret comes first; one that leaks comes after all that do not, whatever it wins.
 *
 * @throws SandboxError when the environment cannot be run; EnvwrightError `model/no-plays` when all plays without a hint failed.
 */
export async function tryHints(candidates: readonly HintCandidate[], options: TrialOptions, onTrial: OnTrial, signal: AbortSignal): Promise<HintTrial[]> {
  const { file, sandbox, policy, seeds } = options;
  const controlled = !policy.simulated && policy.usesHint;
  const of = seeds.length * (1 + candidates.length * (controlled ? 2 : 1));
  let ended = 0;
  const play = async (hint: HintCandidate | null, by: Policy, resume?: ReadonlyMap<string, Episode>): Promise<PlayReport> => {
    const common = { file, sandbox, policy: by, mode: 'paired' as const, seeds, plays: 1, maxTurns: options.maxTurns, thinking: options.thinking, concurrency: options.concurrency, clock: options.clock };
    const report = await startArms({ ...common, hint: hint?.text ?? null, simulatedHint: hint?.simulated ?? false, ...(resume && { resume }) }, (event) => {
      if (event.type === 'ended') onTrial((ended += 1), of);
    }, signal).result;
    signal.throwIfAborted();
    return report;
  };
  const without = await play(null, policy);
  const { episodes } = without.arms.noHint;
  if (episodes.length > 0 && episodes.every(({ status }) => status === 'policy-failed')) {
    throw new EnvwrightError('model/no-plays', message('No play could be made: {why}', { why: episodes[0]?.error ?? '' }), message('The hints that were written are not tried. Test the connection, then compare again.'));
  }
  const known = new Map(without.arms.noHint.episodes.map((episode, slot) => [episodeKey({ arm: 'noHint', slot, seed: episode.seed, play: 0 }), episode]));
  const trials: HintTrial[] = [];
  for (const hint of candidates) {
    const leak = await findHintLeak(await sandbox.get(signal), file, hint.text, signal);
    const report = await play(hint, policy, known);
    const alone = controlled ? (await play(null, hintOnlyPolicy(policy, hint.text))).arms.noHint : null;
    const words = countWords(hint.text);
    trials.push({ hint, words, tooLong: words > MAX_HINT_WORDS, leak, report, alone });
  }
  const worth = ({ leak, report }: HintTrial): number => (leak.values.length > 0 ? -10 : 0) + (report.paired?.regret ?? -1);
  return trials.sort((a, b) => worth(b) - worth(a));
}
