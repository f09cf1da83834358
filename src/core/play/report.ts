import { formatMessage } from '../../shared/message';
import type { ArmName, Episode, PlayReport } from '../../shared/play';
import { DEPLOYED_WEIGHTS, type BlendWeights } from '../value/designer';
import { independentInterval } from '../value/intervals';
import { failureSentence, nanSentence } from '../value/sentence';
import { meanOrZero } from '../value/statistics';
import { countedReturns, designerTerms, pairedRegret, summariseArm } from '../value/summary';

/** A set of plays, whole or so far. `noHint` and `hint` are in the arm's order; `hint` null: it was not played. */
export interface PlayedArms {
  readonly file: string;
  readonly policy: { readonly name: string; readonly simulated: boolean; readonly usesHint: boolean; readonly note: string | null };
  readonly mode: PlayReport['mode'];
  readonly hint: string | null;
  /** True when the hint came from the offline samples. */
  readonly simulatedHint: boolean;
  readonly episodes: Readonly<Record<ArmName, readonly Episode[]>>;
  readonly weights?: BlendWeights;
}

const AS_RUN_NOTE =
  'Unpaired, as the run: hint plays use seeds of their own, no-hint plays mostly one instance. Regret may be off by the luck of that instance.';
const HINT_CUT_NOTE = 'The run plays a reply that was cut at the token limit in the arm with the hint, and ends the episode in the arm without.';

/** The report of a set of plays, with all figures as the run would compute them. Pure: may be made after every episode. */
export function reportOf({ file, policy, mode, hint, simulatedHint, episodes, weights = DEPLOYED_WEIGHTS }: PlayedArms): PlayReport {
  const withHint = hint === null ? null : episodes.hint;
  const simulated = policy.simulated || simulatedHint;
  const [without, hinted] = [summariseArm(episodes.noHint), withHint && summariseArm(withHint)];
  const leftOut = [failureSentence(without, hinted), nanSentence(without, hinted)];
  const notes = [
    ...leftOut.map((said) => said && `${formatMessage(said.lead)} ${formatMessage(said.rest)}`),
    simulated ? 'No model took part: these figures say nothing about a model.' : null,
    policy.note,
    mode === 'as-run' ? AS_RUN_NOTE : null,
    withHint && episodes.noHint.some(({ status }) => status === 'reply-cut') ? HINT_CUT_NOTE : null,
  ];
  return {
    file,
    policy: policy.name,
    simulated,
    mode,
    hint,
    arms: { noHint: without, hint: hinted },
    paired: mode === 'paired' && withHint ? pairedRegret(withHint, episodes.noHint) : null,
    ...(mode === 'as-run' && withHint ? unpaired(withHint, episodes.noHint) : {}),
    designer: designerTerms(episodes.noHint, withHint, weights),
    notes: notes.filter((note) => note !== null),
  };
}

function unpaired(hint: readonly Episode[], noHint: readonly Episode[]): Pick<PlayReport, 'unpaired'> {
  const hinted = countedReturns(hint);
  const without = countedReturns(noHint);
  if (hinted.length === 0 || without.length === 0) return {};
  return { unpaired: { regret: meanOrZero(hinted) - meanOrZero(without), interval: independentInterval(hinted, without) } };
}
