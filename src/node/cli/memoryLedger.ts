import { parsePythonJson, toPlain } from '../../core/pythonJson';
import { Ledger, type LedgerEvent } from '../../core/run/ledger';
import { locateRun } from '../../core/run/runFolder';
import type { LedgerDocument } from '../../shared/cliDocuments';
import { MemoryRecord } from '../../shared/memory';
import { message } from '../../shared/message';
import { Args } from './args';
import { EXIT, type Command } from './context';
import { Output, table } from './output';
import { safeJson } from './terminal';

function recordOf(text: string | undefined): MemoryRecord | null {
  return text === undefined ? null : (MemoryRecord.safeParse(toPlain(parsePythonJson(text))).data ?? null);
}

function eventOf({ at, id, state, memoryFile, gameFile, note, record, inbox }: LedgerEvent): LedgerDocument['events'][number] {
  return { at: new Date(at).toISOString(), id, state, memoryFile, gameFile, note, record: recordOf(record), inbox: inbox ?? null };
}

/** Every push, undo and receipt of the workspace, of one run when it is named; into a file with `--out`. */
export const ledgerAction: Command['run'] = async (argv, context) => {
  const args = Args.parse(argv, { run: { type: 'string' }, workspace: { type: 'string' }, out: { type: 'string' } }, context.cwd);
  const output = new Output(context, args);
  const [run, out] = [args.path('run'), args.path('out')];
  const memoryFile = run === undefined ? undefined : (await locateRun(context.files, run)).memoryFile;
  const ledger = new Ledger(context.files, args.path('workspace') ?? context.cwd);
  const { unreadable } = await ledger.pushes(memoryFile);
  const document: LedgerDocument = { events: (await ledger.events(memoryFile)).map(eventOf), unreadable };
  if (out !== undefined) {
    await context.files.replace(out, `${safeJson(document)}\n`);
    output.note(message('{count} events written to {out}.', { count: document.events.length, out }));
  }
  output.answer(document, () => (document.events.length === 0 ? 'Nothing was pushed from here.' : table(document.events.map(({ at, id, state, gameFile, note }) => [at, id, state, gameFile, note]))));
  return EXIT.fine;
};
