import { join } from 'node:path';
import { checkFile } from '../../core/checks/checkFile';
import { readCorpus, type CorpusDocument } from '../../core/design/corpus';
import { designDraft, type Attempt, type DesignEvent, type Draft } from '../../core/design/designer';
import { drawExamples } from '../../core/design/examples';
import type { DesignTask } from '../../core/design/prompt';
import { parseDifficulty, parseKind, parseSkill, requireFit } from '../../core/design/skills';
import { EnvwrightError, isCancelled } from '../../core/errors';
import { readMemory } from '../../core/memory/readMemory';
import { seededRandom } from '../../core/play/random';
import type { Sampling } from '../../core/ports';
import type { ErrorDocument } from '../../shared/cliDocuments';
import type { DesignReport, DraftReport } from '../../shared/design';
import type { FileReport } from '../../shared/findings';
import { message } from '../../shared/message';
import { Args } from './args';
import { EXIT, UsageError, worst, type CliContext, type Command, type ExitCode } from './context';
import { readInput } from './inputs';
import { clientOf, endpointOf, MODEL_OPTIONS, MODEL_USAGE, samplingOf } from './modelArgs';
import { errorDocument } from './errorDocument';
import { Output } from './output';
import { SANDBOX_OPTIONS, SANDBOX_USAGE, sandboxOf } from './sandboxArgs';

const OPTIONS = {
  skill: { type: 'string' }, kind: { type: 'string' }, difficulty: { type: 'string' }, corpus: { type: 'string' }, memory: { type: 'string' }, seed: { type: 'string' },
  out: { type: 'string' }, drafts: { type: 'string' }, repairs: { type: 'string' }, thinking: { type: 'boolean' }, ...SANDBOX_OPTIONS, ...MODEL_OPTIONS,
} as const;

/** What a designer is sampled with when the flags say nothing; the run's designer has room for a whole file. */
const SAMPLING: Sampling = { temperature: 0.6, topP: 0.95, maxTokens: 8_192 };
const DEFAULT_REPAIRS = 2;

/** A document at random, the same for the same seed, with one of any corpus in memory at a time. */
async function documentOf(context: CliContext, path: string, seed: number): Promise<CorpusDocument> {
  await readableFile(context, path);
  const random = seededRandom(`document ${seed}`);
  let chosen: CorpusDocument | undefined;
  let seen = 0;
  for await (const line of readCorpus(context.files.lines(path, context.signal))) {
    if (line.kind !== 'document') continue;
    seen += 1;
    if (random() * seen < 1) chosen = line;
  }
  if (!chosen) throw new EnvwrightError('design/empty-corpus', message('{path} holds no document.', { path }), message('See envwright corpus for the reasons line by line.'));
  return chosen;
}

async function readableFile(context: CliContext, path: string): Promise<void> {
  const found = await context.files.stat(path);
  if (!found || found.folder) throw new EnvwrightError('cli/no-such-file', message('There is no file {path}.', { path }), message('Check the path.'));
}

async function taskOf(args: Args, context: CliContext, seed: number): Promise<DesignTask> {
  const [skill, kind] = [parseSkill(args.required('skill')), parseKind(args.text('kind') ?? 'single-turn')];
  requireFit(skill, kind);
  const [corpus, memory] = [args.path('corpus'), args.path('memory')];
  const document = corpus === undefined ? null : await documentOf(context, corpus, seed);
  return {
    kind, skill,
    difficulty: parseDifficulty(args.text('difficulty') ?? 'medium'),
    themeSeed: seed,
    document: document && { id: `${corpus}:${document.line}`, text: document.text },
    examples: memory === undefined ? [] : drawExamples(readMemory(await readInput(context, memory)).entries, skill, seed),
  };
}

/** Keeps the first draft beside the file that it became, under a name that no loader takes for an environment. */
async function saveFirst(context: CliContext, path: string, { attempts }: Draft): Promise<string | null> {
  const first = attempts[0]?.code ?? '';
  if (attempts.length < 2 || first === '') return null;
  const beside = path.replace(/\.py$/, '.first.txt');
  await context.files.replace(beside, first.endsWith('\n') ? first : `${first}\n`);
  return beside;
}

/** Writes a draft under a name that is not taken; resolves with its path. */
async function save(context: CliContext, folder: string, task: DesignTask, seed: number, code: string): Promise<string> {
  await context.files.makeFolder(folder);
  const name = `${task.skill.toLowerCase().replace(/[^a-z0-9]+/g, '_')}_${seed}`;
  for (let copy = 0; ; copy += 1) {
    const path = join(folder, `${name}${copy === 0 ? '' : `_${copy}`}_env.py`);
    if (await context.files.stat(path)) continue;
    await context.files.replace(path, code.endsWith('\n') ? code : `${code}\n`);
    return path;
  }
}

