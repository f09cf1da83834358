import * as vscode from 'vscode';
import { EnvwrightError } from '../../../core/errors';
import { fewAtATime } from '../../../core/run/breath';
import { join } from '../../../core/run/paths';
import { MEMORY_FILE } from '../../../core/run/runFolder';
import type { Curriculum } from '../../../core/review/curriculum';
import { readSet, setFiles, textsOf, writeSet, type SetForm } from '../../../core/review/exchange';
import { recordOf } from '../../../core/review/memorySet';
import type { ImportedSet } from '../../../core/review/staticPool';
import { message } from '../../../shared/message';
import { BACK, type Interaction } from '../../interaction';
import { withProgress } from '../../progress';
import type { LinkedRun } from '../../run/linkedRun';
import type { Sets } from './sets';

/** What import and export work with. */
export interface ExchangeParts {
  readonly sets: Sets;
  readonly interaction: Interaction;
  readonly run: LinkedRun;
}

type Form = SetForm | 'push';

/** Writes a curriculum in the form that is chosen, and gives where; undefined when dismissed. */
export async function exportSet(curriculum: Curriculum, parts: ExchangeParts): Promise<string | undefined> {
  const { interaction, run, sets } = parts;
  const form = await interaction.pick<Form>({
    title: vscode.l10n.t('Export {0}', curriculum.name),
    choices: [
      { label: vscode.l10n.t('Static Game Pool'), detail: vscode.l10n.t('Games named as the run names them, with a list and SHA-256 sums: a run can play them'), value: 'pool' },
      { label: vscode.l10n.t('Memory File'), detail: vscode.l10n.t('{0} and its games, for a run that has not started: its designer reads them as examples', MEMORY_FILE), value: 'memory' },
      { label: vscode.l10n.t('JSON Lines'), detail: vscode.l10n.t('Code, hint and outcome, one environment a line, for other tools'), value: 'lines' },
      ...(run.path === '' ? [] : [{ label: vscode.l10n.t('Push into the Linked Run'), detail: run.path, value: 'push' as const }]),
    ],
  });
  if (form === undefined || form === BACK) return undefined;
  const texts = await textsOf(curriculum, (await sets.stores()).sources);
  return form === 'push' ? pushSet(curriculum, texts, parts) : saveSet(curriculum, texts, form, parts);
}

async function saveSet(curriculum: Curriculum, texts: ReadonlyMap<string, string>, form: SetForm, { interaction, sets }: ExchangeParts): Promise<string | undefined> {
  const folder = await interaction.chooseFolder(vscode.l10n.t('Export Here'));
  if (!folder) return undefined;
  const target = join(folder.fsPath, safeName(curriculum.name));
  const { files: contents, notPlayed } = await setFiles(curriculum, texts, form, target);
  await writeSet((await sets.stores()).files, target, contents);
  const left = notPlayed.length === 0 ? '' : ` ${vscode.l10n.t('{0} were never played, so they have no win rate and are not in it: play the curriculum first.', notPlayed.length)}`;
  void interaction.notice({ severity: left === '' ? 'info' : 'warning', message: vscode.l10n.t('{0} files written to {1}.', contents.size, target) + left, actions: [] });
  return target;
}

/** Pushes the played entries one by one, as a push by hand would: through the link module, into the queue, or into the file. */
async function pushSet({ name, entries }: Curriculum, texts: ReadonlyMap<string, string>, { interaction, run, sets }: ExchangeParts): Promise<string | undefined> {
  const memory = await run.memory();
  const { sources } = await sets.stores();
  const played = entries.filter(({ outcome }) => outcome !== null);
  const requests = played.map((entry) => ({
    record: recordOf(entry, texts.get(entry.contentHash)!, sources.pathOf(entry.contentHash), name),
    provenance: { ...(entry.outcome!.plays !== null && { plays: entry.outcome!.plays }), simulated: entry.outcome!.simulated },
  }));
  const previews = await fewAtATime(requests, 1, (request) => memory.preview(request));
  const count = (test: (at: number) => boolean): number => previews.filter((_, at) => test(at)).length;
  const agreed = await interaction.confirm({
    message: vscode.l10n.t('Push {0} environments of {1} into the run’s memory?', requests.length, name),
    detail: vscode.l10n.t('{0} can be drawn as examples, {1} are examples to avoid, {2} lie in a dead zone and are never drawn. {3} have warnings. {4} were never played and are left out.',
      count((at) => previews[at]!.standing.class === 'seed'), count((at) => ['too-easy', 'too-hard'].includes(previews[at]!.standing.class)), count((at) => previews[at]!.standing.class === 'dead-zone'),
      count((at) => previews[at]!.warnings.some(({ severity }) => severity === 'warning')), entries.length - played.length),
    accept: vscode.l10n.t('Push'),
  });
  if (!agreed) return undefined;
  const states = await withProgress(vscode.l10n.t('Envwright: pushing {0}', name), async (signal, report) => {
    const made: string[] = [];
    for (const [index, request] of requests.entries()) {
      signal.throwIfAborted();
      report(`${index + 1} / ${requests.length}`);
      made.push((await memory.push(request, { force: true })).state);
    }
    return made;
  });
  const words = vscode.l10n.t('{0} written, {1} queued.', states.filter((state) => state === 'written').length, states.filter((state) => state === 'queued').length);
  void interaction.notice({ severity: 'info', message: words, actions: [] });
  return words;
}

/** Reads a pool, a memory file or JSON lines as a new curriculum, and gives its name; what is damaged is named and the rest is used. */
export async function importSet({ interaction, sets }: ExchangeParts): Promise<string | undefined> {
  const { files, sources, curricula } = await sets.stores();
  const path = (await interaction.chooseFile(vscode.l10n.t('Import a Curriculum'), ['json', 'jsonl']))?.fsPath;
  if (path === undefined) return undefined;
  const set = await readSet(path, files, sources);
  if (set.entries.length === 0) throw new EnvwrightError('review/nothing-imported', message('Nothing in {path} can be used: {problems}.', { path, problems: problemWords(set) }), message('Export it again, or choose another file.'));
  const taken = new Set((await curricula.load()).all.map(({ name }) => name));
  let name = set.name;
  for (let copy = 2; taken.has(name); copy += 1) name = `${set.name} ${copy}`;
  for (const { source } of set.entries) await sources.keep(source);
  await curricula.create({ version: 1, name, entries: set.entries.map(({ entry }) => entry) });
  sets.changed();
  if (set.problems.length > 0) {
    void interaction.notice({ severity: 'warning', message: vscode.l10n.t('{0} of {1} environments were imported. Left out: {2}.', set.entries.length, set.entries.length + set.problems.length, problemWords(set)), actions: [] });
  }
  return name;
}

const problemWords = ({ problems }: ImportedSet): string => problems.slice(0, 5).map(({ file, why }) => `${file} (${why === 'missing' ? vscode.l10n.t('missing') : vscode.l10n.t('damaged')})`).join(', ') + (problems.length > 5 ? ', …' : '');

/** A name as a folder can have it. */
function safeName(name: string): string {
  return name.replace(/[^\p{L}\p{N} ._-]+/gu, '-').replace(/^\.+/, '').trim() || 'curriculum';
}
