import * as vscode from 'vscode';
import type { DesignEvent, DesignerPorts, DesignOptions, Draft } from '../../core/design/designer';
import type { DesignSetup } from '../../core/design/setup';
import { KINDS } from '../../core/design/skills';
import type { MemoryEntry } from '../../core/memory/readMemory';
import { DEFAULT_DRAWS } from '../../core/memory/sampling';
import type { Clock } from '../../core/ports';
import { commandId } from '../../shared/contributions';
import type { FileReport } from '../../shared/findings';
import type { CheckEngine } from '../checks/checkEngine';
import type { Checks } from '../checks/feature';
import type { Opinions } from '../checks/findingRef';
import type { ReadOnlyDocuments } from '../documents';
import type { Interaction } from '../interaction';
import type { ModelSource } from '../models/modelSource';
import type { NodePorts } from '../nodePorts';
import { plainLine } from '../../core/plainText';
import type { ErrorPresenter } from '../presentError';
import { withProgress, type Report, type Watcher } from '../progress';
import type { LinkedRun } from '../run/linkedRun';
import { readSetting } from '../settings';
import { requireTrust } from '../trust';
import { askDesign, type DesignChoices } from './choices';
import { DraftWriter } from './draftWriter';
import type { Drafts, KeptDraft } from './drafts';
import type { GroundingSource } from './groundingSource';

/** Least time between two words of progress while a draft streams, and between two scrolls to its end, in milliseconds: the window has enough to draw. */
const PROGRESS_MS = 250;
const SCROLL_MS = 150;

/** How often it is said that the model has not begun to answer, in milliseconds: a slow one reads for minutes. */
const WAIT_MS = 1_000;

/** What designing in the editor needs. */
export interface DesignParts {
  readonly ports: Pick<NodePorts, 'parser' | 'templates'>;
  readonly clock: Clock;
  readonly engine: CheckEngine;
  readonly checks: Checks;
  readonly models: ModelSource;
  readonly run: LinkedRun;
  readonly drafts: Drafts;
  readonly documents: ReadOnlyDocuments;
  readonly interaction: Interaction;
  readonly grounding: GroundingSource;
  readonly errors: ErrorPresenter;
  readonly marks: Opinions;
}

/**
 * Asks what to design, and streams the designer's draft into an untitled editor. `from` is a file to mend, with what was found
 * in it: its repair is then the first draft, of the kind that the checks took it for. Undefined when dismissed.
 */
export async function design(parts: DesignParts, from?: DesignOptions['from']): Promise<KeptDraft | undefined> {
  requireTrust();
  const kind = Object.values(KINDS).find(({ profile }) => profile === from?.report?.profile)?.id;
  const choices = await askDesign(parts.interaction, parts.grounding, kind && { kind });
  if (!choices) return undefined;
  return streamDesign(parts, { ...(await optionsFor(choices, parts)), ...(from && { from }) });
}

/** Streams a design into an untitled editor: drafted, checked, sent back while it is rejected. Keeps what came of it. A watcher stays in front; `again`: a kept draft is made once more. */
export async function streamDesign(parts: DesignParts, options: DesignOptions, { watcher, again = false }: { readonly watcher?: Watcher; readonly again?: boolean } = {}): Promise<KeptDraft> {
  requireTrust();
  const client = await parts.models.client('designer');
  const document = await vscode.workspace.openTextDocument({ language: 'python', content: '' });
  const editor = await vscode.window.showTextDocument(document, { preview: false, ...(watcher && { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }) });
  const held = parts.checks.checker.hold(document.uri);
  try {
    const draft = await withProgress(vscode.l10n.t('Envwright: designing with {0}', client.name), (signal, report) => {
      let told = 0;
      let scrolled = 0;
      const writer = new DraftWriter(document, () => {
        const last = new vscode.Position(document.lineCount, 0);
        if (performance.now() - scrolled > SCROLL_MS && !editor.visibleRanges.some(({ end }) => end.line >= document.lineCount - 1)) {
          scrolled = performance.now();
          editor.revealRange(new vscode.Range(last, last), vscode.TextEditorRevealType.InCenter);
        }
        if (performance.now() - told < PROGRESS_MS) return;
        told = performance.now();
        report(vscode.l10n.t('line {0}', document.lineCount));
      });
      return stream({ ...parts, client, options, writer, report }, signal);
    }, watcher);
    const kept = await parts.drafts.add(document.uri.toString(), options, draft, { again });
    showVerdict(editor);
    void tellOutcome(kept, parts).catch((error: unknown) => parts.errors.present(error));
    return kept;
  } finally {
    held.dispose();
    parts.checks.checker.follow(document, true);
  }
}

