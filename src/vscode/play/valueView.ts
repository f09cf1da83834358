import { DEPLOYED_WEIGHTS, regretTerm, type BlendWeights } from '../../core/value/designer';
import { independentInterval, meanInterval } from '../../core/value/intervals';
import { plateauReward } from '../../core/value/rewards';
import { failureSentence, nanSentence, valueSentence, type ValueKind } from '../../core/value/sentence';
import { countedReturns, designerTerms, pairBySeed, pairedRegret, summariseArm } from '../../core/value/summary';
import type { Interval } from '../../shared/interval';
import { message, type Message } from '../../shared/message';
import type { ArmReport, Episode } from '../../shared/play';
import type { Figure, Sentence, ValueView } from '../../shared/webviewProtocol';

type Span = Pick<Interval, 'lo' | 'hi'>;

/** Weights of the designer's reward, and where they come from. */
export interface SourcedWeights {
  readonly weights: BlendWeights;
  readonly source: Message;
}

/** The paper's, where nothing better is known. */
export const PAPER_WEIGHTS: SourcedWeights = { weights: DEPLOYED_WEIGHTS, source: message('weights of the paper’s launchers') };

/** What the value strip is made of: the episodes that are over, and whether more are to come. */
export interface ValueInput {
  readonly noHint: readonly Episode[];
  /** Null when only the arm without the hint is played. */
  readonly hint: readonly Episode[] | null;
  readonly isPaired: boolean;
  readonly isRunning: boolean;
  /** The paper's when left out. */
  readonly weights?: SourcedWeights;
}

const TONES: Record<ValueKind, Sentence['tone']> = {
  'no-plays': 'none', 'none-counts': 'warning', 'no-hint-arm': 'info', 'too-early': 'info', 'teaches-now': 'ok', 'teaches-little': 'info', 'out-of-reach': 'info',
  'hint-hurts': 'warning', 'cannot-tell': 'info',
};

/** The value strip: every figure with its interval and what it rests on, and the sentence that says what it means. */
export function valueView({ noHint, hint, isPaired, isRunning, weights: { weights, source } = PAPER_WEIGHTS }: ValueInput): ValueView {
  const without = summariseArm(noHint);
  const withHint = hint && summariseArm(hint);
  const paired = isPaired && hint ? pairedRegret(hint, noHint) : null;
  const terms = designerTerms(noHint, hint, weights);
  const plateauSpan = without.interval && imageOfPlateau(without.interval, weights);
  const rawTerm = paired && { value: paired.regret / weights.regretScale, span: paired.interval && scaled(paired.interval, 1 / weights.regretScale) };
  const termSpan = paired?.interval && { lo: regretTerm(paired.interval.lo, weights), hi: regretTerm(paired.interval.hi, weights) };
  const isClipped = weights.regretFloor && rawTerm !== null && (rawTerm.value < 0 || rawTerm.value > 1);
  const plays = countedReturns(noHint).length;
  return {
    mean: { hint: meanFigure(withHint), noHint: meanFigure(without), regret: regretFigure(without, withHint, paired) },
    winRate: { hint: winFigure(withHint), noHint: winFigure(without) },
    designer: {
      plateau: figure(terms?.plateau ?? null, plateauSpan, plays, 'plays'),
      regretTerm: {
        ...figure(terms?.regretTerm ?? null, termSpan ?? null, paired?.pairs ?? null, 'pairs'),
        ...(isClipped && { raw: rawTerm.value, rawInterval: rawTerm.span }),
      },
      blend: figure(terms?.blend ?? null, plateauSpan && termSpan ? blended(plateauSpan, termSpan, weights) : null, paired?.pairs ?? null, 'pairs'),
    },
    weights: {
      plateau: weights.plateau,
      regret: weights.regret,
      regretScale: weights.regretScale,
      lo: weights.band.lo,
      hi: weights.band.hi,
      ramp: weights.band.ramp,
      source,
    },
    provisional: isRunning,
    sentences: [
      mainSentence(without, withHint, paired, hint ? pairBySeed(hint, noHint) : [], isRunning),
      ...(isPaired || !hint ? [] : [unpairedSentence()]),
      ...leftOutSentences(without, withHint),
    ],
  };
}

/** A figure of the value strip. */
export function figure(value: number | null, interval: Span | null, n: number | null, unit: Figure['unit']): Figure {
  return { value, interval: interval && { lo: interval.lo, hi: interval.hi }, exact: false, n, unit, wins: 0, raw: null, rawInterval: null };
}

function meanFigure(arm: ArmReport | null): Figure {
  return figure(arm?.mean ?? null, arm?.interval ?? null, arm ? countedReturns(arm.episodes).length : 0, 'plays');
}

function winFigure(arm: ArmReport | null): Figure {
  const wins = arm ? countedReturns(arm.episodes).map((value) => (value > 0 ? 1 : 0)) : [];
  return { ...figure(arm?.winRate ?? null, meanInterval(wins), wins.length, 'wins'), wins: wins.filter((won) => won === 1).length };
}

function regretFigure(noHint: ArmReport, hint: ArmReport | null, paired: ReturnType<typeof pairedRegret>): Figure {
  if (paired) return figure(paired.regret, paired.interval, paired.pairs, 'pairs');
  const without = countedReturns(noHint.episodes);
  const withHint = hint ? countedReturns(hint.episodes) : [];
  const isKnown = withHint.length > 0 && without.length > 0;
  return figure(isKnown ? (hint?.mean ?? 0) - (noHint.mean ?? 0) : null, independentInterval(withHint, without), isKnown ? without.length : 0, 'plays');
}

/** The plateau over an interval of means: it rises to the band and falls after it, so its least value is at an end. */
function imageOfPlateau({ lo, hi }: Span, { band }: BlendWeights): Span {
  const ends = [plateauReward(lo, band), plateauReward(hi, band)];
  const crosses = lo <= band.hi && hi >= band.lo;
  return { lo: Math.min(...ends), hi: crosses ? 1 : Math.max(...ends) };
}

function blended(plateau: Span, term: Span, { plateau: p, regret: r }: BlendWeights): Span {
  return { lo: p * plateau.lo + r * term.lo, hi: p * plateau.hi + r * term.hi };
}

const scaled = ({ lo, hi }: Span, factor: number): Span => ({ lo: lo * factor, hi: hi * factor });

function mainSentence(...[noHint, hint, paired, pairs, isRunning]: Parameters<typeof valueSentence>): Sentence {
  const { kind, lead, rest } = valueSentence(noHint, hint, paired, pairs, isRunning);
  return { tone: TONES[kind], strong: lead, rest: [rest] };
}

function unpairedSentence(): Sentence {
  return {
    tone: 'warning',
    strong: message('Unpaired, as the run:'),
    rest: [message('hint plays use 16 seeds, no-hint plays mostly one instance. Regret may be off by the luck of that instance.')],
  };
}

function leftOutSentences(noHint: ArmReport, hint: ArmReport | null): Sentence[] {
  return [failureSentence(noHint, hint), nanSentence(noHint, hint)].flatMap((said) => (said ? [{ tone: 'warning', strong: said.lead, rest: [said.rest] }] : []));
}
