import { takeInventory } from '../../core/run/inventory';
import { judgeLiveness, regenerationInterval } from '../../core/run/liveness';
import { MemoryStore } from '../../core/run/memoryFile';
import { locateRun } from '../../core/run/runFolder';
import { readMemory, type MemoryFile } from '../../core/memory/readMemory';
import { EnvwrightError } from '../../core/errors';
import type { RunDocument } from '../../shared/cliDocuments';
import { formatMessage, message } from '../../shared/message';
import { Args } from './args';
import { EXIT, UsageError, type Command } from './context';
import { Output, table } from './output';

const text = (document: RunDocument): string => table([
  ['run', document.dir],
  ['state', `${document.state}: ${document.why}`],
  ['rollout', `${document.rollout ?? '–'}, regenerates every ${document.interval ?? '–'}`],
  ['memory', `${document.memory.file}: ${document.memory.exists ? `${document.memory.records ?? '–'} records, ${document.memory.problems} problems` : 'not there'}`],
  ['games', `${document.games.length}, of them ${document.games.filter(({ inPlay }) => inPlay).length} in play`],
  ['hints', String(document.hints.length)],
  ...document.rejects.map(({ file, stage, reason }): string[] => ['reject', `${file} (${stage}): ${reason ?? 'no reason given'}`]),
  ...document.problems.map((problem): string[] => ['problem', problem]),
]);

/** The memory as far as it can be read, and what kept it from being read. */
async function memoryOf(store: MemoryStore): Promise<{ exists: boolean; memory: MemoryFile | null; problem: string | null }> {
  try {
    const content = await store.read();
    return { exists: content !== undefined, memory: content === undefined ? null : readMemory(content), problem: null };
  } catch (error) {
    if (!(error instanceof EnvwrightError)) throw error;
    return { exists: true, memory: null, problem: error.message };
  }
}

export const runCommand: Command = {
  name: 'run',
  summary: 'a linked run: games, rejects, hints, memory, whether it is live',
  usage: 'run show DIR [--workspace DIR]',
  async run(argv, context) {
    const [action, ...rest] = argv;
    if (action !== 'show') throw new UsageError(message('run knows one action: show.'));
    const args = Args.parse(rest, { workspace: { type: 'string' } }, context.cwd);
    const run = await locateRun(context.files, args.onePath('DIR'));
    const inventory = await takeInventory(context.files, run);
    const store = new MemoryStore(context.files, context.clock, args.path('workspace') ?? context.cwd, run.memoryFile);
    const { exists, memory, problem } = await memoryOf(store);
    const liveness = judgeLiveness(inventory, await store.foreignChangeMs().catch(() => null), context.clock.now());
    const rollouts = [...inventory.steps.map(({ rollout }) => rollout), ...inventory.games.map(({ rollout }) => rollout)];
    const document: RunDocument = {
      dir: run.dir,
      backend: null,
      live: liveness.state === 'live',
      state: liveness.state,
      why: formatMessage(liveness.why),
      lastChange: liveness.lastChangeMs === null ? null : new Date(liveness.lastChangeMs).toISOString(),
      rollout: rollouts.length === 0 ? null : Math.max(...rollouts),
      interval: regenerationInterval(inventory.steps.map(({ rollout }) => rollout)),
      memory: { file: run.memoryFile, exists, records: memory?.entries.length ?? null, problems: memory?.problems.length ?? (problem ? 1 : 0) },
      games: inventory.games.map(({ file, rollout, index, inPlay, hint }) => ({ file, rollout, index, inPlay, hint })),
      rejects: [...inventory.rejects],
      hints: [...inventory.hints],
      problems: [...(problem ? [problem] : []), ...(memory?.problems ?? []).map(({ line, message: words }) => `line ${line}: ${formatMessage(words)}`)],
    };
    new Output(context, args).answer(document, () => text(document));
    return EXIT.fine;
  },
};
