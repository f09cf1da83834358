import type { ChatMessage } from '../ports';
import { cutDocument, type CutDocument, type GroundingDocument } from './grounding';
import { addressesModel, fenceFor, type Address } from './material';
import { DIFFICULTIES, focusOf, KINDS, requireFit, type DesignKind, type Difficulty, type Skill } from './skills';
import { fill, type Template, type TemplateSource } from './templates';
import { estimateTokens } from './tokens';
import { themeOf } from './themes';

/** A record of the run's memory as the prompt shows it (run contract §7). */
export interface MemoryExample {
  readonly use: 'seed' | 'negative';
  readonly gameFile: string;
  readonly code: string;
  readonly winRate: number;
  readonly regret: number;
  readonly reason: 'too easy' | 'too hard' | null;
  /** Rank in its pool from 1 and chance of being drawn, where it was drawn; null when chosen by hand. */
  readonly rank: number | null;
  readonly odds: number | null;
}

/** What is to be designed. `document` and `examples` empty: left out. */
export interface DesignTask {
  readonly kind: DesignKind;
  readonly skill: Skill;
  readonly difficulty: Difficulty;
  readonly themeSeed: number;
  readonly document: GroundingDocument | null;
  readonly examples: readonly MemoryExample[];
}

/** Where a part of the prompt comes from. */
export type PartSource = 'task' | 'document' | 'memory' | 'feedback';

/** One part of the prompt: its text is sent as it stands. */
export interface PromptPart {
  readonly role: 'system' | 'user' | 'assistant';
  readonly source: PartSource;
  /** What it is, in a few words. */
  readonly title: string;
  /** Name and version of the template it was made with, null for a draft that is sent back. */
  readonly template: { readonly name: string; readonly version: string; readonly overridden: boolean } | null;
  /** The memory record or document it shows. */
  readonly origin: string | null;
  readonly text: string;
  /** Estimated. */
  readonly tokens: number;
  /** Stretches of material that address the model; offsets are in `text`. Our words, and those of the one who asks, are none. */
  readonly flags: readonly Address[];
}

/** A whole prompt: parts in order, and the messages they make. */
export interface DesignPrompt {
  readonly task: DesignTask;
  /** Null with a document: a theme of ours would compete with its world. */
  readonly theme: string | null;
  readonly document: CutDocument | null;
  readonly parts: readonly PromptPart[];
  readonly messages: readonly ChatMessage[];
  readonly tokens: number;
}

/** Builds the prompt of a task in our own words; each part tells where it comes from. @throws EnvwrightError */
export async function buildDesignPrompt(task: DesignTask, templates: TemplateSource): Promise<DesignPrompt> {
  requireFit(task.skill, task.kind);
  const kind = KINDS[task.kind];
  const document = task.document && cutDocument(task.document, task.kind);
  const theme = document ? null : await themeOf(task.themeSeed, templates);
  const part = async (name: string, about: Omit<PromptPart, 'text' | 'tokens' | 'template' | 'flags'>, values: Record<string, string> = {}, material = ''): Promise<PromptPart> => {
    const template = await templates.template(name);
    return partOf(about, fill(template, values), template, material);
  };
  const ours = (title: string, role: PromptPart['role'] = 'user') => ({ role, source: 'task' as const, title, origin: null });
  const parts: PromptPart[] = [await part('system', ours('role and output format', 'system'))];
  if (document) {
    const values = { document: document.text, fence: fenceFor(document.text) };
    const title = `${document.usedWords.toLocaleString('en')} of ${document.words.toLocaleString('en')} words`;
    parts.push(await part('document', { role: 'user', source: 'document', title, origin: document.id }, values, document.text));
  }
  const grounding = document && kind.withDocument;
  for (const name of [...kind.rules, ...(grounding ? [grounding.rule] : [])]) parts.push(await part(name, ours(name === 'rules-common' ? 'what a sound environment is' : `rules of this kind: ${name.replace('rules-', '')}`)));
  parts.push(await part('example', ours('worked example'), { code: (await templates.example(task.kind)).trimEnd() }));
  for (const [index, example] of task.examples.entries()) parts.push(await memoryPart(example, index + 1, part));
  const asked = {
    kind: grounding ? grounding.asked : kind.asked, skill: task.skill, focus: focusOf(task.skill), difficulty: task.difficulty, 'difficulty-means': DIFFICULTIES[task.difficulty],
  };
  parts.push(theme === null ? await part('task-grounded', ours('skill, difficulty, the document leads'), asked) : await part('task', ours('skill, difficulty, theme'), { ...asked, theme }));
  parts.push(await part('closing', ours('last words')));
  return promptOf({ task, theme, document }, parts);
}

