import { basename, resolve, sep } from 'node:path';
import { contentHash } from '../../core/checks/suppression';
import { counted } from '../../core/counted';
import { KINDS, parseDifficulty, parseSkill, TRAINED_SKILLS } from '../../core/design/skills';
import { coveredEntry, coverageOf, coverageTable, CurriculumEntry, type Curriculum } from '../../core/review/curriculum';
import { CurriculumStore, moveEntries, withChanged, withEntries, withoutEntries } from '../../core/review/curriculumStore';
import { readSet, setFiles, textsOf, writeSet } from '../../core/review/exchange';
import { FactsReader, kindOf, rememberedOutcome } from '../../core/review/fileFacts';
import { BAND_WORDS } from '../../core/review/audit/reportText';
import { laterOutcome, outcomeOf } from '../../core/review/played';
import { SourceStore } from '../../core/review/sourceStore';
import { EnvwrightError } from '../../core/errors';
import type { CurriculumDocument } from '../../shared/cliDocuments';
import { message } from '../../shared/message';
import { PlayReport } from '../../shared/play';
import { Args } from './args';
import { checkFiles } from './check';
import { EXIT, UsageError, worst, type CliContext, type Command, type ExitCode } from './context';
import { readSource } from './inputs';
import { Output, shortPath, shownPath, table } from './output';
import { playCommand } from './play';

const string = { type: 'string' } as const;
const OPTIONS = { skill: string, difficulty: string, hint: string, as: string, out: string, name: string } as const;

/** The sets of the working folder. */
class Sets {
  readonly curricula: CurriculumStore;
  readonly sources: SourceStore;

  constructor(readonly context: CliContext) {
    this.curricula = new CurriculumStore(context.files, context.cwd);
    this.sources = new SourceStore(context.files, context.cwd);
  }
}

function documentOf(curriculum: Curriculum, problems: CurriculumDocument['problems'] = []): CurriculumDocument {
  const { bySkill, byDifficulty, byKind, byBand, holes } = coverageOf(curriculum.entries.map(coveredEntry), TRAINED_SKILLS, Object.keys(KINDS));
  return {
    name: curriculum.name, entries: [...curriculum.entries], problems: [...problems],
    coverage: { bySkill: Object.fromEntries(bySkill), byDifficulty: Object.fromEntries(byDifficulty), byKind: Object.fromEntries(byKind), byBand: Object.fromEntries(byBand), holes: [...holes] },
  };
}

function text({ name, entries, problems }: CurriculumDocument): string {
  return [
    `${name}: ${counted(entries.length, 'environment')}`,
    ...(entries.length === 0 ? ['Add some: envwright curriculum add NAME FILE…'] : [table([
      ['#', 'file', 'skill', 'difficulty', 'win rate', 'regret', 'plays', 'hint'],
      ...entries.map(({ file, skill, difficulty, outcome, hint }, index) => [
        String(index + 1), file, skill, difficulty ?? '–', outcome?.winRate.toFixed(2) ?? '–', outcome?.regret.toFixed(2) ?? '–', outcome ? `${outcome.plays ?? '–'}${outcome.simulated ? ' (no model)' : ''}` : '–', hint === null ? 'no' : 'yes',
      ]),
    ])]),
    ...problems.map(({ file, why }) => `left out: ${file} (${why})`),
  ].join('\n');
}

function coverageText(curriculum: Curriculum): string {
  const coverage = coverageOf(curriculum.entries.map(coveredEntry), TRAINED_SKILLS, Object.keys(KINDS));
  const { columns, rows } = coverageTable(coverage);
  const count = (value: number): string => (value === 0 ? 'none' : String(value));
  return [
    table([['skill', ...columns], ...[...rows].map(([skill, counts]) => [skill, ...counts.map(count)])]), '',
    table([['kind', 'environments'], ...[...coverage.byKind].map(([kind, value]) => [kind, count(value)])]), '',
    table([['win rate', 'environments'], ...[...coverage.byBand].map(([band, value]) => [BAND_WORDS[band], count(value)])]),
  ].join('\n');
}

