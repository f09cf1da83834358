import { message } from '../../../../shared/message';
import type { ProbeRule } from '../../check';
import { locateObservation } from '../../static/locate';
import { ownLimit } from '../battery';
import { unstable } from '../difference';
import type { EpisodeFact, ProbeFacts } from '../facts';
import { found, nothingFound, notMade, replay, seedsOf, seedText, stepPlace, whenLoaded } from '../judge';
import { BUDGET, hasEnded, observationOf, of, optionGroupsOf, readingOf, SEEDS, shown, solutionOf } from '../query';
import { indexOfToken, isCommon, isGivenAway, sameSlot, sharedWords, slotOf } from '../tokens';

/** Tokens of the agent's context, and what one reply may take of it (run contract §4). */
const CONTEXT_TOKENS = 32_768;
const REPLY_TOKENS = 8192;
/** Code points to a token, roughly, for English text. */
const CHARS_PER_TOKEN = 4;

interface Instance {
  readonly seed: number;
  readonly observation: string;
  readonly answer: string;
}

/** Seeds whose answer, that after the steps where tools are used, is a short text of one line, with what the agent sees first. */
function instances(facts: ProbeFacts): Instance[] {
  return SEEDS.flatMap((seed) => {
    const observation = observationOf(facts, seed);
    const reading = facts.load?.toolUse ? readingOf(facts, seed) : null;
    const text = reading?.kind === 'tools' ? reading.answer : solutionOf(facts, seed);
    const answer = text?.trim().replace(/^\\boxed\{(.*)\}$/s, '$1').trim();
    return observation === null || answer === undefined || answer.includes('\n') || answer.length > 200 ? [] : [{ seed, observation, answer }];
  });
}

const listed = (facts: ProbeFacts, { seed, answer }: Instance): boolean => (
  optionGroupsOf(facts, seed).some((group) => group.some((option) => option.toLowerCase() === answer.toLowerCase()))
);

/** `answer-leaked-in-observation`: the first observation holds the answer. */
export const answerLeakedInObservation: ProbeRule = whenLoaded((facts) => {
  const all = instances(facts);
  if (all.length < 4) return notMade(message('There is no solution() whose answer could be looked for.'));
  const first = all[0]!;
  const varied = new Set(all.map(({ answer }) => answer)).size >= 3;
  const given = varied && all.every(({ observation, answer }) => isGivenAway(observation, answer));
  const shared = sharedWords(all.map(({ observation }) => observation));
  const slots = all.map((instance) => {
    const at = isCommon(instance.answer) || listed(facts, instance) ? -1 : indexOfToken(instance.observation, instance.answer);
    return at < 0 ? null : slotOf(instance.observation, at, shared);
  });
  if (!given && !(sameSlot(slots) && varied)) return nothingFound;
  return found([{
    range: locateObservation(facts.file),
    message: message('The first observation holds the answer on every one of {count} seeds ({answer} on seed {seed}). The agent only has to copy it. Leave it out of the text.', {
      count: all.length, answer: shown(first.answer, 60), seed: first.seed,
    }),
    evidence: { seed: first.seed, seeds: all.map(({ seed }) => seed), expected: 'a text without the answer', actual: shown(first.observation), detail: shown(first.answer, 200) },
  }]);
});

/** `answer-revealed-before-end`: feedback holds the answer before the last turn. */
export const answerRevealedBeforeEnd: ProbeRule = whenLoaded((facts) => {
  const known = new Map(instances(facts).map((instance) => [instance.seed, instance]));
  const why = unstable(facts) ?? (known.size < 4 ? message('There is no solution() whose answer could be looked for.') : null);
  if (why !== null) return notMade(why);
  const told = (episode: EpisodeFact): number => {
    const instance = known.get(episode.spec.seed ?? -1);
    if (instance === undefined || indexOfToken(instance.observation, instance.answer) >= 0) return -1;
    return episode.turns.findIndex((turn) => {
      const text = turn.step?.observation.text ?? '';
      const sent = turn.step?.action ?? '';
      if (hasEnded(turn) || indexOfToken(sent, instance.answer) >= 0) return false;
      return isGivenAway(text, instance.answer) || (!isCommon(instance.answer) && indexOfToken(text, instance.answer) >= 0);
    });
  };
  const episodes = of(facts, 'wrong', 'unboxed').filter(({ turns }) => turns.length > 0);
  const seeds = new Set(seedsOf(episodes));
  const revealing = episodes.filter((episode) => told(episode) >= 0);
  const first = revealing[0];
  if (first === undefined || seedsOf(revealing).length < seeds.size) return nothingFound;
  const turn = told(first);
  return found([{
    range: stepPlace(facts, first.spec, turn, 'observation'),
    message: message('The feedback holds the answer while the episode goes on ({seeds}): one wrong try, then copy. Tell it at the end only.', { seeds: seedText(revealing) }),
    evidence: { ...replay(first.spec, turn, { expected: 'feedback without the answer', actual: shown(first.turns[turn]!.step!.observation.text) }), seeds: seedsOf(revealing) },
  }]);
});

