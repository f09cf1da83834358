import * as vscode from 'vscode';
import { EnvwrightError } from '../../../core/errors';
import { DisposableStore, type Disposable } from '../../../core/lifecycle';
import { difficulties, type Curriculum, type CurriculumEntry } from '../../../core/review/curriculum';
import { moveEntries, withChanged, withEntries, withoutEntries } from '../../../core/review/curriculumStore';
import { message } from '../../../shared/message';
import { SKILLS } from '../../../core/design/skills';
import type { CommandDocuments, CommandTarget } from '../../commands/environmentDocument';
import type { CommandRegistry } from '../../commands/register';
import { BACK, type Interaction } from '../../interaction';
import type { Play } from '../../play/feature';
import { withProgress } from '../../progress';
import { laterOutcome, outcomeOf } from '../../../core/review/played';
import { isQueueNode, type ReviewTree } from '../reviewTree';
import { entryOfFile, type EntryParts } from './entries';
import { exportSet, importSet, type ExchangeParts } from './exchange';
import { isEntry, isSet, type CurriculaTree, type EntryNode } from './tree';
import type { Sets } from './sets';

/** What the commands of curricula work with. */
export interface CurriculumCommandParts extends EntryParts, ExchangeParts {
  readonly commands: CommandRegistry;
  readonly targets: CommandDocuments;
  readonly tree: CurriculaTree;
  readonly review: ReviewTree;
  readonly play: Play;
  readonly showCoverage: (name: string) => void;
  readonly audit: (paths: readonly string[], title: string) => Promise<unknown>;
}

/** Adds files to a curriculum at a place; those whose skill is not given are left out. @throws EnvwrightError for the first that cannot be added, once the others are. */
export function addFiles(parts: EntryParts) {
  return async (name: string, files: readonly vscode.Uri[], at: number): Promise<number> => {
    const entries: CurriculumEntry[] = [];
    const failures: unknown[] = [];
    for (const file of files) {
      try {
        const entry = await entryOfFile(file, parts);
        if (entry) entries.push(entry);
      } catch (error) {
        failures.push(error);
      }
    }
    if (entries.length > 0) await parts.sets.change(name, (known) => withEntries(known, entries, at));
    if (failures.length > 0) throw failures[0];
    return entries.length;
  };
}

/** Making, filling, ordering, checking, playing and exchanging curricula. */
export function registerCurriculumCommands(parts: CurriculumCommandParts): Disposable {
  const { commands, sets, interaction, tree } = parts;
  const owned = new DisposableStore();
  const on = (...registration: Parameters<CommandRegistry['register']>) => owned.add(commands.register(...registration));
  const entryOf = (target: unknown): EntryNode => (isEntry(target) ? target : need(tree.selection.find(isEntry)));
  const setOf = (target: unknown): Curriculum => (isSet(target) ? target.curriculum : need(tree.selection.find(isSet)).curriculum);

  on('newCurriculum', () => create(sets, interaction));
  on('importCurriculum', () => importSet(parts));
  on('addToCurriculum', async (target) => {
    const item = isQueueNode(target) ? target.item : target === undefined && parts.review.view.visible ? parts.review.chosen : undefined;
    const uri = item ? vscode.Uri.file(item.file) : (await parts.targets.of(target as CommandTarget)).uri;
    const name = await chooseSet(sets, interaction);
    if (name === undefined) return undefined;
    await addFiles(parts)(name, [uri], Number.MAX_SAFE_INTEGER);
    return name;
  });
  on('removeFromCurriculum', (target, chosen) => {
    const nodes = Array.isArray(chosen) ? chosen.filter(isEntry) : [entryOf(target)];
    return Promise.all([...new Set(nodes.map(({ set }) => set))].map((name) =>
      sets.change(name, (entries) => withoutEntries(entries, new Set(nodes.filter(({ set }) => set === name).map(({ entry }) => entry.contentHash))))));
  });
  const move = (by: -1 | 1) => (target: unknown) => {
    const { set, entry: { contentHash } } = entryOf(target);
    return sets.change(set, (entries) => {
      const at = entries.findIndex((other) => other.contentHash === contentHash);
      return at < 0 ? entries : moveEntries(entries, new Set([contentHash]), by < 0 ? Math.max(0, at - 1) : Math.min(entries.length, at + 2));
    });
  };
  on('moveUpInCurriculum', move(-1));
  on('moveDownInCurriculum', move(1));
  on('describeEntry', async (target) => {
    const { set, entry } = entryOf(target);
    const change = await askDescription(entry, interaction);
    if (change) await sets.change(set, (entries) => withChanged(entries, entry.contentHash, change));
    return change;
  });
  on('renameCurriculum', async (target) => {
    const { name } = setOf(target);
    const to = (await interaction.input({ title: vscode.l10n.t('Rename {0}', name), prompt: vscode.l10n.t('The new name'), value: name, validate: notEmpty }))?.trim();
    if (!to || to === name) return undefined;
    await (await sets.stores()).curricula.rename(name, to);
    sets.changed();
    return to;
  });
  on('deleteCurriculum', async (target) => {
    const { name, entries } = setOf(target);
    const agreed = await interaction.confirm({ message: vscode.l10n.t('Delete the curriculum {0}?', name), detail: vscode.l10n.t('Its {0} environments and what was decided about them stay.', entries.length), accept: vscode.l10n.t('Delete') });
    if (!agreed) return false;
    await (await sets.stores()).curricula.remove(name);
    sets.changed();
    return true;
  });
  on('checkCurriculum', async (target) => {
    const { name, entries } = notEmptySet(setOf(target));
    const { sources } = await sets.stores();
    return parts.audit(entries.map(({ contentHash }) => sources.pathOf(contentHash)), name);
  });
  on('playCurriculum', (target) => playSet(notEmptySet(setOf(target)), parts));
  on('exportCurriculum', (target) => exportSet(notEmptySet(setOf(target)), parts));
  on('showCoverage', (target) => parts.showCoverage(setOf(target).name));
  return owned;
}

