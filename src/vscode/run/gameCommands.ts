import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { GAME_ORDERS, type GameOrder } from '../../core/run/browse';
import { baseName, stem } from '../../core/run/paths';
import { message } from '../../shared/message';
import { checkMany, type VerdictCounts } from '../checks/checkMany';
import type { Checks } from '../checks/feature';
import { BACK, type Choice, type Interaction } from '../interaction';
import { plainLine } from '../../core/plainText';
import type { TreeNode } from '../trees/nodeTree';
import { hasGames } from '../trees/runNodes';
import type { RunTree } from '../trees/runTree';
import { requireTrust } from '../trust';

const LINE = 120;

/** Checks the games of a row, else those in play; gives the count of verdicts, undefined when it was given up. */
export async function checkGames(node: unknown, tree: RunTree, checks: Checks, interaction: Interaction): Promise<VerdictCounts | undefined> {
  requireTrust();
  const games = hasGames(node) ? node.games : ((await tree.browsed())?.playing ?? []);
  if (games.length === 0) throw new EnvwrightError('run/no-games', message('There are no games to check.'), message('Clear the filter, or wait for the next regeneration.'));
  return checkMany(games.map(({ file }) => vscode.Uri.file(file)), {
    title: vscode.l10n.t('Envwright: checking games'),
    question: vscode.l10n.t('Check {0} games?', games.length),
    done: (counts) => vscode.l10n.t('Games checked: {0}.', counts),
  }, checks.checker, interaction);
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
