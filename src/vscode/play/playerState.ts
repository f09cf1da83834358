import * as vscode from 'vscode';
import type { Move } from '../../core/play/policy';
import { message, type Message } from '../../shared/message';
import type { Ability, PlayerState, PlaySettings } from '../../shared/webviewProtocol';
import type { Checked } from '../checks/checkStore';
import type { ModelSource } from '../models/modelSource';
import type { SandboxState } from '../sandboxSource';
import { readSetting } from '../settings';
import type { Hint } from './hints';
import type { PlaySession } from './playSession';
import { offeredPolicies } from './policies';
import { valueView } from './valueView';

/** What the player can do beyond playing. */
const ABILITIES: Ability[] = ['writeHint', 'inspect', 'push'];

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
  /** Actions that were given to be replayed. */
  readonly script: readonly Move[] | undefined;
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
    session: session ? message('Played by {policy}', { policy: session.options.policy.name }) : message('Not played yet'),
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
      isPaired: session?.options.mode !== 'as-run', isRunning,
    }),
    slots: session?.board.slots() ?? [],
    maxSteps: readSetting('play.maxTurns'),
    setup: [{ name: message('Model'), detail: message('{model}', { model: models.label || '–' }) }, { name: message('Sandbox'), detail: sandboxText(input.sandbox) }],
    can: ABILITIES,
  };
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
  if (session.options.policy.simulated) return message('Played by the simulated learner. It is not a model.');
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

function sandboxText(state: SandboxState): Message {
  if (state.kind === 'ready') return message('{backend}, Python {python}', { backend: state.sandbox.backend, python: state.sandbox.python });
  return state.kind === 'failed' ? message('None: nothing runs') : message('Tested before the first play');
}