const notEmpty = (value: string): string | undefined => (value.trim() === '' ? vscode.l10n.t('Give a name.') : undefined);

function need<T>(found: T | undefined): T {
  if (found !== undefined) return found;
  throw new EnvwrightError('review/none-chosen', message('Nothing is chosen in the view of curricula.'), message('Choose a row there first.'));
}

function notEmptySet(curriculum: Curriculum): Curriculum {
  if (curriculum.entries.length > 0) return curriculum;
  throw new EnvwrightError('review/empty-set', message('{name} holds no environment yet.', { name: curriculum.name }), message('Add files from the review, from the explorer, or by dragging them there.'));
}

async function create(sets: Sets, interaction: Interaction): Promise<string | undefined> {
  const name = (await interaction.input({ title: vscode.l10n.t('New Curriculum'), prompt: vscode.l10n.t('Its name'), validate: notEmpty }))?.trim();
  if (!name) return undefined;
  await (await sets.stores()).curricula.create({ version: 1, name, entries: [] });
  sets.changed();
  return name;
}

async function chooseSet(sets: Sets, interaction: Interaction): Promise<string | undefined> {
  const { all } = await sets.load();
  if (all.length === 0) return create(sets, interaction);
  const NEW = Symbol('new');
  const chosen = await interaction.pick<string | typeof NEW>({
    title: vscode.l10n.t('Add to Curriculum'),
    choices: [...all.map(({ name, entries }) => ({ label: name, description: vscode.l10n.t('{0} environments', entries.length), value: name })), { label: vscode.l10n.t('New Curriculum…'), value: NEW }],
  });
  return chosen === NEW ? create(sets, interaction) : typeof chosen === 'string' ? chosen : undefined;
}

/** Asks for what a person knows of an entry, step by step; undefined when dismissed. */
async function askDescription(entry: CurriculumEntry, interaction: Interaction): Promise<Pick<CurriculumEntry, 'skill' | 'difficulty' | 'hint' | 'note'> | undefined> {
  const title = vscode.l10n.t('Describe {0}', entry.file);
  const first = <T>(values: readonly T[], known: T): T[] => [known, ...values.filter((value) => value !== known)];
  const skill = await interaction.pick({ title, placeholder: vscode.l10n.t('Skill'), choices: first(SKILLS, entry.skill).map((value) => ({ label: value, value })) });
  if (skill === undefined || skill === BACK) return undefined;
  const choices = first<CurriculumEntry['difficulty']>([...difficulties, null], entry.difficulty).map((value) => ({ label: value ?? vscode.l10n.t('not known'), value: { difficulty: value } }));
  const chosen = await interaction.pick({ title, placeholder: vscode.l10n.t('Difficulty'), choices });
  if (chosen === undefined || chosen === BACK) return undefined;
  const hint = await interaction.input({ title, prompt: vscode.l10n.t('Hint for the player; empty for none'), value: entry.hint ?? '' });
  if (hint === undefined) return undefined;
  const note = await interaction.input({ title, prompt: vscode.l10n.t('Note for those who use the curriculum'), value: entry.note });
  return note === undefined ? undefined : { skill, difficulty: chosen.difficulty, hint: hint.trim() === '' ? null : hint.trim(), note };
}

/** Plays every environment of a set with its hint, one after the other, and keeps the outcomes; what was played stays when it is cancelled. */
async function playSet({ name, entries }: Curriculum, { sets, play, interaction }: CurriculumCommandParts): Promise<number> {
  const { sources } = await sets.stores();
  let measured = 0;
  const done = await withProgress(vscode.l10n.t('Envwright: playing {0}', name), async (signal, report) => {
    let played = 0;
    for (const [index, entry] of entries.entries()) {
      signal.throwIfAborted();
      report(vscode.l10n.t('{0} of {1}: {2}', index + 1, entries.length, entry.file));
      await sources.need(entry.contentHash, entry.file);
      const player = play.players.of(vscode.Uri.file(sources.pathOf(entry.contentHash)));
      const stop = () => player.stop(null);
      signal.addEventListener('abort', stop, { once: true });
      try {
        const outcome = outcomeOf(await player.playToEnd({ ...player.state().settings, hint: entry.hint, mode: 'paired' }));
        signal.throwIfAborted();
        const kept = outcome && laterOutcome(entry.outcome, outcome);
        if (kept) await sets.change(name, (known) => withChanged(known, entry.contentHash, { outcome: kept }));
        measured += kept && kept !== outcome ? 1 : 0;
        played += outcome ? 1 : 0;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    }
    return played;
  });
  if (measured > 0) {
    void interaction.notice({ severity: 'info', message: vscode.l10n.t('Models played {0} of these environments before: what no model played is not kept in place of that.', measured), actions: [] });
  }
  return done;
}
