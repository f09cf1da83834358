import * as vscode from 'vscode';
import { counterexampleOf, movesOf, type Counterexample } from '../../core/checks/replays';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { message } from '../../shared/message';
import type { CommandDocuments, CommandTarget } from '../commands/environmentDocument';
import type { CommandRegistry } from '../commands/register';
import type { Interaction } from '../interaction';
import type { Play } from '../play/feature';
import { withProgress } from '../progress';
import type { CheckTests, ReplayTarget } from '../tests/feature';
import { requireTrust } from '../trust';
import type { CheckPages } from './checkPages';
import type { UserDecisions } from './decisions';
import type { Checks } from './feature';
import { FindingRef, findingAt, type Opinions } from './findingRef';
import { chooseProfile } from './profiles';
import { nothingToReplay, type Replays } from './replays';
import { listSilenced, silence } from './silencing';

/** What the commands about findings need. */
export interface CheckCommandParts {
  readonly commands: CommandRegistry;
  readonly targets: CommandDocuments;
  readonly checks: Checks;
  readonly decisions: UserDecisions;
  readonly replays: Replays;
  readonly tests: CheckTests;
  readonly play: Play;
  readonly pages: CheckPages;
  readonly interaction: Interaction;
  readonly marks: Opinions;
}

/** Where a command about a counterexample was started: a finding, a test, or a failure of one. */
type Origin = FindingRef | vscode.TestItem | { readonly test: vscode.TestItem; readonly message?: vscode.TestMessage };

/** Profile, silencing, explanation and counterexamples. */
export function registerCheckCommands(parts: CheckCommandParts): Disposable {
  const { commands, targets, checks, decisions, replays, play, pages, interaction, marks } = parts;
  const owned = new DisposableStore();
  const on = (...registration: Parameters<CommandRegistry['register']>) => owned.add(commands.register(...registration));
  on('chooseProfile', async (target) => chooseProfile(await targets.of(target as CommandTarget), decisions, interaction));
  on('silenceCheck', (ref, scope) => silence(findingAt(checks.store, marks, FindingRef.parse(ref)), scope === 'workspace' ? 'workspace' : 'file', decisions));
  on('listSilenced', () => listSilenced(decisions, interaction));
  on('explainCheck', (id) => vscode.commands.executeCommand('markdown.showPreview', pages.of(String(id))));
  on('replayCounterexample', (origin) => {
    requireTrust();
    const target = targetOf(origin as Origin, parts);
    return playInPlayer(target, 'kept' in target ? target.kept.replay : counterexampleOf(target.finding), checks, play);
  });
  on('keepReplay', async (origin) => {
    const target = targetOf(origin as Origin, parts);
    if ('kept' in target) return target.kept.name;
    const { uri, finding } = target;
    const kept = await withProgress(vscode.l10n.t('Envwright: playing the counterexample'), (signal) => replays.keep({ uri, finding }, signal));
    void interaction.notice({ severity: 'info', message: vscode.l10n.t('Kept: it is played again whenever the file is saved, and shows in the test view.'), actions: [] });
    return kept.name;
  });
  on('removeReplay', async (origin) => {
    const target = targetOf(origin as Origin, parts);
    if ('kept' in target) await replays.remove(target.uri, target.kept.name);
  });
  return owned;
}

function targetOf(origin: Origin, { checks, tests, marks }: CheckCommandParts): ReplayTarget {
  const ref = FindingRef.safeParse(origin);
  if (ref.success) return findingAt(checks.store, marks, ref.data);
  const item = 'test' in (origin as object) ? (origin as { test: vscode.TestItem }).test : (origin as vscode.TestItem);
  const line = 'test' in (origin as object) ? (origin as { message?: vscode.TestMessage }).message?.location?.range.start.line : undefined;
  const target = tests.replayTarget(item, line);
  if (target) return target;
  throw new EnvwrightError('checks/no-counterexample', message('Nothing was found here that could be played again.'), message('Run the test first.'));
}

async function playInPlayer(target: ReplayTarget, counterexample: Counterexample | null, checks: Checks, play: Play): Promise<unknown> {
  const { uri } = target;
  if (counterexample === null) throw nothingToReplay('finding' in target ? target.finding.id : '');
  if (counterexample.seed === null) {
    throw new EnvwrightError('play/no-seed', message('This was found without a seed, and the player plays seeds.'), message('Keep the counterexample: it is replayed without one.'));
  }
  const profile = checks.store.get(uri)?.report.profile;
  return play.playScript(uri, counterexample.seed, movesOf(counterexample.actions, profile === 't' || profile === 'u'));
}
