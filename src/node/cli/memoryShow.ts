import { cutWarnings, duplicateWarnings, skillWarnings } from '../../core/memory/warnings';
import { readMemory, type MemoryEntry } from '../../core/memory/readMemory';
import { DEFAULT_CAPACITY, poolsBySkill, standings } from '../../core/memory/sampling';
import { pythonFloat } from '../../core/pythonJson';
import { EnvwrightError } from '../../core/errors';
import { DEFAULT_SNIPPET_CHARS } from '../../core/memory/writeMemory';
import { locateRun } from '../../core/run/runFolder';
import type { MemoryDocument } from '../../shared/cliDocuments';
import { fromJsonNumber, type JsonNumber } from '../../shared/json';
import { formatMessage, message } from '../../shared/message';
import { Args } from './args';
import { EXIT, UsageError, type Command } from './context';
import { jsonNumber, Output, table } from './output';

/** Findings on a record that lies in the buffer: a skill nobody asks for, a text that is there twice. */
function warningsOf(entry: MemoryEntry, entries: readonly MemoryEntry[]): MemoryDocument['records'][number]['warnings'] {
  const others = entries.filter(({ index }) => index !== entry.index);
  return [
    ...(entry.skill === null ? [] : skillWarnings(entry.skill)),
    ...(entry.snippet === null ? [] : [...duplicateWarnings(others, '', entry.snippet).filter(({ id }) => id === 'duplicate'), ...cutWarnings(entry.snippet, DEFAULT_SNIPPET_CHARS)]),
  ].map(({ id, severity, message: words }) => ({ id, severity, message: formatMessage(words) }));
}

function text({ file, records, problems }: MemoryDocument): string {
  if (records.length === 0) return `${file}\nThis memory has no records yet.`;
  const spelled = (value: JsonNumber | null): string => (value === null ? '–' : pythonFloat(fromJsonNumber(value)));
  const percent = (odds: number): string => `${(odds * 100).toFixed(1)} %`;
  return [
    file,
    table([
      ['#', 'class', 'rank', 'odds', 'evicted after', 'win rate', 'regret', 'rollout', 'skill', 'file'],
      ...records.map((record) => [
        String(record.index), record.class, String(record.poolRank ?? '–'), percent(record.odds), `${record.evictedAfterAdds} adds`, spelled(record.winRate),
        spelled(record.regret), String(record.rolloutId ?? '–'), record.skill ?? '–', record.gameFile ?? '–',
      ]),
    ]),
    ...records.flatMap(({ index, warnings }) => warnings.map(({ message: words }) => `record ${index}: ${words}`)),
    ...problems.map(({ index, line, message: words }) => `record ${index}, line ${line}: ${words}`),
  ].join('\n');
}

/** `memory show`. */
export const showAction: Command['run'] = async (argv, context) => {
  const args = Args.parse(argv, { run: { type: 'string' }, file: { type: 'string' }, 'max-size': { type: 'string' } }, context.cwd);
  const [runPath, filePath] = [args.path('run'), args.path('file')];
  if ((runPath === undefined) === (filePath === undefined)) throw new UsageError(message('Give either --run or --file.'));
  const file = filePath ?? (await locateRun(context.files, runPath ?? '')).memoryFile;
  const content = await context.files.read(file);
  if (content === undefined) {
    throw new EnvwrightError('run/no-memory', message('{file} does not exist: the run has saved no memory yet, or does not use one.', { file }), message('The run writes its first records at its first regeneration.'));
  }
  const { entries, problems } = readMemory(content);
  const places = standings(entries, args.integer('max-size', 1) ?? DEFAULT_CAPACITY);
  const document: MemoryDocument = {
    file,
    records: entries.map((entry, index) => {
      const { class: kind = 'dead-zone', poolRank = null, odds = 0, evictedAfterAdds = 1 } = places[index] ?? {};
      return {
        index, gameFile: entry.gameFile, skill: entry.skill, winRate: jsonNumber(entry.winRate), regret: jsonNumber(entry.regret), rolloutId: jsonNumber(entry.rolloutId),
        metadata: entry.metadata, class: kind, poolRank, odds, evictedAfterAdds, warnings: warningsOf(entry, entries),
      };
    }),
    pools: Object.fromEntries([...poolsBySkill(entries)].map(([skill, { seeds, negatives }]) => [skill, { seeds: [...seeds], negatives: [...negatives] }])),
    problems: problems.map(({ id, severity, index, line, message: words }) => ({ id, severity, index, line, message: formatMessage(words) })),
  };
  new Output(context, args).answer(document, () => text(document));
  return EXIT.fine;
};
