import * as vscode from 'vscode';
import type { DesignEvent, DesignOptions, Draft } from '../../core/design/designer';
import type { DesignTask } from '../../core/design/prompt';
import type { Clock } from '../../core/ports';
import type { CheckEngine } from '../checks/checkEngine';
import type { Checks } from '../checks/feature';
import type { ReadOnlyDocuments } from '../documents';
import type { Interaction } from '../interaction';
import type { ModelSource } from '../models/modelSource';
import type { NodePorts } from '../nodePorts';
import { withProgress, type Report } from '../progress';
import type { LinkedRun } from '../run/linkedRun';
import { readSetting } from '../settings';
import { requireTrust } from '../trust';
import { askDesign, type DesignChoices } from './choices';
import { DraftWriter } from './draftWriter';
import type { Drafts, KeptDraft } from './drafts';
import type { GroundingSource } from './groundingSource';
import { promptText } from './promptText';

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
}

/**
 * Asks what to design, and streams the designer's draft into an untitled editor: drafted, checked, sent back while it is
 * rejected. `from` is a file to mend, with what was found in it: its repair is then the first draft. Undefined when dismissed.
 */
export async function design(parts: DesignParts, from?: DesignOptions['from']): Promise<KeptDraft | undefined> {
  requireTrust();
  const choices = await askDesign(parts.interaction, parts.grounding);
  if (!choices) return undefined;
  const client = await parts.models.client('designer');
  const options = { ...(await optionsFor(choices, parts)), ...(from && { from }) };
  const document = await vscode.workspace.openTextDocument({ language: 'python', content: '' });
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const held = parts.checks.checker.hold(document.uri);
  try {
    const draft = await withProgress(vscode.l10n.t('Envwright: designing with {0}', client.name), (signal, report) =>
      stream({ ...parts, client, options, writer: new DraftWriter(document), editor, report }, signal));
    return parts.drafts.add(document.uri.toString(), draft);
  } finally {
    held.dispose();
    parts.checks.checker.follow(document, true);
  }
}

/** Asks what to design and shows the prompt that would be sent. */
export async function showPrompt(parts: DesignParts): Promise<string | undefined> {
  requireTrust();
  const choices = await askDesign(parts.interaction, parts.grounding);
  if (!choices) return undefined;
  const { buildDesignPrompt } = await import('../../core/design/prompt');
  const text = promptText(await buildDesignPrompt((await optionsFor(choices, parts)).task, await parts.ports.templates()));
  await parts.documents.show('Design prompt.md', text);
  return text;
}

async function optionsFor(choices: DesignChoices, { run, models }: Pick<DesignParts, 'run' | 'models'>): Promise<DesignOptions> {
  const { sampling, thinking } = models.profile('designer');
  const seed = Math.floor(Math.random() * 2 ** 31);
  const folder = await run.folder();
  return {
    task: { ...choices, themeSeed: seed, examples: folder ? await examplesOf(run, choices.skill, seed) : [] },
    memory: folder ? { file: folder.memoryFile, drawSeed: seed } : null,
    sampling,
    thinking,
    repairs: readSetting('design.repairs'),
  };
}

/** The examples that the run would draw; none while the run has written no memory. */
async function examplesOf(run: LinkedRun, skill: string, seed: number): Promise<DesignTask['examples']> {
  const text = await (await run.memory()).store.read();
  if (text === undefined) return [];
  const { readMemory } = await import('../../core/memory/readMemory');
  const { drawExamples } = await import('../../core/design/examples');
  return drawExamples(readMemory(text).entries, skill, seed);
}

type StreamParts = DesignParts & {
  readonly client: Awaited<ReturnType<ModelSource['client']>>;
  readonly options: DesignOptions;
  readonly writer: DraftWriter;
  readonly editor: vscode.TextEditor;
  readonly report: Report;
};

async function stream(parts: StreamParts, signal: AbortSignal): Promise<Draft> {
  const { designDraft } = await import('../../core/design/designer');
  const { client, options, clock, engine, ports, writer } = parts;
  const draft = await designDraft(
    {
      client,
      clock,
      templates: await ports.templates(),
      parser: await ports.parser(),
      check: ({ name, source, profile }, inner) => engine.full({ file: name, text: source, profile, key: name }, inner),
    },
    options,
    (event) => follow(event, parts),
    signal,
  );
  await writer.replace(draft.code);
  return draft;
}

/** Shows in the editor and in the progress what happens. */
function follow(event: DesignEvent, { writer, editor, options, report }: StreamParts): void {
  switch (event.type) {
    case 'prompt':
      report(event.attempt === 0 ? vscode.l10n.t('waiting for the reply') : vscode.l10n.t('repair {0} of {1}', event.attempt, options.repairs));
      if (event.attempt > 0) void writer.replace('');
      return;
    case 'code': {
      writer.append(event.text);
      const last = new vscode.Position(editor.document.lineCount, 0);
      editor.revealRange(new vscode.Range(last, last));
      return report(vscode.l10n.t('line {0}', editor.document.lineCount));
    }
    case 'reasoning': return report(vscode.l10n.t('thinking'));
    case 'wait': return report(vscode.l10n.t('waiting {0} s: {1}', Math.ceil(event.ms / 1000), event.why));
    case 'drafted': {
      void writer.replace(event.code);
      return report(vscode.l10n.t('checking draft {0}', event.attempt + 1));
    }
    case 'text':
    case 'checked':
  }
}
