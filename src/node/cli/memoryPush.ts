import type { PushPreview } from '../../core/memory/preview';
import { checkFile } from '../../core/checks/checkFile';
import { counted } from '../../core/counted';
import type { PushWarning } from '../../core/memory/warnings';
import type { NewRecord } from '../../core/memory/writeMemory';
import { parsePythonJson, toPlain, toWritable, type JsonNode, type Writable } from '../../core/pythonJson';
import { universalNewlines } from '../../core/pythonText';
import { outlook, paceOf } from '../../core/run/pace';
import { bufferWarnings, settingsWarnings, type RunSettings } from '../../core/run/runSettings';
import { RunMemory, type PushOptions, type PushRequest } from '../../core/run/push';
import { locateRun } from '../../core/run/runFolder';
import type { PushDocument } from '../../shared/cliDocuments';
import { MemoryRecord } from '../../shared/memory';
import { formatMessage, message, type Message } from '../../shared/message';
import { Args } from './args';
import { EXIT, UsageError, type CliContext, type Command } from './context';
import { readSource } from './inputs';
import { Output, table } from './output';
import { LAUNCH_OPTIONS, memorySettings, settingsOf } from './runLaunch';

const OPTIONS = {
  run: { type: 'string' }, file: { type: 'string' }, skill: { type: 'string' }, 'win-rate': { type: 'string' }, regret: { type: 'string' }, rollout: { type: 'string' },
  metadata: { type: 'string' }, reason: { type: 'string' }, 'game-file': { type: 'string' }, 'max-size': { type: 'string' }, 'snippet-chars': { type: 'string' }, create: { type: 'boolean' },
  force: { type: 'boolean' }, ended: { type: 'boolean' }, workspace: { type: 'string' }, ...LAUNCH_OPTIONS,
} as const;

/** The metadata of `--metadata`, with numbers and the order of keys as they were given. */
function metadataOf(text: string | undefined): JsonNode | null {
  if (text === undefined) return null;
  let node: JsonNode | undefined;
  try {
    node = parsePythonJson(text);
  } catch {
    node = undefined;
  }
  if (node?.kind === 'null') return null;
  if (node?.kind !== 'object') throw new UsageError(message('--metadata takes a JSON object, not {text}.', { text }));
  return node;
}

function required(value: number | undefined, name: string): number {
  if (value === undefined) throw new UsageError(message('--{name} is missing.', { name }));
  return value;
}

/** Plays and origin of the numbers, where the metadata tells of them. */
function provenanceOf(metadata: JsonNode | null): NonNullable<PushRequest['provenance']> | undefined {
  const plain = metadata && toPlain(metadata);
  const told = plain && typeof plain === 'object' && !Array.isArray(plain) ? plain['envwright'] : undefined;
  if (!told || typeof told !== 'object' || Array.isArray(told)) return undefined;
  return { ...(typeof told['plays'] === 'number' ? { plays: told['plays'] } : {}), simulated: told['simulated'] === true };
}

async function requestOf(args: Args, context: CliContext): Promise<PushRequest> {
  const file = args.path('file');
  if (file === undefined) throw new UsageError(message('--file is missing.'));
  const metadata = metadataOf(args.text('metadata'));
  const written = metadata && toWritable(metadata);
  const record: NewRecord = {
    game_file: args.text('game-file') ?? file,
    skill: args.required('skill'),
    actor_win_rate: required(args.number('win-rate'), 'win-rate'),
    regret: required(args.number('regret'), 'regret'),
    rollout_id: args.integer('rollout') ?? 0,
    code: universalNewlines(await readSource(context, file)),
    metadata: withReason(written instanceof Map ? written : null, args.text('reason')),
  };
  const provenance = provenanceOf(metadata);
  return { record, moreWarnings: await findingsOf(record.code, file, context), ...(provenance ? { provenance } : {}) };
}

/** Figures by hand say in the metadata where they come from, as those of the editor do; what stands there already stays. */
function withReason(metadata: NonNullable<NewRecord['metadata']> | null, reason: string | undefined): NonNullable<NewRecord['metadata']> | null {
  const told = metadata instanceof Map ? (metadata as ReadonlyMap<string, Writable>) : new Map<string, Writable>();
  if (reason === undefined || told.has('envwright')) return metadata;
  if (reason.trim() === '') throw new UsageError(message('--reason takes a text.'));
  return new Map<string, Writable>([...told, ['envwright', { from: 'hand', reason: reason.trim() }]]);
}

/** Errors that are found without running the file: a push is no place to run it, and `check` says more. */
async function findingsOf(code: string, file: string, context: CliContext): Promise<PushWarning[]> {
  const report = await checkFile({ parser: await context.parser(), sandbox: null }, { file, text: code, staticOnly: true }, context.signal);
  const errors = report.findings.filter(({ severity }) => severity === 'error').map(({ id, line }) => `${id} (line ${line})`);
  return errors.length === 0 ? [] : [{ id: 'open-findings', severity: 'warning', message: message('The file has open errors: {errors}.', { errors: errors.join(', ') }) }];
}

