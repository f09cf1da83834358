import * as vscode from 'vscode';
import type { ScreenResult } from '../../core/design/screen';
import type { Clock } from '../../core/ports';
import type { Interaction } from '../interaction';
import type { ModelSource } from '../models/modelSource';
import type { NodePorts } from '../nodePorts';
import { plainLine } from '../../core/plainText';
import { withProgress } from '../progress';
import { requireTrust } from '../trust';
import type { Drafts } from './drafts';
import type { OpinionMarks } from './opinionMarks';

/** What the screen needs. */
export interface ScreenParts {
  readonly ports: Pick<NodePorts, 'templates'>;
  readonly clock: Clock;
  readonly models: ModelSource;
  readonly drafts: Drafts;
  readonly marks: OpinionMarks;
  readonly interaction: Interaction;
}

/** Asks a model whether an environment is fit: yes, no or undecided, with its reason at the file and beside what the run would do. */
export async function screenFile(document: vscode.TextDocument, { ports, clock, models, drafts, marks, interaction }: ScreenParts): Promise<ScreenResult> {
  requireTrust();
  const code = document.getText();
  const client = await models.client('screen');
  const { sampling, thinking } = models.profile('screen');
  const { screenEnvironment } = await import('../../core/design/screen');
  const { screenFindings } = await import('../../core/design/opinions');
  const result = await withProgress(vscode.l10n.t('Envwright: {0} screens the environment', client.name), async (signal) =>
    screenEnvironment({ client, templates: await ports.templates(), clock, code, sampling, thinking }, signal));
  drafts.addCost(code, 'screen', result.cost);
  const { range, profile } = marks.placeOf(document);
  if (document.getText() === code) await marks.show(document, 'screen', screenFindings(result, range, profile));
  const words = { yes: vscode.l10n.t('{0} finds it fit.', result.model), no: vscode.l10n.t('{0} finds it unfit.', result.model), undecided: vscode.l10n.t('{0} did not decide.', result.model) }[result.verdict];
  const inTheRun = result.inTheRun === 'passes' ? vscode.l10n.t('The run would let it pass.') : vscode.l10n.t('The run would reject it.');
  void interaction.notice({ severity: result.verdict === 'yes' ? 'info' : 'warning', message: `${words} ${inTheRun} ${plainLine(result.reason, 300)}`, actions: [] });
  return result;
}