/** The reply as it streams, and what the checks said, on stderr. */
function progressOf(output: Output): (event: DesignEvent) => void {
  return (event) => {
    if (event.type === 'prompt') output.note(`draft ${event.attempt + 1}: prompt of about ${event.prompt.tokens} tokens`);
    else if (event.type === 'text') output.stream(event.text);
    else if (event.type === 'wait') output.note(`waiting ${Math.round(event.ms / 1000)} s: ${event.why}`);
    else if (event.type === 'checked') output.note(`\ndraft ${event.attempt + 1}: ${said(event.made)}`);
  };
}

/** A draft in one line: its verdict and what it is rejected for. */
function said({ report, problem }: Attempt): string {
  return report ? [report.verdict, ...new Set(errorsOf(report))].join(' ') : (problem ?? 'not checked');
}

/** The checks that found errors, one entry a finding. */
function errorsOf(report: FileReport | null): string[] {
  return (report?.findings ?? []).filter(({ severity }) => severity === 'error').map(({ id }) => id);
}

function reportOf(draft: Draft, file: string | null, first: string | null): DraftReport {
  return {
    file,
    first,
    verdict: draft.verdict,
    attempts: draft.attempts.map(({ report, cost }) => ({
      verdict: report?.verdict ?? null, errors: errorsOf(report), cost,
    })),
    provenance: draft.provenance,
    tokens: draft.cost,
  };
}

function exitCodeOf({ verdict }: DraftReport): ExitCode {
  if (verdict === 'reject') return EXIT.no;
  return verdict === null || verdict === 'cannot-run' ? EXIT.notDone : EXIT.fine;
}

export const designCommand: Command = {
  name: 'design',
  summary: 'design environments with a model: prompt, draft, check, repair; without --endpoint from the offline samples, which are no model',
  usage: [
    'design --skill S [--kind single-turn|multi-turn|grounded|tool-use|tool-use-messages] [--difficulty easy|medium|hard] [--corpus FILE] [--memory FILE]',
    `       [--seed N] [--out DIR] [--drafts N] [--repairs N] [--thinking] ${SANDBOX_USAGE}`,
    `       ${MODEL_USAGE}`,
  ].join('\n  '),
  async run(argv, context) {
    const args = Args.parse(argv, OPTIONS, context.cwd);
    if (args.positionals.length > 0) throw new UsageError(message('design takes no file.'));
    const output = new Output(context, args);
    const seed = args.integer('seed') ?? 0;
    const [repairs, sampling, out] = [args.integer('repairs') ?? DEFAULT_REPAIRS, samplingOf(args, SAMPLING), args.path('out')];
    const endpoint = endpointOf(args, context);
    const client = endpoint ? await clientOf(endpoint, args, context) : await context.offlineModel();
    if (client.simulated) output.note(`${client.name}: what follows says nothing about a model.`);
    const sandbox = await sandboxOf(args, context);
    try {
      const parser = await context.parser();
      const ports = {
        client, parser, clock: context.clock, templates: context.templates,
        check: (draft: { name: string; source: string; profile: 's' | 'm' | 'c' | 't' | 'u' }, signal: AbortSignal) =>
          checkFile({ parser, sandbox }, { file: draft.name, text: draft.source, profile: draft.profile }, signal),
      };
      const drafts: DraftReport[] = [];
      const codes: string[] = [];
      const count = args.integer('drafts', 1) ?? 1;
      const one = async (index: number) => {
        const task = await taskOf(args, context, seed + index);
        const draft = await designDraft(ports, {
          task, memory: args.path('memory') === undefined ? null : { file: args.path('memory') ?? null, drawSeed: seed + index }, sampling, repairs,
          ...(args.flag('thinking') ? { thinking: true } : {}),
        }, progressOf(output), context.signal);
        codes.push(draft.code);
        if (draft.stopped !== undefined) output.note(`no more repairs: ${draft.stopped}`);
        const file = out === undefined || draft.code === '' ? null : await save(context, out, task, seed + index, draft.code);
        drafts.push(reportOf(draft, file, file === null ? null : await saveFirst(context, file, draft)));
      };
      let failed: ErrorDocument['error'] | undefined;
      while (drafts.length < count && !failed) {
        try {
          await one(drafts.length);
        } catch (error) {
          // What was made before it is given; without any the command has failed.
          if (drafts.length === 0 || !(error instanceof EnvwrightError || isCancelled(error))) throw error;
          failed = errorDocument(error).error;
          output.note(`${failed.message} ${failed.next}`);
          output.note(message('{made} of {count} drafts were made; the others are --seed {seed} --drafts {left}.', { made: drafts.length, count, seed: seed + drafts.length, left: count - drafts.length }));
        }
      }
      const document: DesignReport = { drafts, ...(failed && { failed }) };
      output.answer(document, () => drafts.map(({ file, verdict }, index) => (file === null ? (codes[index] ?? '') : `${verdict ?? 'not checked'} ${file}`)).join('\n'));
      return worst([...drafts.map(exitCodeOf), ...(failed ? [EXIT.notDone] : [])]);
    } finally {
      sandbox.dispose();
    }
  },
};