/** The entry of a file, and its text kept. */
async function entryOf(sets: Sets, args: Args, path: string): Promise<CurriculumEntry> {
  const source = await readSource(sets.context, path);
  const facts = await new FactsReader(sets.context.files).of(path);
  const [skill, difficulty] = [args.text('skill'), args.text('difficulty')];
  const known = skill === undefined ? facts.skill : parseSkill(skill);
  if (known === null) throw new UsageError(message('Nobody says which skill {file} trains: give --skill.', { file: basename(path) }));
  await sets.sources.keep(source);
  return {
    // From the folder on, so that the set says the same on every machine.
    file: shortPath(path, sets.context.cwd).split(sep).join('/'), contentHash: await contentHash(source), skill: known, kind: facts.kind, hint: args.text('hint') ?? facts.hint, note: '',
    difficulty: CurriculumEntry.shape.difficulty.parse(difficulty === undefined ? facts.difficulty : parseDifficulty(difficulty)),
    outcome: rememberedOutcome(facts),
  };
}

/** Digests of entries by their number (from 1), their digest, or their file. */
function hashesOf({ entries, name }: Curriculum, wanted: readonly string[], cwd: string): Set<string> {
  return new Set(wanted.map((word) => {
    const found = entries[Number(word) - 1] ?? entries.find(({ contentHash: hash, file }) => hash === word || file === word || resolve(cwd, file) === resolve(cwd, word));
    if (!found) throw new UsageError(message('{name} has no environment {word}.', { name, word }));
    return found.contentHash;
  }));
}

/** @throws EnvwrightError `review/empty-set`. */
function needEntries(curriculum: Curriculum): Curriculum {
  if (curriculum.entries.length > 0) return curriculum;
  throw new EnvwrightError('review/empty-set', message('{name} holds no environment yet.', { name: curriculum.name }), message('Add files: envwright curriculum add NAME FILE…'));
}

type Action = (sets: Sets, argv: readonly string[], name: string, rest: readonly string[], args: () => Args) => Promise<ExitCode>;

const shown = (sets: Sets, args: Args, curriculum: Curriculum, problems: CurriculumDocument['problems'] = []): ExitCode => {
  const document = documentOf(curriculum, problems);
  new Output(sets.context, args).answer(document, () => text(document));
  return problems.length > 0 ? EXIT.notDone : EXIT.fine;
};

const ACTIONS: Readonly<Record<string, Action>> = {
  show: async (sets, _argv, name, _rest, args) => shown(sets, args(), await sets.curricula.get(name)),
  new: async (sets, _argv, name, _rest, args) => {
    await sets.curricula.create({ version: 1, name, entries: [] });
    return shown(sets, args(), await sets.curricula.get(name));
  },
  add: async (sets, _argv, name, rest, args) => {
    if (rest.length === 0) throw new UsageError(message('Give the files to add.'));
    const entries: CurriculumEntry[] = [];
    for (const file of rest) entries.push(await entryOf(sets, args(), resolve(sets.context.cwd, file)));
    return shown(sets, args(), await sets.curricula.change(name, (known) => withEntries(known, entries)));
  },
  remove: async (sets, _argv, name, rest, args) => {
    const hashes = hashesOf(await sets.curricula.get(name), rest, sets.context.cwd);
    return shown(sets, args(), await sets.curricula.change(name, (known) => withoutEntries(known, hashes)));
  },
  move: async (sets, _argv, name, [which = '', to = ''], args) => {
    const place = Number(to);
    if (!Number.isSafeInteger(place) || place < 1) throw new UsageError(message('Give which environment goes to which place, for example move NAME 5 1.'));
    const hashes = hashesOf(await sets.curricula.get(name), [which], sets.context.cwd);
    return shown(sets, args(), await sets.curricula.change(name, (known) => moveEntries(known, hashes, known.findIndex(({ contentHash: hash }) => hashes.has(hash)) < place - 1 ? place : place - 1)));
  },
  coverage: async (sets, _argv, name, _rest, args) => {
    const curriculum = await sets.curricula.get(name);
    new Output(sets.context, args()).answer(documentOf(curriculum), () => coverageText(curriculum));
    return EXIT.fine;
  },
  check: async (sets, argv, name) => {
    const curriculum = await sets.curricula.get(name);
    needEntries(curriculum);
    await textsOf(curriculum, sets.sources);
    const names = new Map(curriculum.entries.map(({ contentHash: hash, file }) => [sets.sources.pathOf(hash), resolve(sets.context.cwd, file)]));
    const { code, files } = await checkFiles([...names.keys(), ...argv.slice(1)], sets.context, names);
    const kinds = new Map(curriculum.entries.map(({ contentHash: hash }, index) => [hash, kindOf(files[index]?.profile ?? null)]));
    if (curriculum.entries.some(({ contentHash: hash, kind }) => kind === null && kinds.get(hash) !== null)) {
      await sets.curricula.change(name, (known) => known.map((entry) => ({ ...entry, kind: entry.kind ?? kinds.get(entry.contentHash) ?? null })));
    }
    return code;
  },
  play: async (sets, argv, name) => {
    const { entries } = needEntries(await sets.curricula.get(name));
    const codes: ExitCode[] = [];
    const output = new Output(sets.context, { flag: (flag) => flag === 'json' && argv.includes('--json') });
    for (const { contentHash: hash, hint, file, outcome: measured } of entries) {
      await sets.sources.need(hash, file);
      let out = '';
      output.note(file);
      codes.push(await playCommand.run([sets.sources.pathOf(hash), '--json', ...(hint === null ? [] : ['--hint', hint]), ...argv.slice(1).filter((word) => word !== '--json')], { ...sets.context, stdout: (words) => { out += words; } }));
      const played = outcomeOf(PlayReport.parse(JSON.parse(out)));
      if (!played) continue;
      const outcome = laterOutcome(measured, played);
      if (outcome === measured) output.note(message('A model played it before: what no model played is not kept in its place.'));
      await sets.curricula.change(name, (known) => withChanged(known, hash, { outcome }));
    }
    const document = documentOf(await sets.curricula.get(name));
    output.answer(document, () => text(document));
    return worst(codes);
  },
  export: async (sets, _argv, name, _rest, args) => {
    const [form, out] = [args().choice('as', ['pool', 'memory', 'lines']), args().path('out')];
    if (form === undefined || out === undefined) throw new UsageError(message('Give --as pool, memory or lines, and --out with a new folder.'));
    const curriculum = await sets.curricula.get(name);
    const { files, notPlayed } = await setFiles(curriculum, await textsOf(curriculum, sets.sources), form, out);
    await writeSet(sets.context.files, out, files);
    new Output(sets.context, args()).note(message('{files} written to {path}.', { files: counted(files.size, 'file'), path: shownPath(out, sets.context.cwd) }));
    return shown(sets, args(), curriculum, notPlayed.map(({ file }) => ({ file, why: 'not-played' as const })));
  },
};

