import { counted } from '../../core/counted';
import { takeInventory } from '../../core/run/inventory';
import { LinkFolder } from '../../core/run/linkFolder';
import { judgeLiveness, linkedLiveness, regenerationInterval } from '../../core/run/liveness';
import { MemoryStore } from '../../core/run/memoryFile';
import { locateRun } from '../../core/run/runFolder';
import { readMemory, type MemoryFile } from '../../core/memory/readMemory';
import { EnvwrightError } from '../../core/errors';
import type { RunDocument } from '../../shared/cliDocuments';
import { formatMessage } from '../../shared/message';
import { Args } from './args';
import { EXIT, type Command } from './context';
import { Output, table } from './output';
import { LAUNCH_OPTIONS, settingsOf } from './runLaunch';

const text = (document: RunDocument): string => table([
  ['run', document.dir],
  ['state', `${document.state}: ${document.why}`],
  ['rollout', `${document.rollout ?? '–'}, regenerates every ${document.interval ?? '–'}`],
  ['memory', `${document.memory.file}: ${document.memory.exists ? `${document.memory.records === null ? '– records' : counted(document.memory.records, 'record')}, ${counted(document.memory.problems, 'problem')}` : 'not there'}`],
  ...document.memory.why.map((why): string[] => ['memory', why]),
  ['backend', document.backend ?? 'not known: give --launcher, --pid or --ray'],
  ['link', document.link === null ? 'no link module' : `${document.link.alive ? 'alive' : 'silent'}, rollout ${document.link.rollout}, ${document.link.at}`],
  ...Object.entries(document.launch?.flags ?? {}).map(([name, { values }]): string[] => ['flag', [`--${name}`, ...values].join(' ')]),
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

/** `run show`. */
export const showRunAction: Command['run'] = async (argv, context) => {
  const args = Args.parse(argv, { workspace: { type: 'string' }, ...LAUNCH_OPTIONS }, context.cwd);
  const run = await locateRun(context.files, args.onePath('DIR'));
  const inventory = await takeInventory(context.files, run);
  const store = new MemoryStore(context.files, context.clock, args.path('workspace') ?? context.cwd, run.memoryFile);
  const { exists, memory, problem } = await memoryOf(store);
  const settings = await settingsOf(args, context, run);
  const now = context.clock.now();
  const link = new LinkFolder(context.files, context.clock, run.cacheDir);
  const [alive, heartbeat] = [await link.alive(), await link.heartbeat()];
  const liveness = alive ? linkedLiveness(alive, now) : judgeLiveness(inventory, await store.foreignChangeMs().catch(() => null), now);
  const rollouts = [...inventory.steps.map(({ rollout }) => rollout), ...inventory.games.map(({ rollout }) => rollout), ...(heartbeat ? [heartbeat.rollout] : [])];
  const document: RunDocument = {
    dir: run.dir,
    backend: settings?.backend ?? null,
    live: liveness.state === 'live',
    state: liveness.state,
    why: formatMessage(liveness.why),
    lastChange: liveness.lastChangeMs === null ? null : new Date(liveness.lastChangeMs).toISOString(),
    rollout: rollouts.length === 0 ? null : rollouts.reduce((a, b) => Math.max(a, b)),
    interval: settings?.interval ?? heartbeat?.interval ?? regenerationInterval(inventory.steps.map(({ rollout }) => rollout)),
    memory: { file: run.memoryFile, exists, records: memory?.entries.length ?? null, problems: memory?.problems.length ?? (problem ? 1 : 0), used: settings?.memory.used ?? null, why: settings?.memory.why.map(formatMessage) ?? [] },
    link: heartbeat && { alive: alive !== null, rollout: heartbeat.rollout, memorySize: heartbeat.memorySize, at: new Date(heartbeat.at * 1000).toISOString() },
    launch: settings?.launch ?? null,
    games: inventory.games.map(({ file, rollout, index, inPlay, hint }) => ({ file, rollout, index, inPlay, hint })),
    rejects: [...inventory.rejects],
    hints: [...inventory.hints],
    problems: [...(problem ? [problem] : []), ...(settings?.open.map(formatMessage) ?? []), ...(memory?.problems ?? []).map(({ line, message: words }) => `line ${line}: ${formatMessage(words)}`)],
  };
  new Output(context, args).answer(document, () => text(document));
  return EXIT.fine;
};