/** Scrolls to the class, above which the verdict stands: the stream has left the reader at the end of the file. */
function showVerdict(editor: vscode.TextEditor): void {
  const line = editor.document.getText().split('\n').findIndex((text) => text.startsWith('class '));
  if (line >= 0 && vscode.window.visibleTextEditors.includes(editor)) editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Says so when a design did not come out sound, and why, with the next step. A sound one needs no notice: its verdict stands at the editor. */
async function tellOutcome(kept: KeptDraft, parts: DesignParts): Promise<void> {
  const { draft } = kept;
  const last = draft.attempts.at(-1);
  const count = draft.attempts.length;
  const ids = last?.report ? errorIds(last.report) : [];
  const said = draft.stopped !== undefined ? vscode.l10n.t('The repairs ended early: {0}', plainLine(draft.stopped, 300))
    : last?.problem ? vscode.l10n.t('Draft {0} could not be checked: {1}', count, plainLine(last.problem, 300))
    : draft.verdict === 'reject' ? vscode.l10n.t('Still rejected after {0} drafts: {1}.', count, ids.slice(0, 4).join(', '))
    : draft.verdict === 'cannot-run' ? vscode.l10n.t('The draft could not be run: it is not judged.') : null;
  if (said === null) return;
  const [compare, next] = [vscode.l10n.t('Compare Drafts'), vscode.l10n.t('Next Draft with Feedback…')];
  const chosen = await parts.interaction.notice({ severity: 'warning', message: said, actions: count > 1 ? [compare, next] : [next] });
  if (chosen === compare) await vscode.commands.executeCommand(commandId('compareDrafts'), { kept });
  if (chosen === next) await vscode.commands.executeCommand(commandId('reviseDraft'), { kept });
}

/** The next draft of a kept one: the same task, told what was found in the last and what the person wishes. Undefined when dismissed. */
export async function reviseDraft(parts: DesignParts, { options, draft }: KeptDraft): Promise<KeptDraft | undefined> {
  requireTrust();
  const last = draft.attempts.at(-1);
  const wish = await parts.interaction.input({
    title: vscode.l10n.t('What should the next draft do otherwise?'),
    prompt: vscode.l10n.t('Goes to the designer in your words, with the draft and what the checks found in it.'),
  });
  if (wish === undefined || (wish.trim() === '' && (last?.report?.findings.length ?? 0) === 0)) return undefined;
  return streamDesign(parts, { ...options, wish: wish.trim(), from: { code: draft.code, report: last?.report ?? null } });
}

/** Makes a draft once more from what its provenance holds: task, seeds, examples, document, sampling. Says what is no longer the same. */
export async function remakeDraft(parts: DesignParts, { options, draft: { provenance: before } }: KeptDraft): Promise<KeptDraft> {
  const kept = await streamDesign(parts, options, { again: true });
  const { provenance: now } = kept.draft;
  const others = [
    ...(now.model === before.model ? [] : [vscode.l10n.t('the model is {0}, and was {1}', plainLine(now.model, 80), plainLine(before.model, 80))]),
    ...(now.promptHash === before.promptHash ? [] : [vscode.l10n.t('the prompt has another text, since its templates changed')]),
    ...(now.feedbackHash === before.feedbackHash || before.feedbackHash === undefined ? [] : [vscode.l10n.t('repairs are asked for in other words, since the template feedback changed')]),
  ];
  if (others.length > 0) void parts.interaction.notice({ severity: 'info', message: vscode.l10n.t('Not made as before: {0}.', others.join('; ')), actions: [] });
  return kept;
}

/** What a design is made with, by the settings of this moment; `seed` draws theme and examples. */
export async function optionsFor(choices: DesignChoices, { run, models }: Pick<DesignParts, 'run' | 'models'>, seed = freshSeed()): Promise<DesignOptions> {
  const { sampling, thinking } = models.profile('designer');
  const memory = await memoryOf(run);
  const setup: DesignSetup = { ...choices, themeSeed: seed, useDocument: true, useMemory: true, drawSeed: seed, draws: DEFAULT_DRAWS, chosen: null, wish: '' };
  const { taskOf, originOf } = await import('../../core/design/setup');
  return { task: taskOf(setup, memory?.entries ?? []), memory: originOf(setup, memory?.file ?? null), sampling, thinking, repairs: readSetting('design.repairs') };
}

/** A seed that is short enough to be read and typed. */
export function freshSeed(): number {
  return Math.floor(Math.random() * 100_000);
}

/** The records of the linked run's memory; null when no run is linked, none while the run has written no memory. */
export async function memoryOf(run: LinkedRun): Promise<{ readonly file: string; readonly entries: readonly MemoryEntry[] } | null> {
  const folder = await run.folder();
  if (!folder) return null;
  const text = await (await run.memory()).store.read();
  if (text === undefined) return { file: folder.memoryFile, entries: [] };
  const { readMemory } = await import('../../core/memory/readMemory');
  return { file: folder.memoryFile, entries: readMemory(text).entries };
}

/** What designing needs of the rest, with the editor's checks. */
export async function designerPorts({ client, clock, ports, engine }: Pick<StreamParts, 'client' | 'clock' | 'ports' | 'engine'>): Promise<DesignerPorts> {
  return {
    client,
    clock,
    templates: await ports.templates(),
    parser: await ports.parser(),
    check: ({ name, source, profile }, inner) => engine.full({ file: name, text: source, profile, key: name }, inner),
  };
}

type StreamParts = DesignParts & {
  readonly client: Awaited<ReturnType<ModelSource['client']>>;
  readonly options: DesignOptions;
  readonly writer: DraftWriter;
  readonly report: Report;
};

async function stream(parts: StreamParts, signal: AbortSignal): Promise<Draft> {
  const { designDraft } = await import('../../core/design/designer');
  const { options, writer, report } = parts;
  const reading = new Reading(report);
  try {
    const draft = await designDraft(await designerPorts(parts), options, (event) => {
      reading.end();
      follow(event, parts, reading);
    }, signal);
    await writer.replace(draft.code);
    return draft;
  } finally {
    reading.end();
  }
}

/** Says for how long the model has been reading the prompt, until something comes of it. */
class Reading {
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly report: Report) {}

  begin(): void {
    const began = performance.now();
    this.timer = setInterval(() => this.report(vscode.l10n.t('waiting for the reply, {0} s', Math.floor((performance.now() - began) / 1000))), WAIT_MS);
  }

  end(): void {
    clearInterval(this.timer);
  }
}