function documentOf(preview: PushPreview, settings: RunSettings | null, more: Pick<PushDocument, 'state' | 'id' | 'file' | 'live' | 'note' | 'backup'>): PushDocument {
  const pace = paceOf(settings);
  const { regenerations, oddsByEviction } = outlook(preview.standing, pace);
  return {
    ...more,
    record: MemoryRecord.parse(toPlain(parsePythonJson(preview.record))),
    class: preview.standing.class,
    poolRank: preview.standing.poolRank,
    odds: preview.standing.odds,
    evictedAfterAdds: preview.standing.evictedAfterAdds,
    evictedAfterRegenerations: regenerations,
    oddsByEviction,
    pace,
    displaces: [...preview.displaces],
    warnings: preview.warnings.map(({ id, severity, message: words }) => ({ id, severity, message: formatMessage(words) })),
  };
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function text(document: PushDocument): string {
  const { record } = document;
  return [
    table([
      ['state', `${document.state}: ${document.note}`],
      ['class', document.class],
      ['rank', document.poolRank === null ? 'not in the pool' : `${document.poolRank} in the pool of ${record.skill}`],
      ['odds', `${percent(document.odds)} a prompt, ${percent(document.oddsByEviction)} until it is evicted, if the pool stays`],
      ['eviction', `after ${counted(document.evictedAfterAdds, 'more record')}, ${counted(document.evictedAfterRegenerations, 'regeneration')} of ${document.pace.records}${document.pace.assumed ? ' (assumed)' : ''}`],
      ...document.displaces.map(({ index, gameFile, from }): string[] => ['displaces', `record ${index} (${gameFile ?? '–'}) from the ${from}`]),
      ...document.warnings.map(({ severity, message: words }): string[] => [severity, words]),
      ...(document.backup === null ? [] : [['backup', document.backup]]),
    ]),
    'The designer may read its first characters as an example. The run does not play it because of this.',
  ].join('\n');
}

/** What the run's settings, or the word of its link module, say against a push. */
async function runWarnings(settings: RunSettings | null, memory: RunMemory, skill: string): Promise<PushWarning[]> {
  const heartbeat = await memory.link.alive();
  return [...(settings ? settingsWarnings(settings, skill) : []), ...(heartbeat ? bufferWarnings(heartbeat) : [])];
}

interface Prepared { readonly args: Args; readonly output: Output; readonly memory: RunMemory; readonly request: PushRequest; readonly options: PushOptions; readonly settings: RunSettings | null }

async function prepare(argv: readonly string[], context: CliContext): Promise<Prepared> {
  const args = Args.parse(argv, OPTIONS, context.cwd);
  args.required('run');
  const asked = await requestOf(args, context);
  const run = await locateRun(context.files, args.path('run') ?? '', args.flag('create'));
  const settings = await settingsOf(args, context, run);
  const options: PushOptions = { create: args.flag('create'), force: args.flag('force'), ended: args.flag('ended'), settings: memorySettings(args, settings) };
  const memory = new RunMemory({ files: context.files, clock: context.clock, workspace: args.path('workspace') ?? context.cwd, newId: context.newId }, run);
  const request = { ...asked, moreWarnings: [...(asked.moreWarnings ?? []), ...(await runWarnings(settings, memory, asked.record.skill))] };
  return { args, output: new Output(context, args), memory, request, options, settings };
}

const PREVIEW: Message = message('Nothing was written.');

/** `memory preview`: what a push would do; writes nothing. */
export const previewAction: Command['run'] = async (argv, context) => {
  const { output, memory, request, options, settings } = await prepare(argv, context);
  const preview = await memory.preview(request, options);
  const live = (await memory.liveness()).state === 'live';
  const document = documentOf(preview, settings, { state: 'preview', id: null, file: memory.run.memoryFile, live, note: formatMessage(PREVIEW), backup: null });
  output.answer(document, () => text(document));
  return EXIT.fine;
};

/** `memory push`. */
export const pushAction: Command['run'] = async (argv, context) => {
  const { output, memory, request, options, settings } = await prepare(argv, context);
  const { state, id, preview, liveness, backup, why } = await memory.push(request, options);
  const document = documentOf(preview, settings, { state, id, file: memory.run.memoryFile, live: liveness.state === 'live', note: formatMessage(why), backup });
  if (state === 'refused') output.note(message('Use --force to push anyway.'));
  output.answer(document, () => text(document));
  return state === 'refused' ? EXIT.no : EXIT.fine;
};
