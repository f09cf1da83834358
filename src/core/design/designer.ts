import type { CallCost, Provenance } from '../../shared/design';
import type { FileReport, Profile, Verdict } from '../../shared/findings';
import { extractGameCode } from '../environment/readingCode';
import { EnvwrightError, isCancelled } from '../errors';
import { collectReply } from '../models/collect';
import { costOf, sumCosts } from '../models/cost';
import type { Clock, ModelClient, PythonParser, Sampling } from '../ports';
import { CodeStream } from './codeStream';
import { describeFindings } from './feedback';
import { buildDesignPrompt, withFeedback, type DesignPrompt, type DesignTask } from './prompt';
import { provenanceOf, type MemoryOrigin } from './provenance';
import { KINDS } from './skills';
import { fill, type TemplateSource } from './templates';

/** What designing needs of the rest. `check` judges a draft; no silencing reaches it: drafts cannot pardon themselves. */
export interface DesignerPorts {
  readonly client: ModelClient;
  readonly templates: TemplateSource;
  readonly parser: PythonParser;
  readonly clock: Pick<Clock, 'now'>;
  readonly check: (draft: { readonly name: string; readonly source: string; readonly profile: Profile }, signal: AbortSignal) => Promise<FileReport>;
}

/** How a draft is made. */
export interface DesignOptions {
  readonly task: DesignTask;
  readonly memory: MemoryOrigin | null;
  readonly sampling: Sampling;
  readonly thinking?: boolean;
  /** Repairs after the first draft, from 0. */
  readonly repairs: number;
  /** Said to the designer with the findings, or alone as the reason of a next draft. */
  readonly wish?: string;
  /** A file to start from, with what was found in it: the first reply is then already its repair. */
  readonly from?: { readonly code: string; readonly report: FileReport | null };
}

/** One draft of the loop: the reply, the code in it, what the checks said. `report` null: it was not checked, and `problem` says why. */
export interface Attempt {
  readonly reply: string;
  readonly reasoning: string;
  readonly code: string;
  readonly report: FileReport | null;
  readonly problem: string | null;
  readonly cost: CallCost;
  readonly warnings: readonly string[];
}

/** What came of a task: all attempts, the first of which is what a run would train on; the last is the file. */
export interface Draft {
  readonly attempts: readonly Attempt[];
  readonly code: string;
  readonly verdict: Verdict | null;
  readonly provenance: Provenance;
  readonly cost: CallCost;
  /** Why the repairs stopped before their end: the model failed, or it was cancelled. What was drafted until then is kept. */
  readonly stopped?: string;
}

/** What happens while a draft is made, in order. */
export type DesignEvent =
  | { readonly type: 'prompt'; readonly attempt: number; readonly prompt: DesignPrompt }
  | { readonly type: 'text' | 'reasoning' | 'code'; readonly text: string }
  | { readonly type: 'wait'; readonly ms: number; readonly why: string }
  | { readonly type: 'drafted'; readonly attempt: number; readonly code: string }
  | { readonly type: 'checked'; readonly attempt: number; readonly made: Attempt; /** A repair is asked for next. */ readonly goesBack: boolean };

/**
 * Drafts an environment, checks it, and sends what was found back until it is no longer rejected or the repairs are used
 * up. A draft that could not be judged is not repaired and not taken for sound. Rejects with a `ModelError` when the model fails
 * before there is a draft; later the drafts are kept, and `stopped` says why there are no more.
 */
