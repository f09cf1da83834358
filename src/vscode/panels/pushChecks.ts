import type { PushWarning, PushWarningId } from '../../core/memory/warnings';
import { classesOver, moreUntilClear } from '../../core/memory/ranks';
import type { MemoryClass } from '../../shared/memory';
import { message, type Message } from '../../shared/message';
import type { PushAction, PushCheck } from '../../shared/webviewPush';
import type { Span } from '../../shared/webviewMemory';

/** Warnings that a person can weigh by what the panel shows; every other one asks for a reason. */
const WEIGHED: readonly PushWarningId[] = ['few-plays'];

const NAMES: Readonly<Record<PushWarningId, string>> = {
  'dead-zone': 'Dead zone.', 'outside-pool': 'Below the pool.', tie: 'Tie.', 'example-to-avoid': 'An example to avoid.', 'unknown-skill': 'Unknown skill.',
  'cut-snippet': 'Cut text.', duplicate: 'Duplicate.', 'same-game-file': 'Same file.', simulated: 'Not a model.', 'few-plays': 'Few plays.', 'by-hand': 'Figures by hand.',
  'open-findings': 'Open findings.', 'silenced-findings': 'Findings set aside.', 'memory-off': 'Memory not read.', 'memory-unknown': 'Memory perhaps not read.', 'skill-not-in-run': 'Skill not in this run.', 'secret-in-code': 'A secret in the code.',
  'instructions-in-code': 'Instructions in the code.', 'fence-in-code': 'Backticks in the code.', 'memory-problems': 'Faulty memory.',
};

const ACTIONS: Readonly<Partial<Record<PushWarningId, readonly [PushAction, string]>>> = {
  'dead-zone': ['play', 'Play More'], 'few-plays': ['play', 'Play More'], simulated: ['play', 'Play with a Model'], 'by-hand': ['play', 'Play It'],
  tie: ['showMemory', 'Show'], duplicate: ['showMemory', 'Show'], 'same-game-file': ['showMemory', 'Show'], 'outside-pool': ['showMemory', 'Show'],
  'memory-problems': ['showMemory', 'Show'], 'unknown-skill': ['skill', 'Choose Skill\u2026'], 'skill-not-in-run': ['skill', 'Choose Skill\u2026'],
  'memory-unknown': ['launchFlags', 'Read Launch Flags\u2026'], 'open-findings': ['problems', 'Show'], 'silenced-findings': ['openFile', 'Open File'], 'cut-snippet': ['openCut', 'Show the Cut'],
  'secret-in-code': ['openFile', 'Open File'], 'instructions-in-code': ['openFile', 'Open File'], 'fence-in-code': ['openFile', 'Open File'],
};

/** What the figures leave open: `edge` is the regret at which the pool ends, null while it is not full. */
export interface OpenQuestions {
  readonly winRate: number;
  readonly winInterval: Span | null;
  readonly plays: number | null;
  readonly regret: number;
  readonly regretInterval: Span | null;
  readonly pairs: number | null;
  readonly rankRange: { readonly best: number; readonly worst: number } | null;
  readonly edge: number | null;
}

/** The rows of "Before you push": errors, warnings, and what was found in order in one row. */
export function pushChecks(warnings: readonly PushWarning[], open: OpenQuestions, passed: readonly Message[]): PushCheck[] {
  const rows = warnings.map(({ id, severity, message: text }): PushCheck => {
    const action = ACTIONS[id];
    return {
      severity: severity === 'warning' && !WEIGHED.includes(id) ? 'error' : 'warning', name: message(NAMES[id]), texts: [text],
      action: action ? { id: action[0], label: message(action[1]) } : null,
    };
  });
  const all = [...rows, ...openRows(open)];
  return [
    ...all.filter(({ severity }) => severity === 'error'), ...all.filter(({ severity }) => severity === 'warning'),
    ...(passed.length === 0 ? [] : [{ severity: 'passed' as const, name: passed.length === 1 ? message('1 check passed:') : message('{n} checks passed:', { n: passed.length }), texts: [...passed], action: null }]),
  ];
}

/** True when one of the rows asks for a reason. */
export function needsReason(checks: readonly PushCheck[]): boolean {
  return checks.some(({ severity }) => severity === 'error');
}

const CLASS: Readonly<Record<MemoryClass, string>> = { seed: 'seed', 'too-easy': 'too easy', 'too-hard': 'too hard', 'dead-zone': 'dead zone' };

function openRows({ winRate, winInterval, plays, regret, regretInterval, pairs, rankRange, edge }: OpenQuestions): PushCheck[] {
  const row = (name: string, ...texts: Message[]): PushCheck => ({ severity: 'warning', name: message(name), texts, action: { id: 'play', label: message('Play More') } });
  const classes = winInterval ? classesOver(winInterval) : [];
  const edges = [0.1, 0.15, 0.85, 0.9].flatMap((at) => (winInterval && plays !== null ? (moreUntilClear(winInterval, winRate, at, plays) ?? []) : []));
  const more = edges.length > 0 ? [Math.max(...edges) === 1 ? message('About 1 more play would settle the class.') : message('About {n} more plays would settle the class.', { n: Math.max(...edges) })] : [];
  const pool = regretInterval && pairs !== null && edge !== null ? moreUntilClear(regretInterval, regret, edge, pairs) : null;
  return [
    ...(classes.length > 1 ? [row('Class open.', message('The interval of the win rate covers {classes}.', { classes: classes.map((kind) => CLASS[kind]).join(', ') }), ...more)] : []),
    ...(regretInterval && rankRange && rankRange.best !== rankRange.worst ? [row('Rank open.',
      message('Regret {lo} to {hi}, so the rank could be {best} to {worst}.', { lo: two(regretInterval.lo), hi: two(regretInterval.hi), ...rankRange }),
      ...(pool === null ? [] : [pool === 1 ? message('About 1 more pair would tell if it is in the pool.') : message('About {n} more pairs would tell if it is in the pool.', { n: pool })]))] : []),
  ];
}

/** Two decimals and a true minus. */
export function two(value: number): string {
  return value.toFixed(2).replace('-', '\u2212');
}
