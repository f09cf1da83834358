import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import type { RunGame } from '../../core/run/inventory';
import { GAME_ORDERS, type GameOrder } from '../../core/run/browse';
import { baseName, stem } from '../../core/run/paths';
import type { Verdict } from '../../shared/findings';
import { message } from '../../shared/message';
import type { Checks } from '../checks/feature';
import { BACK, type Choice, type Interaction } from '../interaction';
import { plainLine } from '../plainText';
import { withProgress } from '../progress';
import type { TreeNode } from '../trees/nodeTree';
import { hasGames } from '../trees/runNodes';
import type { RunTree } from '../trees/runTree';
import { requireTrust } from '../trust';

/** Games checked at the same time. */
const AT_ONCE = 2;
/** Above this many, checking all asks first: each game takes seconds. */
const MANY = 100;
const LINE = 120;

/** How many games had which verdict; `failed` could not be judged at all. */
export type CheckedGames = Readonly<Record<Verdict | 'failed', number>>;

/** Checks the games of a row, else those in play; gives the count of verdicts, undefined when it was given up. */
export async function checkGames(node: unknown, tree: RunTree, checks: Checks, interaction: Interaction): Promise<CheckedGames | undefined> {
  requireTrust();
  const games = hasGames(node) ? node.games : ((await tree.browsed())?.playing ?? []);
  if (games.length === 0) throw new EnvwrightError('run/no-games', message('There are no games to check.'), message('Clear the filter, or wait for the next regeneration.'));
  if (games.length > MANY && !(await confirmMany(games.length, interaction))) return undefined;
  const counts: Record<Verdict | 'failed', number> = { accept: 0, 'accept-with-warnings': 0, reject: 0, 'cannot-run': 0, failed: 0 };
  await withProgress(vscode.l10n.t('Envwright: checking games'), async (signal, report) => {
    let [next, done] = [0, 0];
    const work = async (): Promise<void> => {
      for (let at = next++; at < games.length && !signal.aborted; at = next++) {
        counts[await verdictOf(games[at]!, checks, signal)] += 1;
        report(vscode.l10n.t('{0} of {1}', (done += 1), games.length));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  });
  void interaction.notice({ severity: counts.reject + counts['cannot-run'] + counts.failed > 0 ? 'warning' : 'info', message: summary(counts), actions: [] });
  return counts;
}

function confirmMany(count: number, interaction: Interaction): Promise<boolean> {
  return interaction.confirm({
    message: vscode.l10n.t('Check {0} games?', count),
    detail: vscode.l10n.t('Each one is run in the sandbox, which takes seconds. The checks can be cancelled, and what was judged by then stays.'),
    accept: vscode.l10n.t('Check All'),
  });
}

/** The verdict of a game; `failed` when its file went away meanwhile, as at a regeneration. */
async function verdictOf({ file }: RunGame, checks: Checks, signal: AbortSignal): Promise<Verdict | 'failed'> {
  try {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    return (await checks.checker.check(document, true, signal)).verdict;
  } catch (error) {
    if (signal.aborted) throw error;
    return 'failed';
  }
}

function summary(counts: CheckedGames): string {
  const words = {
    accept: vscode.l10n.t('{0} accepted', counts.accept),
    'accept-with-warnings': vscode.l10n.t('{0} accepted with warnings', counts['accept-with-warnings']),
    reject: vscode.l10n.t('{0} rejected', counts.reject),
    'cannot-run': vscode.l10n.t('{0} could not be run', counts['cannot-run']),
    failed: vscode.l10n.t('{0} could not be read', counts.failed),
  };
  return vscode.l10n.t('Games checked: {0}.', (Object.keys(words) as (keyof typeof words)[]).filter((kind) => counts[kind] > 0).map((kind) => words[kind]).join(', '));
}

/** Asks for the words of the filter. */
export async function filterRun(tree: RunTree, interaction: Interaction): Promise<void> {
  const filter = await interaction.input({
    title: vscode.l10n.t('Filter Games'), value: tree.filter,
    prompt: vscode.l10n.t('Words of a name, a skill, a verdict (accept, reject, unchecked) or the reason of a reject. All must be found.'),
  });
  if (filter !== undefined) tree.show({ filter: filter.trim() });
}

/** Asks for the order of games. */
export async function sortRun(tree: RunTree, interaction: Interaction): Promise<void> {
  const words: Readonly<Record<GameOrder, readonly [string, string]>> = {
    number: [vscode.l10n.t('As the Run Numbers Them'), vscode.l10n.t('By step, the newest first')],
    regret: [vscode.l10n.t('By Regret'), vscode.l10n.t('Over all steps, the highest first; of plays in this window, else as the memory has it')],
  };
  const order = await interaction.pick({
    title: vscode.l10n.t('Sort Games'),
    choices: GAME_ORDERS.map((value) => ({ value, label: words[value][0], detail: words[value][1], ...(value === tree.order && { description: vscode.l10n.t('now') }) })),
  });
  if (order !== undefined && order !== BACK) tree.show({ order });
}

/** Shows the texts of two games side by side: of the rows that are selected, else of one and another that is asked for. */
export async function compareGames(node: TreeNode | undefined, nodes: readonly TreeNode[] | undefined, tree: RunTree, interaction: Interaction): Promise<void> {
  const files = (nodes ?? []).flatMap(({ uri }) => uri ?? []);
  const first = files.length === 2 ? files[0] : node?.uri;
  if (!first) throw new EnvwrightError('run/no-game', message('No game is chosen.'), message('Choose a game of the run, or two of them, then compare.'));
  const second = files.length === 2 ? files[1] : await askOther(first, tree, interaction);
  if (!second) return;
  const name = ({ fsPath }: vscode.Uri): string => plainLine(baseName(fsPath), LINE);
  await vscode.commands.executeCommand('vscode.diff', first, second, `${name(first)} ↔ ${name(second)}`, { preview: true });
}

/** Games of the same skill come first: the name of a game ends in it. */
async function askOther(first: vscode.Uri, tree: RunTree, interaction: Interaction): Promise<vscode.Uri | undefined> {
  const browsed = await tree.browsed();
  const others = [...(browsed?.playing ?? []), ...(browsed?.steps ?? []).flatMap(({ games }) => games), ...(browsed?.all ?? [])].filter(({ file }) => stem(file) !== stem(first.fsPath));
  const unlike = others.filter(({ slug }) => !stem(first.fsPath).includes(slug));
  const like = others.filter(({ slug }) => stem(first.fsPath).includes(slug));
  const choices = new Map([...like, ...unlike].map((game): [string, Choice<vscode.Uri>] => [game.file, {
    value: vscode.Uri.file(game.file), label: plainLine(stem(game.file).replace(`_${game.slug}`, ''), LINE), description: plainLine(game.slug.replaceAll('_', ' '), LINE),
  }]));
  const chosen = await interaction.pick({ title: vscode.l10n.t('Compare with'), placeholder: plainLine(baseName(first.fsPath), LINE), choices: [...choices.values()].slice(0, 1_000) });
  return chosen === BACK ? undefined : chosen;
}