async function list(sets: Sets, args: Args): Promise<ExitCode> {
  const { all, problems } = await sets.curricula.load();
  const output = new Output(sets.context, args);
  for (const problem of problems) output.note(problem.what);
  output.answer({ curricula: all.map((curriculum) => documentOf(curriculum)) }, () => all.map(({ name, entries }) => `${name}: ${counted(entries.length, 'environment')}`).join('\n') || 'There are no curricula here. Make one: envwright curriculum new NAME');
  return problems.length > 0 ? EXIT.notDone : EXIT.fine;
}

async function importFrom(sets: Sets, args: Args): Promise<ExitCode> {
  const [, path] = args.positionals;
  if (path === undefined) throw new UsageError(message('Give the folder of an export, the list of a pool, a memory file or JSON lines.'));
  const set = await readSet(resolve(sets.context.cwd, path), sets.context.files, sets.sources);
  for (const { source } of set.entries) await sets.sources.keep(source);
  const curriculum: Curriculum = { version: 1, name: args.text('name') ?? set.name, entries: set.entries.map(({ entry }) => entry) };
  await sets.curricula.create(curriculum);
  return shown(sets, args, curriculum, [...set.problems]);
}

export const curriculumCommand: Command = {
  name: 'curriculum',
  summary: 'named, ordered sets of environments: fill, order, check, play, cover, exchange with runs',
  usage: [
    'curriculum list | show NAME | new NAME | coverage NAME',
    'curriculum add NAME FILE… [--skill S] [--difficulty D] [--hint TEXT]',
    'curriculum remove NAME N|FILE… | move NAME N PLACE',
    'curriculum check NAME [flags of check] | play NAME [flags of play]',
    'curriculum export NAME --as pool|memory|lines --out DIR | import FOLDER|FILE [--name NAME]',
  ].join('\n  '),
  async run(argv, context) {
    const [action = '', name, ...more] = argv;
    const sets = new Sets(context);
    const parsed = (): Args => Args.parse(argv, OPTIONS, context.cwd);
    if (action === 'list') return list(sets, parsed());
    if (action === 'import') return importFrom(sets, parsed());
    const run = ACTIONS[action];
    if (!run) throw new UsageError(message('curriculum knows the actions {actions}.', { actions: ['list', 'import', ...Object.keys(ACTIONS)].join(', ') }));
    if (name === undefined || name.startsWith('-')) throw new UsageError(message('Give the name of a curriculum.'));
    const passesOn = action === 'check' || action === 'play';
    return run(sets, [name, ...more], name, passesOn ? [] : parsed().positionals.slice(2), parsed);
  },
};
