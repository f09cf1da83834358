import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import type { WrittenHint } from '../../core/design/hint';
import type { HintLeak } from '../../core/design/hintLeak';
import { plainLine } from '../../core/plainText';
import type { Clock } from '../../core/ports';
import { message } from '../../shared/message';
import type { CheckEngine } from '../checks/checkEngine';
import type { Interaction } from '../interaction';
import { localize } from '../localize';
import type { ModelSource } from '../models/modelSource';
import type { NodePorts } from '../nodePorts';
import type { Hints } from '../play/hints';
import { withProgress } from '../progress';
import type { SandboxSource } from '../sandboxSource';
import { requireTrust } from '../trust';
import type { Drafts } from './drafts';
import type { HintFiles } from './hintFiles';
import type { OpinionMarks } from './opinionMarks';

/** How long the status bar says that a hint is kept, in milliseconds. */
const TOLD_MS = 10_000;

/** What writing a hint needs. */
export interface HintParts {
  readonly ports: Pick<NodePorts, 'templates'>;
  readonly clock: Clock;
  readonly engine: CheckEngine;
  readonly models: ModelSource;
  readonly hints: Hints;
  readonly interaction: Interaction;
  readonly files: HintFiles;
  readonly drafts: Drafts;
  readonly sandbox: SandboxSource;
  readonly marks: OpinionMarks;
}

/** Has the model write so many hints from the code, each with a sampling seed of its own; equal ones count once. Those that are written stay when others fail, which is said. */
export async function writeHints(document: vscode.TextDocument, count: number, { ports, clock, engine, models, drafts, interaction }: HintParts): Promise<WrittenHint[]> {
  requireTrust();
  const code = document.getText();
  if (code.trim() === '') throw new EnvwrightError('editor/empty-file', message('The file is empty.'), message('Design an environment, or open one.'));
  const client = await models.client('hint');
  const { sampling, thinking } = models.profile('hint');
  const { writeHint } = await import('../../core/design/hint');
  const { profile } = (await engine.byText({ text: code, file: document.uri.path, key: document.uri.toString() })).report;
  const family = profile === 't' || profile === 'u' ? 'tools' : 'game';
  const title = count === 1 ? vscode.l10n.t('Envwright: {0} writes a hint', client.name) : vscode.l10n.t('Envwright: {0} writes {1} hints', client.name, count);
  return withProgress(title, async (signal) => {
    const templates = await ports.templates();
    const outcomes = await Promise.allSettled(Array.from({ length: count }, (_, seed) =>
      writeHint({ client, templates, clock, code, family, sampling: { ...sampling, ...(count > 1 && { seed }) }, thinking }, signal)));
    signal.throwIfAborted();
    const written = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [knownError(outcome.reason)] : []));
    const [failure] = failures;
    if (failure && written.length === 0) throw failure;
    if (failure) void interaction.notice({ severity: 'warning', message: vscode.l10n.t('{0} of {1} hints were not written: {2}', failures.length, count, `${localize(failure.what)} ${localize(failure.next)}`), actions: [] });
    for (const { cost } of written) drafts.addCost(code, 'hint', cost);
    return written.filter(({ text }, at) => written.findIndex((other) => other.text === text) === at);
  });
}

/** An error that can be told; any other is a defect and is thrown. */
function knownError(error: unknown): EnvwrightError {
  if (error instanceof EnvwrightError) return error;
  throw error;
}

/** Has the model write a hint from the code, and keeps it with the file. */
export async function writeHintFor(document: vscode.TextDocument, parts: HintParts): Promise<string> {
  const [hint] = await writeHints(document, 1, parts);
  if (!hint) throw new Error('A written hint is missing.');
  await parts.files.keep(document, { text: hint.text, simulated: hint.simulated });
  return hint.text;
}

/** Writes a hint and lets the user change it before it is kept. */
export async function writeAndEditHint(document: vscode.TextDocument, parts: HintParts): Promise<string | undefined> {
  const [hint] = await writeHints(document, 1, parts);
  return hint && editHint(document, hint, parts);
}

/** Lets the user change a hint, keeps it with the file, and looks whether it gives the answer away. Undefined when dismissed: then nothing is kept. */
export async function editHint(document: vscode.TextDocument, hint: { readonly text: string; readonly simulated: boolean }, parts: HintParts): Promise<string | undefined> {
  const { simulated } = hint;
  const edited = await parts.interaction.input({
    title: simulated ? vscode.l10n.t('Hint from the offline samples (not a model)') : vscode.l10n.t('Hint'),
    prompt: vscode.l10n.t('What the player can see and do, the approach, the form of the answer; never the answer. Change it, or press Enter.'),
    value: hint.text,
  });
  if (edited === undefined) return undefined;
  const text = edited.trim() === '' ? hint.text : edited.trim();
  await parts.files.keep(document, { text, simulated });
  const { tested, failure } = await testHint(document, text, parts);
  const name = vscode.workspace.asRelativePath(document.uri);
  vscode.window.setStatusBarMessage(tested > 0
    ? vscode.l10n.t('$(check) The hint of {0} is kept: play with it and without.', name)
    : failure
      ? vscode.l10n.t('$(warning) The hint of {0} is kept, but nobody could look whether it holds answers: {1}', name, plainLine(localize(failure.what), 160))
      : vscode.l10n.t('$(warning) The hint of {0} is kept, but nobody could look whether it holds answers: the file gives none to look for.', name), TOLD_MS);
  return text;
}

/** Marks at the file what is wrong with its hint: a value of the answers in it, or its length. A file that cannot be run is tested for length alone; `failure` is why. */
async function testHint(document: vscode.TextDocument, hint: string, { sandbox, marks }: HintParts): Promise<HintLeak & { readonly failure?: EnvwrightError }> {
  const { findHintLeak } = await import('../../core/design/hintLeak');
  const { hintFindings } = await import('../../core/design/opinions');
  const { range, profile } = marks.placeOf(document);
  const file = { name: vscode.workspace.asRelativePath(document.uri), source: document.getText() };
  const leak = await withProgress(vscode.l10n.t('Envwright: looking whether the hint holds answers'), async (signal): Promise<HintLeak & { readonly failure?: EnvwrightError }> => {
    try {
      return await findHintLeak(await sandbox.get(signal), file, hint, signal);
    } catch (error) {
      if (error instanceof EnvwrightError) return { values: [], seeds: [], tested: 0, failure: error };
      throw error;
    }
  });
  await marks.show(document, 'hint', hintFindings(hint, leak, range, profile));
  return leak;
}
