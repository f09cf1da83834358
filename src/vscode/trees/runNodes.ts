/** The rows of the run's view. */
import * as vscode from 'vscode';
import { gameKey, type BrowsedRun, type GameFigures } from '../../core/run/browse';
import type { RunGame, RunReject, RunStep } from '../../core/run/inventory';
import type { Liveness } from '../../core/run/liveness';
import { stem } from '../../core/run/paths';
import type { RunSettings } from '../../core/run/runSettings';
import { commandId } from '../../shared/contributions';
import type { Heartbeat } from '../../shared/link';
import { localize } from '../localize';
import { plainLine, plainLines } from '../../core/plainText';
import type { GameVerdict } from '../run/gameFacts';
import type { TreeNode } from './nodeTree';

/** Rows under one parent: a folder of a run may hold tens of thousands of files. */
const PAGE = 500;
const LINE = 200;
const HINT = 2_000;

/** A row that stands for games: what is checked when they all are. */
export interface GamesNode extends TreeNode {
  readonly games: readonly RunGame[];
}

/** True for what the view hands to the commands of several games. */
export function hasGames(node: unknown): node is GamesNode {
  return typeof node === 'object' && node !== null && 'games' in node;
}

/** What the rows of games are made from. */
export interface GameRowParts {
  readonly figures: ReadonlyMap<string, GameFigures>;
  readonly verdicts: ReadonlyMap<string, GameVerdict>;
  readonly readText: (path: string) => Promise<string | undefined>;
}

/** The row that says whether the run is live, and why that is believed. */
export function livenessNode({ state, why }: Liveness): TreeNode {
  const shown = {
    'not-started': [vscode.l10n.t('Not started'), 'circle-outline'],
    live: [vscode.l10n.t('Live'), 'pulse'],
    stopped: [vscode.l10n.t('Stopped'), 'primitive-square'],
  } as const;
  const [label, icon] = shown[state];
  return { id: 'liveness', label, description: localize(why), tooltip: localize(why), icon: new vscode.ThemeIcon(icon) };
}

/** What the launch flags say of the memory, which decides whether a push is ever read. */
export function settingsNode(settings: RunSettings | null): TreeNode {
  const command = { title: vscode.l10n.t('Read Launch Flags…'), command: commandId('readLaunchFlags') };
  if (!settings) {
    const why = vscode.l10n.t('The launch flags are not known, so it is not known whether this run reads its memory. They are read from a launcher script, a process or Ray.');
    return { id: 'settings', label: vscode.l10n.t('Memory'), description: vscode.l10n.t('not known whether it is read: read the launch flags'), tooltip: why, icon: new vscode.ThemeIcon('question'), command };
  }
  const { memory, launch, backend, interval, open } = settings;
  const used = memory.used === true ? vscode.l10n.t('read by the run') : memory.used === false ? vscode.l10n.t('not read by the run') : vscode.l10n.t('read under a condition');
  const names = { slime: 'Slime', tinker: 'Tinker' } as const;
  const facts = [used, ...(backend ? [names[backend]] : []), ...(interval === null ? [] : [vscode.l10n.t('regenerates every {0}', interval)])];
  const from = vscode.l10n.t('Flags from {0}', plainLine(launch.from, LINE));
  const lines = [...memory.why, ...open].map(localize);
  return {
    id: 'settings', label: vscode.l10n.t('Memory'), description: facts.join(' · '), tooltip: [from, ...lines.map((line) => plainLine(line, LINE))].join('\n'),
    icon: memory.used === true ? new vscode.ThemeIcon('database') : new vscode.ThemeIcon('warning', new vscode.ThemeColor('editorWarning.foreground')), command,
    ...(lines.length > 0 && { children: () => lines.map((line, at): TreeNode => ({ id: `setting ${at}`, label: plainLine(line, LINE), tooltip: plainLine(line, 1_000), icon: new vscode.ThemeIcon('info') })) }),
  };
}

/** Whether the link module answers. */
export function linkNode(heartbeat: Heartbeat | null): TreeNode {
  const description = heartbeat ? vscode.l10n.t('answered in rollout {0}', heartbeat.rollout) : vscode.l10n.t('does not answer: pushes wait while the run is live');
  return {
    id: 'link', label: vscode.l10n.t('Link module'), description, tooltip: description, icon: new vscode.ThemeIcon(heartbeat ? 'plug' : 'debug-disconnect'),
    command: { title: vscode.l10n.t('Add Link Module to Run…'), command: commandId('addLinkModule') },
  };
}