const NAMED = /answer|solution|secret|target|code|password|key|correct/i;

/** The path of a value in plain data that equals an answer. */
function pathTo(value: unknown, answer: string, path = ''): string | null {
  if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      const inner = pathTo(item, answer, path === '' ? key : `${path}.${key}`);
      if (inner !== null) return inner;
    }
    return null;
  }
  const equal = (typeof value === 'string' || typeof value === 'number') && String(value).trim() === answer;
  return equal && (!isCommon(answer) || NAMED.test(path)) ? path : null;
}

/** `answer-in-info`: info holds the answer. */
export const answerInInfo: ProbeRule = whenLoaded((facts) => {
  const known = instances(facts);
  if (known.length === 0) return notMade(message('There is no solution() whose answer could be looked for.'));
  const hits: { episode: EpisodeFact; turn: number; path: string }[] = [];
  for (const { seed, answer } of known) {
    for (const episode of facts.episodes) {
      if (episode.spec.seed !== seed || !['seed', 'wrong'].includes(episode.spec.purpose)) continue;
      const inReset = pathTo(episode.reset?.info.json, answer);
      if (inReset !== null) hits.push({ episode, turn: -1, path: inReset });
      episode.turns.forEach(({ step }, turn) => {
        const path = pathTo(step?.info.json, answer);
        if (path !== null) hits.push({ episode, turn, path });
      });
    }
  }
  const first = hits[0];
  if (first === undefined || new Set(hits.map(({ episode }) => episode.spec.seed)).size < Math.min(2, known.length)) return nothingFound;
  return found([{
    range: first.turn < 0 ? locateObservation(facts.file) : stepPlace(facts, first.episode.spec, first.turn),
    message: message('info holds the answer (key {path}). The run never shows info to the agent; other runners may.', { path: first.path }),
    evidence: replay(first.episode.spec, first.turn, { detail: first.path, actual: shown(known.find(({ seed }) => seed === first.episode.spec.seed)?.answer ?? '', 200) }),
  }]);
});

/** `observation-too-long`: the observation is long for the context budget. */
export const observationTooLong: ProbeRule = whenLoaded((facts) => {
  const played = facts.episodes.filter((episode) => episode.reset !== null && !['company', 'input', 'after-end', 'hash', 'replay'].includes(episode.spec.purpose));
  if (played.length === 0) return notMade(message('No observation was seen.'));
  const turns = Math.min(ownLimit(facts) ?? BUDGET, BUDGET);
  const sizes = played.map((episode) => {
    const made = episode.turns.flatMap(({ step }) => (step === null ? [] : [step.observation.length]));
    const mean = made.length === 0 ? 0 : made.reduce((sum, length) => sum + length, 0) / made.length;
    const first = episode.reset!.observation.length / CHARS_PER_TOKEN;
    return { episode, first, whole: first + (mean / CHARS_PER_TOKEN) * (turns - 1), longest: Math.max(0, ...made) / CHARS_PER_TOKEN };
  });
  const room = CONTEXT_TOKENS - REPLY_TOKENS;
  const worst = sizes.sort((a, b) => b.whole - a.whole)[0]!;
  if (worst.whole <= room && worst.longest <= room) return nothingFound;
  const tokens = Math.round(Math.max(worst.whole, worst.longest));
  return found([{
    range: worst.first > room / 2 ? locateObservation(facts.file) : stepPlace(facts, worst.episode.spec, 0, 'observation'),
    message: message('Observations take about {tokens} tokens over {turns} turns; a context of {context} with {reply} for one reply leaves {room}. A full context ends the play. Say less, or less often.', {
      tokens, turns, context: CONTEXT_TOKENS, reply: REPLY_TOKENS, room,
    }),
    evidence: replay(worst.episode.spec, -1, { expected: `at most ${room} tokens`, actual: `about ${tokens} tokens` }),
  }]);
});