export async function designDraft(ports: DesignerPorts, options: DesignOptions, emit: (event: DesignEvent) => void, signal: AbortSignal): Promise<Draft> {
  const { client, templates, clock } = ports;
  const { task, memory, sampling, thinking, repairs, wish, from } = options;
  const first = await buildDesignPrompt(task, templates);
  const attempts: Attempt[] = [];
  const sent = from ? await promptFrom(first, from, wish ?? '', templates) : first;
  let stopped: string | undefined;
  try {
    for (let prompt = sent; ;) {
      emit({ type: 'prompt', attempt: attempts.length, prompt });
      const made = await attemptOf(ports, options, prompt, attempts.length, emit, signal);
      const before = attempts.at(-1)?.code ?? from?.code;
      attempts.push(made);
      const goesBack = needsRepair(made) && attempts.length <= repairs;
      emit({ type: 'checked', attempt: attempts.length - 1, made, goesBack });
      if (!goesBack) break;
      prompt = await repairPrompt(first, made, wish ?? '', templates, before !== undefined && before.trim() === made.code.trim());
    }
  } catch (error) {
    // What was drafted is kept, also when a template of the workspace cannot be filled in for the repair.
    if (attempts.length === 0 || !(error instanceof EnvwrightError || isCancelled(error))) throw error;
    stopped = error instanceof EnvwrightError ? error.message : 'Cancelled.';
  }
  const last = attempts.at(-1);
  return {
    attempts,
    code: last?.code ?? '',
    verdict: last?.report?.verdict ?? null,
    provenance: await provenanceOf(sent, {
      client, memory, sampling, thinking, attempts: attempts.length, at: clock.now(), repairs,
      ...(repairs > 0 && { feedback: await templates.template('feedback') }), ...(wish !== undefined && { wish }),
      ...(from && { from: { code: from.code, findings: from.report?.findings.map(({ id }) => id) ?? [] } }),
    }),
    cost: sumCosts(attempts.map(({ cost }) => cost)),
    ...(stopped !== undefined && { stopped }),
  };
}

/**
 * The prompt that sends a draft back: the first prompt, the draft, and what was found. Earlier drafts are left out, which keeps it short;
 * `unchanged`: the draft is the one before it once more, which is then said.
 */
export async function repairPrompt(first: DesignPrompt, made: Pick<Attempt, 'reply' | 'code' | 'report' | 'problem'>, wish: string, templates: TemplateSource, unchanged = false): Promise<DesignPrompt> {
  const template = await templates.template('feedback');
  const found = made.report ? describeFindings(made.report, made.code) || 'Nothing.' : (made.problem ?? 'Nothing: it was not checked.');
  const findings = `${unchanged ? 'Your reply was the file before it once more, without a change.\n\n' : ''}${found}`.trim();
  // Without a wish its line goes, so that no gap tells of one.
  const told = wish === '' ? { ...template, text: template.text.replace(/%%wish%%\n*/, '') } : template;
  const asked = wish === '' ? '' : fill(await templates.template('feedback-wish'), { wish });
  return withFeedback(first, made.reply, fill(told, { findings, wish: asked }).trim(), findings, template);
}

/** The prompt that begins with a file to mend: as if it had been the last draft. */
export function promptFrom(first: DesignPrompt, { code, report }: NonNullable<DesignOptions['from']>, wish: string, templates: TemplateSource): Promise<DesignPrompt> {
  return repairPrompt(first, { reply: `\`\`\`python\n${code.trimEnd()}\n\`\`\``, code, report, problem: null }, wish, templates);
}

/** Ends of a reply that is not whole: what stands in it is no file to be judged. */
const CUT: Readonly<Record<string, string>> = {
  length: 'The reply was cut at the token limit before the file was complete: write a shorter file.',
  content_filter: 'The endpoint held part of the reply back: the file is not complete.',
};

function needsRepair({ report, problem }: Attempt): boolean {
  return report ? report.verdict === 'reject' : problem !== null;
}

async function attemptOf(
  { client, parser, check, clock }: DesignerPorts, { task, sampling, thinking }: DesignOptions, prompt: DesignPrompt, attempt: number,
  emit: (event: DesignEvent) => void, signal: AbortSignal,
): Promise<Attempt> {
  const stream = new CodeStream();
  const started = clock.now();
  const purpose = { role: 'designer' as const, kind: task.kind, skill: task.skill, seed: task.themeSeed, attempt };
  const request = { messages: prompt.messages, sampling, purpose, ...(thinking === undefined ? {} : { thinking }) };
  const reply = await collectReply(client, request, signal, (event) => {
    if (event.type === 'done') return;
    emit(event);
    const code = event.type === 'text' ? stream.push(event.text) : '';
    if (code !== '') emit({ type: 'code', text: code });
  });
  const cost = costOf(reply.usage, clock.now() - started);
  const made = { reply: reply.text, reasoning: reply.reasoning, cost, warnings: reply.warnings };
  const code = extractGameCode(reply.text, parser);
  const cut = CUT[reply.finishReason];
  if (cut !== undefined) return { ...made, code, report: null, problem: cut };
  if (reply.text.trim() === '') return { ...made, code: '', report: null, problem: 'The reply holds only thinking and no file.' };
  emit({ type: 'drafted', attempt, code });
  const report = await check({ name: `draft_${attempt + 1}.py`, source: code, profile: KINDS[task.kind].profile }, signal);
  return { ...made, code, report, problem: null };
}