/** Shows in the editor and in the progress what happens. */
function follow(event: DesignEvent, { writer, options, report }: StreamParts, reading: Reading): void {
  switch (event.type) {
    case 'prompt':
      // A repair is waited for under what it is for.
      if (event.attempt > 0) return;
      report(vscode.l10n.t('waiting for the reply'));
      return reading.begin();
    case 'code': return writer.append(event.text);
    case 'reasoning': return report(vscode.l10n.t('thinking'));
    case 'wait': return report(vscode.l10n.t('waiting {0} s: {1}', Math.ceil(event.ms / 1000), event.why));
    case 'drafted': {
      void writer.replace(event.code);
      return report(vscode.l10n.t('checking draft {0}', event.attempt + 1));
    }
    case 'checked': {
      if (!event.goesBack) return;
      const { report: found, problem } = event.made;
      // The rejected draft stays to be read until its repair comes.
      writer.restart();
      const why = found ? errorIds(found).slice(0, 3).join(', ') : plainLine(problem ?? '', 100);
      return report(vscode.l10n.t('repair {0} of {1}, for {2}', event.attempt + 1, options.repairs, why));
    }
    case 'text':
  }
}

/** The checks that found errors, each once. */
function errorIds({ findings }: FileReport): string[] {
  return [...new Set(findings.filter(({ severity }) => severity === 'error').map(({ id }) => id))];
}
