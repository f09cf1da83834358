import { RunMemory } from '../../core/run/push';
import { locateRun } from '../../core/run/runFolder';
import type { RemoveDocument, SyncDocument } from '../../shared/cliDocuments';
import { formatMessage, message, type Message } from '../../shared/message';
import { Args } from './args';
import { EXIT, type CliContext, type Command } from './context';
import { Output, table } from './output';

const OPTIONS = { run: { type: 'string' }, 'game-file': { type: 'string' }, ended: { type: 'boolean' }, workspace: { type: 'string' } } as const;

async function openMemory(args: Args, context: CliContext): Promise<RunMemory> {
  args.required('run');
  const run = await locateRun(context.files, args.path('run') ?? '');
  return new RunMemory({ files: context.files, clock: context.clock, workspace: args.path('workspace') ?? context.cwd, newId: context.newId }, run);
}

const REMOVED: Readonly<Record<RemoveDocument['state'], Message>> = {
  removed: message('Taken out of the memory file. A prompt already drawn with it stays as it was.'),
  asked: message('The link module takes it out of the live buffer at its next rollout. A prompt already drawn with it stays as it was.'),
  cancelled: message('Taken out of the queue. It had not been written.'),
  refused: message('The run is live and holds its own copy: what is taken out of the file comes back at its next regeneration. Nothing was changed.'),
  'not-found': message('No record has this game file. Nothing was changed.'),
};

/** `memory remove`. */
export const removeAction: Command['run'] = async (argv, context) => {
  const args = Args.parse(argv, OPTIONS, context.cwd);
  const gameFile = args.required('game-file');
  const memory = await openMemory(args, context);
  const { state, backup } = await memory.remove(gameFile, { ended: args.flag('ended') });
  const document: RemoveDocument = { state, file: memory.run.memoryFile, gameFile, note: formatMessage(REMOVED[state]), backup };
  new Output(context, args).answer(document, () => `${state}: ${document.note}${backup === null ? '' : `\nbackup: ${backup}`}`);
  return state === 'removed' || state === 'cancelled' || state === 'asked' ? EXIT.fine : EXIT.no;
};

/** `memory sync`: applies what waits where that is safe now. */
export const syncAction: Command['run'] = async (argv, context) => {
  const args = Args.parse(argv, OPTIONS, context.cwd);
  const output = new Output(context, args);
  const { pushes, liveness, unreadable } = await (await openMemory(args, context)).sync({ ended: args.flag('ended') });
  const document: SyncDocument = {
    pushes: pushes.map(({ id, state, gameFile, at, note }) => ({ id, state: state === 'lost' ? 'queued' : state, gameFile, at: new Date(at).toISOString(), note })),
  };
  output.note(liveness.why);
  if (unreadable > 0) output.note(unreadable === 1 ? message('A line of the ledger could not be read; it was left as it is.') : message('{unreadable} lines of the ledger could not be read; they were left as they are.', { unreadable }));
  output.answer(document, () => (pushes.length === 0 ? 'Nothing was pushed to this run from here.' : table(document.pushes.map(({ state, gameFile, at, note }) => [state, at, gameFile, note]))));
  return EXIT.fine;
};
