import * as vscode from 'vscode';
import type { ArmsOptions } from '../../core/play/arms';
import type { ArmPlan } from '../../core/play/plan';
import type { Policy } from '../../core/play/policy';
import type { SavedSession, SessionHeader, SessionOrigin } from '../../core/play/sessionRecord';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import type { PlaySettings } from '../../shared/webviewProtocol';
import { readSetting } from '../settings';
import type { PlayerParts } from './playerParts';
import type { HumanSeat } from './humanSeat';
import { policyFor, type GivenScript } from './policies';

/** What is to be played anew, and where its actions come from. `plan` and `source` are given where they are not the settings' and the file's own. */
export interface NewPlays {
  readonly settings: PlaySettings;
  readonly policy?: Policy;
  readonly plan?: ArmPlan;
  readonly origin?: SessionOrigin;
  readonly maxTurns?: number;
  readonly thinking?: boolean;
  readonly simulatedHint?: boolean;
}

/** What a policy may need that the settings do not hold. */
export interface PolicyParts {
  readonly script: GivenScript | undefined;
  readonly seat: HumanSeat;
}

type Header = Omit<SessionHeader, 'v' | 'type'>;

/** The options and the record's first line of plays of the file as it is now. @throws EnvwrightError when a setting or the policy cannot be had. */
export async function newSession(uri: vscode.Uri, plays: NewPlays, parts: PlayerParts, policyParts: PolicyParts): Promise<{ readonly options: ArmsOptions; readonly header: Header }> {
  const [{ parseSeeds }, { CHEAT_PLAYS }, { sessionId }, { policyInRecord }, { contentHash }, { armPlan }] = await Promise.all([
    import('../../core/play/seeds'), import('../../core/play/policies/cheats'), import('../../core/play/sessionFiles'), import('../../core/play/sessionRecord'),
    import('../../core/checks/suppression'), import('../../core/play/arms'),
  ]);
  const { origin = null } = plays;
  const settings = plays.settings.policy === 'cheats' && !origin ? { ...plays.settings, plays: CHEAT_PLAYS } : plays.settings;
  const hint = settings.hint?.trim() ? settings.hint : null;
  const policy = plays.policy ?? await policyFor(settings, parts.models, policyParts);
  const source = (await vscode.workspace.openTextDocument(uri)).getText();
  const file = vscode.workspace.asRelativePath(uri, false);
  const simulatedHint = plays.simulatedHint ?? parts.hints.of(uri.toString()).some(({ text, simulated }) => simulated && text === hint);
  const shared = {
    ...sharedOptions(parts), mode: settings.mode, seeds: parseSeeds(settings.seeds), plays: settings.plays, hint, policy, simulatedHint,
    maxTurns: plays.maxTurns ?? readSetting('play.maxTurns'), thinking: plays.thinking ?? readSetting('model.thinking'), file: { name: file, source },
  };
  const plan = plays.plan ?? (settings.policy === 'human' && !origin ? withoutHintFirst(armPlan(shared)) : undefined);
  const isHuman = settings.policy === 'human' || origin?.kind === 'take-over';
  const at = parts.clock.now();
  return {
    options: { ...shared, ...(plan && { plan }), ...(isHuman && { concurrency: 1 }) },
    header: {
      id: sessionId(at, file), at, file, hash: await contentHash(source), source, settings, policy: policyInRecord(policy), simulatedHint,
      maxTurns: shared.maxTurns, thinking: shared.thinking, origin,
    },
  };
}

/** The options to go on with a saved session: on the text, with the policy and under the limits that it was played with. */
export async function optionsOfSaved({ header, plan }: SavedSession, parts: PlayerParts, policyParts: PolicyParts): Promise<ArmsOptions> {
  const { settings, source, file, maxTurns, thinking, simulatedHint, policy } = header;
  const { parseSeeds } = await import('../../core/play/seeds');
  return {
    ...sharedOptions(parts), file: { name: file, source }, mode: settings.mode, seeds: parseSeeds(settings.seeds), plays: settings.plays,
    hint: plan.order.some(({ arm }) => arm === 'hint') ? settings.hint : null, maxTurns, thinking, simulatedHint, plan,
    policy: { ...policy, move: goOn(header, parts, policyParts) },
    ...(settings.policy === 'human' && { concurrency: 1 }),
  };
}

/** The policy of a saved session, made when it is first asked to move. It must be the one that played before. */
function goOn({ settings, policy, origin }: SessionHeader, parts: PlayerParts, policyParts: PolicyParts): Policy['move'] {
  let made: Promise<Policy> | undefined;
  const make = async (): Promise<Policy> => {
    if (origin) {
      throw new EnvwrightError('play/cannot-go-on', message('A session of replayed or taken over actions cannot go on.'), message('Replay the session that they came from.'));
    }
    const now = await policyFor(settings, parts.models, policyParts);
    if (now.name === policy.name) return now;
    throw new EnvwrightError('play/other-policy', message('The session was played by {before}; the settings now name {now}.', { before: policy.name, now: now.name }),
      message('Name {before} in the settings again, or start a new session.', { before: policy.name }));
  };
  return async (turn, signal) => (await (made ??= make())).move(turn, signal);
}

function sharedOptions({ sandbox, clock, log, weights }: PlayerParts): Pick<ArmsOptions, 'sandbox' | 'clock' | 'onLog' | 'trace' | 'concurrency' | 'weights'> {
  return {
    weights: weights.current.weights, sandbox, clock, trace: true, concurrency: readSetting('play.concurrency'),
    onLog: (text) => log.info(`Printed by the environment: ${JSON.stringify(text)}`),
  };
}

/** A person who has read the hint cannot forget it: of every instance the arm without it comes first. */
function withoutHintFirst({ order, slots }: ArmPlan): ArmPlan {
  return { order: [...order].sort((a, b) => a.slot - b.slot || (a.arm === b.arm ? 0 : a.arm === 'noHint' ? -1 : 1)), slots };
}