/** The prompt of the next turn: the last draft goes back with what was found in it. `material` is what of the feedback comes from the file. */
export function withFeedback(prompt: DesignPrompt, draft: string, feedback: string, material: string, template: Template): DesignPrompt {
  const about = (role: PromptPart['role'], title: string) => ({ role, source: 'feedback' as const, title, origin: null });
  return promptOf(prompt, [
    ...prompt.parts,
    partOf(about('assistant', 'the last draft'), draft, null, draft),
    partOf(about('user', 'what was found in it'), feedback, template, material),
  ]);
}

type PartBuilder = (name: string, about: Omit<PromptPart, 'text' | 'tokens' | 'template' | 'flags'>, values?: Record<string, string>, material?: string) => Promise<PromptPart>;

function memoryPart(example: MemoryExample, number: number, part: PartBuilder): Promise<PromptPart> {
  const { use, gameFile, code, winRate, regret, reason, rank, odds } = example;
  const drawn = odds === null ? 'chosen by hand' : `${rank === null ? '' : `rank ${rank}, `}drawn with ${Math.round(odds * 100)} %`;
  const about = { role: 'user' as const, source: 'memory' as const, origin: gameFile };
  if (use === 'negative') {
    return part('memory-negative', { ...about, title: `negative, ${reason ?? 'chosen by hand'}, ${drawn}` }, {
      name: nameOf(gameFile), reason: reason ?? 'of no use', 'win-rate': percent(winRate),
    }, nameOf(gameFile));
  }
  const values = { number: String(number), 'win-rate': percent(winRate), regret: regret.toFixed(2), code, fence: fenceFor(code) };
  return part('memory-seed', { ...about, title: `example ${number}: ${stem(gameFile)}, ${drawn}` }, values, code);
}

function partOf(about: Omit<PromptPart, 'text' | 'tokens' | 'template' | 'flags'>, text: string, template: Template | null, material: string): PromptPart {
  const used = template && { name: template.name, version: template.version, overridden: template.overridden };
  return { ...about, template: used, text, tokens: estimateTokens(text), flags: flagsIn(text, material) };
}

/** What addresses the model in the material of a part, where it stands in that: the last time, since the words of the one who asks come first. */
function flagsIn(text: string, material: string): Address[] {
  const at = text.lastIndexOf(material);
  if (at < 0) return addressesModel(text);
  return addressesModel(material).map((found) => ({ ...found, start: found.start + at, end: found.end + at }));
}

function promptOf(head: Pick<DesignPrompt, 'task' | 'theme' | 'document'>, parts: readonly PromptPart[]): DesignPrompt {
  const messages: { role: PromptPart['role']; content: string }[] = [];
  for (const { role, text } of parts) {
    const last = messages.at(-1);
    if (last?.role === role) last.content += `\n\n${text}`;
    else messages.push({ role, content: text });
  }
  const { task, theme, document } = head;
  return { task, theme, document, parts, messages, tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0) };
}

/** Longest name of a record in a prompt, in UTF-16 units. */
const MOST_NAME = 80;

/** A record's name as material: one line, and nothing that ends the quotes around it. */
function nameOf(gameFile: string): string {
  return stem(gameFile).replace(/[\p{Cc}\p{Zl}\p{Zp}`]+/gu, ' ').slice(0, MOST_NAME);
}

/** A file's name without folders and extension. */
export function stem(gameFile: string): string {
  return (gameFile.split(/[\\/]/).at(-1) ?? gameFile).replace(/\.py$/, '');
}

function percent(rate: number): string {
  return `${Math.round(rate * 100)} %`;
}