/** The games in play, the steps (or all games in order), the rejects. */
export function browsedNodes({ playing, steps, all, rejects }: BrowsedRun, parts: GameRowParts): TreeNode[] {
  const rows = (id: string, games: readonly RunGame[]) => () => games.map((game) => gameNode(id, game, parts));
  return [
    { ...group('games', vscode.l10n.t('Games in play'), playing.length, rows('play', playing), true), kind: 'games', games: playing } as GamesNode,
    all.length > 0
      ? { ...group('all', vscode.l10n.t('All games, by regret'), all.length, rows('all', all)), kind: 'games', games: all } as GamesNode
      : group('steps', vscode.l10n.t('Steps'), steps.length, () => steps.map(({ step, games }) => stepNode(step, games, parts))),
    group('rejects', vscode.l10n.t('Rejects'), rejects.length, () => rejects.map((reject) => rejectNode(reject, parts))),
  ];
}

function group(id: string, label: string, count: number, children: () => readonly TreeNode[], expanded = false): TreeNode {
  return { id, label, description: String(count), expanded, children: () => page(id, children()) };
}

/** The first rows, and a row that gives the next ones. */
function page(id: string, nodes: readonly TreeNode[], from = 0): readonly TreeNode[] {
  const rest = nodes.length - from - PAGE;
  const shown = nodes.slice(from, from + PAGE);
  if (rest <= 0) return shown;
  return [...shown, { id: `${id} from ${from + PAGE}`, label: vscode.l10n.t('{0} more', rest), children: () => page(id, nodes, from + PAGE) }];
}

function stepNode({ rollout, folder }: RunStep, games: readonly RunGame[], parts: GameRowParts): GamesNode {
  const id = `step ${folder}`;
  return {
    id, label: vscode.l10n.t('Rollout {0}', rollout), description: games.length === 1 ? vscode.l10n.t('1 game') : vscode.l10n.t('{0} games', games.length),
    kind: 'games', games, children: () => page(id, games.map((game) => gameNode(id, game, parts))),
  };
}

const two = (value: number | null): string => (value === null ? '–' : value.toFixed(2).replace('-', '−'));

/** A number is never alone: the run does not say on how many plays its figures rest. */
function figuresWords({ winRate, regret, plays }: GameFigures): string {
  return vscode.l10n.t('win {0} · regret {1} · n {2}', two(winRate), two(regret), plays ?? '–');
}

function gameNode(parent: string, { file, slug, hint }: RunGame, { figures, verdicts, readText }: GameRowParts): TreeNode {
  const uri = vscode.Uri.file(file);
  const known = figures.get(gameKey(file));
  const verdict = verdicts.get(gameKey(file));
  const skill = plainLine(slug.replaceAll('_', ' '), LINE);
  const label = plainLine(stem(file).replace(`_${slug}`, ''), LINE);
  const facts = [...(verdict ? [verdict.words] : []), ...(known ? [figuresWords(known)] : []), skill];
  return {
    id: `${parent} ${file}`,
    label,
    description: facts.join(' · '),
    tooltip: [plainLine(stem(file), LINE), verdict?.words ?? vscode.l10n.t('Not checked in this window'), known ? figuresWords(known) : vscode.l10n.t('No plays are known')].join('\n'),
    icon: new vscode.ThemeIcon(verdict?.icon ?? 'file-code'),
    kind: 'game',
    uri,
    accessibilityLabel: [label, ...facts].join(', '),
    command: { title: vscode.l10n.t('Open'), command: 'vscode.open', arguments: [uri] },
    ...(hint !== null && { children: async () => [await hintNode(`${parent} ${hint}`, hint, readText)] }),
  };
}

async function hintNode(id: string, file: string, readText: GameRowParts['readText']): Promise<TreeNode> {
  const text = (await readText(file))?.trim() ?? '';
  return { id, label: vscode.l10n.t('Hint'), description: plainLine(text, LINE), tooltip: plainLines(text, HINT), icon: new vscode.ThemeIcon('lightbulb'), uri: vscode.Uri.file(file) };
}

function rejectNode({ file, stage, reason }: RunReject, { verdicts }: GameRowParts): TreeNode {
  const why = reason === null ? vscode.l10n.t('no reason given') : plainLine(reason, LINE);
  const verdict = verdicts.get(gameKey(file));
  return {
    id: `reject ${file}`,
    label: plainLine(stem(file), LINE),
    description: [plainLine(stage, LINE), why, ...(verdict ? [verdict.words] : [])].join(' · '),
    tooltip: reason === null ? why : plainLines(reason, HINT),
    icon: new vscode.ThemeIcon('error'),
    kind: 'reject',
    uri: vscode.Uri.file(file),
  };
}
