import * as vscode from 'vscode';
import { SIMULATED_LEARNER } from '../../core/play/policy';
import { morePairs } from '../../core/value/sentence';
import { pairBySeed } from '../../core/value/summary';
import { message, type Message } from '../../shared/message';
import type { Ability, ComparisonView, HumanTurn, PlayerState, PlaySettings } from '../../shared/webviewProtocol';
import type { Checked } from '../checks/checkStore';
import type { ModelSource } from '../models/modelSource';
import type { SandboxState } from '../sandboxSource';
import { readSetting } from '../settings';
import type { Hint } from './hints';
import type { HumanSeat } from './humanSeat';
import type { PlaySession } from './playSession';
import { sessionWords } from './comparisonView';
import { offeredPolicies, type GivenScript } from './policies';
import { valueView, type SourcedWeights } from './valueView';

/** What the player can do beyond playing, and what only where sessions are saved. */
const ABILITIES: readonly Ability[] = ['writeHint', 'inspect', 'push', 'replay', 'takeOver', 'debug', 'export', 'extend'];
const WITH_RECORDS: readonly Ability[] = ['sessions', 'compare'];
/** Most pairs that are offered at once; a forecast from few plays may be far off. */
const MOST_PAIRS = 128;

/** What a state of the player is made of. */
export interface StateInput {
  readonly uri: vscode.Uri;
  readonly checked: Checked | undefined;
  readonly hints: readonly Hint[];
  readonly models: ModelSource;
  readonly sandbox: SandboxState;
  readonly settings: PlaySettings;
  readonly phase: PlayerState['phase'];
  readonly session: PlaySession | undefined;
  /** Actions that were given to be played. */
  readonly script: GivenScript | undefined;
  /** The turn that waits for a person. */
  readonly turn: HumanSeat['turn'];
  readonly comparison: ComparisonView | null;
  /** Why the session is not saved, where it should be. */
  readonly notSaved: Message | null;
  readonly canSave: boolean;
  readonly weights: SourcedWeights;
  /** Tokens that the agent's model holds; null when that is not known. */
  readonly context: number | null;
}

/** The settings that a player begins with, from those of the editor. */
export function firstSettings(hint: string | null): PlaySettings {
  return {
    policy: readSetting('play.policy'),
    hint,
    seeds: `0-${readSetting('play.plays') - 1}`,
    plays: 1,
    mode: 'paired',
    chance: readSetting('play.simulatedChance'),
    chanceHint: readSetting('play.simulatedChanceWithHint'),
  };
}

/** Everything the player shows but the transcripts. */
export function playerState(input: StateInput): PlayerState {
  const { uri, checked, hints, models, settings, phase, session } = input;
  const progress = session?.progress;
  const isRunning = phase !== 'idle';
  return {
    uri: uri.toString(),
    file: vscode.workspace.asRelativePath(uri),
    className: checked?.anchor?.className ?? checked?.report.class ?? null,
    facts: checked?.report.profile ? [profileFact(checked.report.profile)] : [],
    verdict: checked ? { verdict: checked.report.verdict, detail: rejectedFor(checked.report), count: checked.report.findings.length } : null,
    session: session ? sessionWords(session.header) : message('Not played yet'),
    sessionId: session && input.canSave && !input.notSaved ? session.header.id : null,
    sessionNotes: session ? sessionNotes(session, input) : [],
    missing: session && !isRunning ? session.board.unfinished().length : 0,
    morePairs: session && !isRunning ? moreToTell(session) : null,
    human: humanTurn(input),
    comparison: input.comparison,
    notModel: notModel(input),
    phase,
    settings,
    mode: session?.options.mode ?? settings.mode,
    policies: offeredPolicies(models, input.script),
    hints: hints.map(({ text, simulated }, index) => ({
      id: String(index), text, label: simulated ? message('Offline sample (not a model)') : message('Written by the model'),
    })),
    progress: {
      total: progress?.total ?? 0, done: progress?.done ?? 0, failed: progress?.failed ?? 0, running: progress?.running ?? 0,
      elapsedMs: progress?.elapsedMs ?? 0,
      remainingMs: isRunning && progress && progress.done > 0 ? (progress.elapsedMs / progress.done) * (progress.total - progress.done) : null,
      tokens: progress && progress.tokens > 0 ? progress.tokens : null,
      tokensEstimated: false,
    },
    failures: session ? failures(session) : [],
    values: valueView({
      noHint: session?.board.ended('noHint') ?? [], hint: !session || session.options.hint === null ? null : session.board.ended('hint'),
      isPaired: session?.options.mode !== 'as-run', isRunning, weights: input.weights,
    }),
    slots: session?.board.slots() ?? [],
    maxSteps: readSetting('play.maxTurns'),
    setup: [{ name: message('Model'), detail: modelText(input) }, { name: message('Sandbox'), detail: sandboxText(input.sandbox) }],
    can: [...ABILITIES, ...(input.canSave ? WITH_RECORDS : [])],
  };
}

