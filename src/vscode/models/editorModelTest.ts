import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { collectReply } from '../../core/models/collect';
import { StepReport } from '../../core/models/stepReport';
import type { HealthLine } from '../../core/ports';
import type { Message } from '../../shared/message';
import { localize } from '../localize';
import { editorModel, findEditorModel } from './languageModel';

/** What works of a language model of the editor: whether it is offered, answers, and how long a prompt it takes. @param report is told how far the test is. */
export async function testEditorModel(name: string, signal: AbortSignal, report: (text: Message) => void): Promise<HealthLine[]> {
  const steps = new StepReport(2, report);
  try {
    const { vendor, family, maxInputTokens } = await steps.step('language model', () => findEditorModel(name));
    const offered = { name: 'language model', ok: true, detail: vscode.l10n.t('{0}/{1}, prompts of up to {2} tokens', vendor, family, maxInputTokens), next: null };
    const request = { messages: [{ role: 'user' as const, content: 'Reply with the word ready.' }], sampling: { maxTokens: 256 } };
    const { usage, warnings } = await steps.step('streaming', (heard) => collectReply(editorModel(name), request, signal, heard));
    const tokens = usage?.completionTokens ? vscode.l10n.t('{0} tokens counted', usage.completionTokens) : vscode.l10n.t('no token counts');
    return [offered, { name: 'streaming', ok: true, detail: [tokens, ...warnings].join(', '), next: null }];
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EnvwrightError)) throw error;
    return [{ name: 'language model', ok: false, detail: localize(error.what), next: localize(error.next) }];
  }
}
