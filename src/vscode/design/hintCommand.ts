import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import type { Clock } from '../../core/ports';
import { message } from '../../shared/message';
import type { CheckEngine } from '../checks/checkEngine';
import type { Interaction } from '../interaction';
import type { ModelSource } from '../models/modelSource';
import type { NodePorts } from '../nodePorts';
import type { Hints } from '../play/hints';
import { withProgress } from '../progress';
import { requireTrust } from '../trust';

/** What writing a hint needs. */
export interface HintParts {
  readonly ports: Pick<NodePorts, 'templates'>;
  readonly clock: Clock;
  readonly engine: CheckEngine;
  readonly models: ModelSource;
  readonly hints: Hints;
  readonly interaction: Interaction;
}

/** Has the model write a hint from the code, and keeps it with the file. */
export async function writeHintFor(document: vscode.TextDocument, { ports, clock, engine, models, hints }: HintParts): Promise<string> {
  requireTrust();
  const code = document.getText();
  if (code.trim() === '') throw new EnvwrightError('editor/empty-file', message('The file is empty.'), message('Design an environment, or open one.'));
  const client = await models.client('hint');
  const { sampling, thinking } = models.profile('hint');
  const { writeHint } = await import('../../core/design/hint');
  const { profile } = (await engine.byText({ text: code, file: document.uri.path, key: document.uri.toString() })).report;
  const family = profile === 't' || profile === 'u' ? 'tools' : 'game';
  const hint = await withProgress(vscode.l10n.t('Envwright: {0} writes a hint', client.name), async (signal) =>
    writeHint({ client, templates: await ports.templates(), clock, code, family, sampling, thinking }, signal));
  hints.add(document.uri.toString(), { text: hint.text, simulated: hint.simulated });
  return hint.text;
}

/** Writes a hint and lets the user change it before it is kept. */
export async function writeAndEditHint(document: vscode.TextDocument, parts: HintParts): Promise<string | undefined> {
  const uri = document.uri.toString();
  const text = await writeHintFor(document, parts);
  const simulated = parts.hints.of(uri)[0]?.simulated ?? false;
  const edited = await parts.interaction.input({
    title: simulated ? vscode.l10n.t('Hint from the offline samples (not a model)') : vscode.l10n.t('Hint'),
    prompt: vscode.l10n.t('What the player can see and do, the approach, the form of the answer; never the answer. Change it, or press Enter.'),
    value: text,
  });
  if (edited === undefined || edited.trim() === '') return text;
  if (edited !== text) parts.hints.add(uri, { text: edited, simulated });
  return edited;
}