/** Where a person is to move: the place of the turn in the strip. */
function humanTurn({ turn, session }: StateInput): HumanTurn | null {
  if (!turn || !session) return null;
  const { seed, play, ...rest } = turn;
  const slot = session.board.slotOf(turn.arm, seed, play);
  return slot === null ? null : { ...rest, slot };
}

/** What must be said beside a session: damage, an edit since, that it is not saved. */
function sessionNotes(session: PlaySession, { uri, notSaved, canSave }: StateInput): Message[] {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return [
    ...(session.saved?.damaged ?? []).map(({ line, why }) => message('Line {line} of the saved session cannot be used: {why} The rest is shown.', { line, why })),
    ...(notSaved ? [notSaved] : canSave ? [] : [message('Not saved: the file is in no open folder.')]),
    ...(open && open.getText() !== session.header.source ? [message('The file was edited since these plays. Replay the same actions to see what changed.')] : []),
  ];
}

/** How many more pairs it takes to tell whether the hint is worth something; null when that is told, or cannot be. */
function moreToTell({ board, options }: PlaySession): number | null {
  if (options.hint === null || options.mode !== 'paired') return null;
  const more = morePairs(pairBySeed(board.ended('hint'), board.ended('noHint')));
  return more === null ? null : Math.min(MOST_PAIRS, more);
}

/** Id of the finding that rejects a file, empty when none does. */
function rejectedFor({ verdict, findings }: Checked['report']): string {
  return verdict === 'reject' ? findings.find(({ severity }) => severity === 'error')?.id ?? '' : '';
}

function profileFact(profile: NonNullable<Checked['report']['profile']>): Message {
  switch (profile) {
    case 's': return message('Single-turn');
    case 'm': return message('Multi-turn');
    case 'c': return message('Corpus-grounded');
    case 't': return message('Tool use');
    case 'u': return message('Tool use, several messages');
  }
}

function notModel({ session, hints }: StateInput): Message | null {
  if (!session) return null;
  const { name, simulated } = session.options.policy;
  if (name === SIMULATED_LEARNER) return message('Played by the simulated learner. It is not a model.');
  if (simulated) return message('Played by {policy}, not by a model: these figures say nothing about one.', { policy: name });
  const isSample = hints.some(({ text, simulated }) => simulated && text === session.options.hint);
  return isSample ? message('The hint is an offline sample. No model wrote it.') : null;
}

/** Why plays failed: a line each reason, with the seeds. */
function failures({ board }: PlaySession): Message[] {
  const seedsByReason = new Map<string, Set<string>>();
  for (const { arm, slot } of board.failed()) {
    const episode = board.episode(arm, slot);
    const reason = episode?.error ?? episode?.status ?? '';
    seedsByReason.set(reason, (seedsByReason.get(reason) ?? new Set()).add(String(episode?.seed ?? '–')));
  }
  return [...seedsByReason].map(([reason, seeds]) => message('{reason} (seeds {seeds})', { reason, seeds: [...seeds].join(', ') }));
}

/** The model, and how much it holds where its server says so: an episode that does not fit ends as truncated. */
function modelText({ models, context }: StateInput): Message {
  const model = models.label || '–';
  return context === null ? message('{model}', { model }) : message('{model}, {n} tokens of context', { model, n: context.toLocaleString() });
}

function sandboxText(state: SandboxState): Message {
  if (state.kind === 'ready') return message('{backend}, Python {python}', { backend: state.sandbox.backend, python: state.sandbox.python });
  return state.kind === 'failed' ? message('None: nothing runs') : message('Tested before the first play');
}
