import type { CorpusSummary } from '../../core/design/corpusSummary';
import type { DesignPrompt, PromptPart } from '../../core/design/prompt';
import { exampleKey, poolsOf, type DesignSetup } from '../../core/design/setup';
import { DIFFICULTIES, KINDS, skillsOf } from '../../core/design/skills';
import { EnvwrightError } from '../../core/errors';
import type { MemoryEntry } from '../../core/memory/readMemory';
import type { Sampling } from '../../core/ports';
import { message, type Message } from '../../shared/message';
import type { PromptPartView, PromptState, PromptVariant } from '../../shared/webviewDesign';

/** Everything that the panel's state is worked out from. */
export interface PromptFacts {
  readonly setup: DesignSetup;
  readonly variant: PromptVariant;
  readonly prompt: DesignPrompt | null;
  /** Tokens of texts, where the server counted them. */
  readonly counts: ReadonlyMap<string, number>;
  readonly context: number | null;
  readonly run: string | null;
  readonly entries: readonly MemoryEntry[];
  readonly corpus: { readonly name: string; readonly summary: CorpusSummary } | null;
  readonly editor: string | null;
  /** `findings` null: it was not checked. */
  readonly lastDraft: { readonly findings: number | null } | null;
  readonly useFeedback: boolean;
  readonly model: { readonly name: string; readonly simulated: boolean; readonly sampling: Sampling; readonly thinking: boolean };
  readonly drafts: number;
  readonly restricted: boolean;
  readonly designing: boolean;
  readonly progress: string;
  readonly error: EnvwrightError | null;
}

/** The set-up that a variant sends. */
export function setupOf(setup: DesignSetup, variant: PromptVariant): DesignSetup {
  return { ...setup, useMemory: setup.useMemory && variant !== 'noMemory', useDocument: setup.useDocument && variant !== 'noDocument' };
}

/** What the panel shows. Pure. */
export function promptState(facts: PromptFacts): PromptState {
  const { setup, variant, prompt, counts, context, model, error } = facts;
  const parts = (prompt?.parts ?? []).map((part, at) => partView(part, at, counts));
  const counted = parts.length > 0 && parts.every(({ text }) => counts.has(text));
  return {
    facts: [variant === 'full' ? message('exactly what will be sent') : variant === 'noMemory' ? message('sent like this, without memory') : message('sent like this, without a document'), KINDS[setup.kind].label],
    parts,
    tokens: {
      total: parts.reduce((sum, { tokens }) => sum + tokens, 0), counted,
      limit: context === null ? null : Math.max(0, context - (model.sampling.maxTokens ?? 0)),
    },
    variant,
    task: {
      kind: setup.kind, kinds: Object.values(KINDS).map(({ id, label }) => ({ id, label })), skill: setup.skill, skills: [...skillsOf(setup.kind)],
      difficulty: setup.difficulty, difficulties: Object.keys(DIFFICULTIES), themeSeed: setup.themeSeed, theme: prompt ? prompt.theme : '',
    },
    document: documentView(facts),
    memory: memoryView(facts),
    feedback: {
      on: facts.useFeedback && facts.lastDraft !== null, wish: setup.wish,
      draft: facts.lastDraft && draftChoice(facts.lastDraft.findings),
    },
    model: { name: model.name, facts: modelFacts(model) },
    drafts: facts.drafts,
    restricted: facts.restricted,
    designing: facts.designing,
    progress: facts.progress,
    problem: error && { what: error.what, next: error.next },
  };
}

function partView({ role, source, title, template, origin, text, tokens, flags }: PromptPart, at: number, counts: ReadonlyMap<string, number>): PromptPartView {
  return { key: String(at), role, source, title, template, origin, text, tokens: counts.get(text) ?? tokens, flags: flags.map(({ start, end }) => ({ start, end })), exchange: source === 'document' || source === 'memory' ? source : null };
}

function draftChoice(findings: number | null): Message {
  if (findings === null) return message('Send back the last draft, which was not checked');
  if (findings === 0) return message('Send back the last draft, in which nothing was found');
  return findings === 1 ? message('Send back the last draft and its finding') : message('Send back the last draft and its {count} findings', { count: findings });
}

function documentView({ setup, corpus, editor }: PromptFacts): PromptState['document'] {
  const lines: Message[] = [];
  const skipped = corpus?.summary.problems.reduce((sum, { count }) => sum + count, 0) ?? 0;
  if (corpus) {
    const { documents, done, bytes, size } = corpus.summary;
    lines.push(message('{name}: {documents} documents', { name: corpus.name, documents: documents.toLocaleString('en') }));
    if (skipped > 0) lines.push(message('{count} lines skipped', { count: skipped.toLocaleString('en') }));
    if (!done) lines.push(message('{percent} % read', { percent: Math.floor((100 * bytes) / Math.max(1, size)) }));
  }
  return { on: setup.useDocument && setup.document !== null, id: setup.document?.id ?? null, facts: lines, corpus: corpus !== null, problems: skipped > 0, editor };
}

function memoryView({ setup, run, entries, restricted }: PromptFacts): PromptState['memory'] {
  const { useMemory, draws, drawSeed, chosen, skill } = setup;
  const pools = poolsOf(entries, skill, draws);
  const known = new Set(entries.map(exampleKey));
  const gone = chosen ? [...chosen.seeds, ...(chosen.negative === null ? [] : [chosen.negative])].filter((key) => !known.has(key)).length : 0;
  const facts: Message[] = [];
  if (restricted) facts.push(message('The run of this workspace is not read.'));
  else if (run === null) facts.push(message('No linked run: no examples. Link a run to condition designs as it does.'));
  else if (entries.length === 0) facts.push(message('The memory of this run has no records yet.'));
  else if (chosen) facts.push(message('Chosen by hand: {seeds} to follow, {negatives} to avoid.', { seeds: chosen.seeds.length, negatives: chosen.negative === null ? 0 : 1 }));
  else {
    facts.push(message('As the run: {seeds} of the {pool} best of this skill, {negatives} of {all} to avoid.', {
      seeds: Math.min(draws.seeds, pools.seeds), pool: pools.seeds, negatives: Math.min(draws.negatives, pools.negatives), all: pools.negatives,
    }));
  }
  if (gone > 0) facts.push(message('{count} of them are no longer in the memory and are left out.', { count: gone }));
  return { on: useMemory && run !== null, run, seeds: draws.seeds, negatives: draws.negatives, drawSeed, byHand: chosen !== null, facts };
}

function modelFacts({ simulated, sampling, thinking }: PromptFacts['model']): Message[] {
  if (simulated) return [message('Not a model: streams samples that come with the extension.')];
  const said = (name: string, value: number | undefined): Message[] => (value === undefined ? [] : [message('{name} {value}', { name, value })]);
  return [
    ...said('temperature', sampling.temperature), ...said('top-p', sampling.topP), ...said('top-k', sampling.topK), ...said('min-p', sampling.minP),
    ...(sampling.maxTokens === undefined ? [] : [message('replies of up to {tokens} tokens', { tokens: sampling.maxTokens })]),
    thinking ? message('thinks first') : message('does not think first'),
  ];
}
