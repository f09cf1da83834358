import { DEFAULT_SETTINGS, type PushPreview } from '../../core/memory/preview';
import { checkFile } from '../../core/checks/checkFile';
import type { PushWarning } from '../../core/memory/warnings';
import type { NewRecord } from '../../core/memory/writeMemory';
import { parsePythonJson, toPlain, toWritable, type JsonNode } from '../../core/pythonJson';
import { universalNewlines } from '../../core/pythonText';
import { RunMemory, type PushOptions, type PushRequest } from '../../core/run/push';
import { locateRun } from '../../core/run/runFolder';
import type { PushDocument } from '../../shared/cliDocuments';
import { MemoryRecord } from '../../shared/memory';
import { formatMessage, message, type Message } from '../../shared/message';
import { Args } from './args';
import { EXIT, UsageError, type CliContext, type Command } from './context';
import { readInput } from './inputs';
import { Output, table } from './output';

const OPTIONS = {
  run: { type: 'string' }, file: { type: 'string' }, skill: { type: 'string' }, 'win-rate': { type: 'string' }, regret: { type: 'string' }, rollout: { type: 'string' },
  metadata: { type: 'string' }, 'game-file': { type: 'string' }, 'max-size': { type: 'string' }, 'snippet-chars': { type: 'string' }, create: { type: 'boolean' },
  force: { type: 'boolean' }, ended: { type: 'boolean' }, workspace: { type: 'string' },
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
    code: universalNewlines(await readInput(context, file)),
    metadata: written instanceof Map ? written : null,
  };
  const provenance = provenanceOf(metadata);
  return { record, moreWarnings: await findingsOf(record.code, file, context), ...(provenance ? { provenance } : {}) };
}

/** Errors that are found without running the file: a push is no place to run it, and `check` says more. */
async function findingsOf(code: string, file: string, context: CliContext): Promise<PushWarning[]> {
  const report = await checkFile({ parser: await context.parser(), sandbox: null }, { file, text: code, staticOnly: true }, context.signal);
  const errors = report.findings.filter(({ severity }) => severity === 'error').map(({ id, line }) => `${id} (line ${line})`);
  return errors.length === 0 ? [] : [{ id: 'open-findings', severity: 'warning', message: message('The file has open errors: {errors}.', { errors: errors.join(', ') }) }];
}

function documentOf(preview: PushPreview, more: Pick<PushDocument, 'state' | 'id' | 'file' | 'live' | 'note' | 'backup'>): PushDocument {
  return {
    ...more,
    record: MemoryRecord.parse(toPlain(parsePythonJson(preview.record))),
    class: preview.standing.class,
    poolRank: preview.standing.poolRank,
    odds: preview.standing.odds,
    evictedAfterAdds: preview.standing.evictedAfterAdds,
    displaces: [...preview.displaces],
    warnings: preview.warnings.map(({ id, severity, message: words }) => ({ id, severity, message: formatMessage(words) })),
  };
}

function text(document: PushDocument): string {
  const { record } = document;
  return [
    table([
      ['state', `${document.state}: ${document.note}`],
      ['class', document.class],
      ['rank', document.poolRank === null ? 'not in the pool' : `${document.poolRank} in the pool of ${record.skill}`],
      ['odds', `${(document.odds * 100).toFixed(1)} % a prompt`],
      ['eviction', `after ${document.evictedAfterAdds} more records`],
      ...document.displaces.map(({ index, gameFile, from }): string[] => ['displaces', `record ${index} (${gameFile ?? '–'}) from the ${from}`]),
      ...document.warnings.map(({ severity, message: words }): string[] => [severity, words]),
      ...(document.backup === null ? [] : [['backup', document.backup]]),
    ]),
    'The designer may read its first characters as an example. The run does not play it because of this.',
  ].join('\n');
}

interface Prepared { readonly args: Args; readonly output: Output; readonly memory: RunMemory; readonly request: PushRequest; readonly options: PushOptions }

async function prepare(argv: readonly string[], context: CliContext): Promise<Prepared> {
  const args = Args.parse(argv, OPTIONS, context.cwd);
  args.required('run');
  const request = await requestOf(args, context);
  const options: PushOptions = {
    create: args.flag('create'),
    force: args.flag('force'),
    ended: args.flag('ended'),
    settings: {
      ...DEFAULT_SETTINGS,
      capacity: args.integer('max-size', 1) ?? DEFAULT_SETTINGS.capacity,
      snippetChars: args.integer('snippet-chars', 1) ?? DEFAULT_SETTINGS.snippetChars,
    },
  };
  const run = await locateRun(context.files, args.path('run') ?? '', options.create);
  const memory = new RunMemory({ files: context.files, clock: context.clock, workspace: args.path('workspace') ?? context.cwd, newId: context.newId }, run);
  return { args, output: new Output(context, args), memory, request, options };
}

const PREVIEW: Message = message('Nothing was written.');

export const previewAction: Command['run'] = async (argv, context) => {
  const { output, memory, request, options } = await prepare(argv, context);
  const preview = await memory.preview(request, options);
  const live = (await memory.liveness()).state === 'live';
  const document = documentOf(preview, { state: 'preview', id: null, file: memory.run.memoryFile, live, note: formatMessage(PREVIEW), backup: null });
  output.answer(document, () => text(document));
  return EXIT.fine;
};

export const pushAction: Command['run'] = async (argv, context) => {
  const { output, memory, request, options } = await prepare(argv, context);
  const { state, id, preview, liveness, backup, why } = await memory.push(request, options);
  const document = documentOf(preview, { state, id, file: memory.run.memoryFile, live: liveness.state === 'live', note: formatMessage(why), backup });
  output.answer(document, () => text(document));
  return state === 'refused' ? EXIT.no : EXIT.fine;
};
