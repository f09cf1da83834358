import { basename } from 'node:path';
import { z } from 'zod';
import { startArms, type ArmsOptions } from '../../core/play/arms';
import type { Policy } from '../../core/play/policy';
import { noopPolicy, oraclePolicy, scriptPolicy } from '../../core/play/policies/fixed';
import { LAUNCHER_SAMPLING, modelPolicy } from '../../core/play/policies/model';
import { randomPolicy } from '../../core/play/policies/random';
import { simulatedLearner } from '../../core/play/policies/simulated';
import { parseSeeds } from '../../core/play/seeds';
import type { PlayEvent } from '../../core/play/events';
import { valueSentence } from '../../core/value/sentence';
import { pairBySeed } from '../../core/value/summary';
import type { Interval } from '../../shared/interval';
import { formatMessage, message } from '../../shared/message';
import type { ArmReport, PlayReport } from '../../shared/play';
import { Args } from './args';
import { EXIT, UsageError, type CliContext, type Command } from './context';
import { readDocument, readInput, readSource } from './inputs';
import { MODEL_OPTIONS, modelOf, samplingOf } from './modelArgs';
import { Output, table } from './output';
import { SANDBOX_OPTIONS, sandboxOf } from './sandboxArgs';

const POLICIES = ['oracle', 'random', 'noop', 'script', 'model', 'simulated'] as const;
const DEFAULT_SEEDS = '0-3';

const OPTIONS = {
  policy: { type: 'string' }, actions: { type: 'string' }, hint: { type: 'string' }, 'hint-file': { type: 'string' }, seeds: { type: 'string' }, plays: { type: 'string' },
  'max-turns': { type: 'string' }, 'as-run': { type: 'boolean' }, thinking: { type: 'boolean' }, chance: { type: 'string' }, 'chance-hint': { type: 'string' },
  concurrency: { type: 'string' }, 'random-seed': { type: 'string' }, ...SANDBOX_OPTIONS, ...MODEL_OPTIONS,
} as const;

function chanceOf(args: Args, name: string, otherwise: number): number {
  const value = args.number(name) ?? otherwise;
  if (value < 0 || value > 1) throw new UsageError(message('--{name} takes a chance from 0 to 1.', { name }));
  return value;
}

async function policyOf(args: Args, context: CliContext): Promise<Policy> {
  const seed = args.integer('random-seed') ?? 0;
  const name = args.choice('policy', POLICIES);
  switch (name) {
    case undefined:
      throw new UsageError(message('--policy is missing: one of {policies}.', { policies: POLICIES.join(', ') }));
    case 'oracle':
      return oraclePolicy();
    case 'noop':
      return noopPolicy();
    case 'random':
      return randomPolicy(seed);
    case 'simulated': {
      const chance = chanceOf(args, 'chance', 0.5);
      return simulatedLearner({ chance, chanceWithHint: chanceOf(args, 'chance-hint', chance), seed });
    }
    case 'script': {
      const path = args.path('actions');
      if (path === undefined) throw new UsageError(message('--policy script needs --actions FILE: a JSON array of texts.'));
      return scriptPolicy(await readDocument(context, path, z.array(z.string())));
    }
    case 'model':
      return modelPolicy({ client: await modelOf(args, context), sampling: samplingOf(args, LAUNCHER_SAMPLING), ...(args.flag('thinking') ? { thinking: true } : {}) });
  }
}

async function hintOf(args: Args, context: CliContext): Promise<string | null> {
  const [text, file] = [args.text('hint'), args.path('hint-file')];
  if (text !== undefined && file !== undefined) throw new UsageError(message('Give either --hint or --hint-file.'));
  return file === undefined ? (text ?? null) : (await readInput(context, file)).trim();
}

async function optionsOf(args: Args, context: CliContext): Promise<ArmsOptions> {
  const path = args.onePath('FILE');
  const maxTurns = args.integer('max-turns', 1);
  const concurrency = args.integer('concurrency', 1);
  const plays = args.integer('plays', 1);
  return {
    file: { name: basename(path), source: await readSource(context, path) },
    policy: await policyOf(args, context),
    hint: await hintOf(args, context),
    mode: args.flag('as-run') ? 'as-run' : 'paired',
    seeds: parseSeeds(args.text('seeds') ?? DEFAULT_SEEDS),
    plays: plays ?? 1,
    ...(plays === undefined ? {} : { asRun: { hintPlays: plays, noHintPlays: plays, drawSeed: args.integer('random-seed') ?? 0 } }),
    thinking: args.flag('thinking'),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(concurrency === undefined ? {} : { concurrency }),
    clock: context.clock,
    sandbox: await sandboxOf(args, context),
  };
}

const number = (value: number | null): string => (value === null ? '–' : value.toFixed(2));
const span = (interval: Interval | null): string => (interval ? `${number(interval.lo)} to ${number(interval.hi)}` : '–');

function armRow(name: string, arm: ArmReport): string[] {
  const counted = arm.episodes.filter(({ return: value }) => value !== null).length;
  return [name, `mean return ${number(arm.mean)}`, span(arm.interval), `n ${counted}`, `won ${arm.winRate === null ? '–' : `${(arm.winRate * 100).toFixed(0)} %`}`, `failed ${arm.failed}`];
}

function text(report: PlayReport): string {
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
    ...[noHint, ...(hint ? [hint] : [])].flatMap(({ episodes }) => episodes.flatMap(({ seed, error, status }) => (error === null ? [] : [`seed ${seed ?? '–'}: ${status}: ${error}`]))),
  ].join('\n');
}

/** Tells of every episode that ended, on stderr. */
function progressOf(output: Output): (event: PlayEvent) => void {
  let total = 0;
  let done = 0;
  return (event) => {
    if (event.type === 'progress') ({ total } = event);
    if (event.type !== 'ended') return;
    done += 1;
    const { ref, episode } = event;
    output.note(`${done} of ${total}: ${ref.arm === 'hint' ? 'hint' : 'no hint'}, seed ${ref.seed ?? '–'}: ${episode.status}, return ${number(episode.return)}`);
  };
}

export const playCommand: Command = {
  name: 'play',
  summary: 'play an environment, with a hint and without on the same seeds when a hint is given',
  usage: [
    'play FILE --policy oracle|random|noop|script|model|simulated [--hint TEXT | --hint-file FILE] [--seeds 0-15] [--plays N] [--max-turns N]',
    '     [--actions FILE] [--as-run] [--thinking] [--chance P] [--chance-hint P] [--concurrency N] [--sandbox auto|native|pyodide] [--python PATH]',
    '     [--endpoint URL --model NAME --temperature X --top-p X --top-k N --min-p X --max-tokens N]',
  ].join('\n  '),
  async run(argv, context) {
    const args = Args.parse(argv, OPTIONS, context.cwd);
    const output = new Output(context, args);
    const options = await optionsOf(args, context);
    try {
      const report = await startArms(options, progressOf(output), context.signal).result;
      const document = { ...report, file: args.onePath('FILE') };
      output.answer(document, () => text(document));
      const episodes = [...report.arms.noHint.episodes, ...(report.arms.hint?.episodes ?? [])];
      const unplayed = episodes.length === 0 || episodes.every(({ status }) => status === 'policy-failed' || status === 'cancelled');
      return unplayed || context.signal.aborted ? EXIT.notDone : EXIT.fine;
    } finally {
      options.sandbox.dispose();
    }
  },
};
