import type { Provenance } from '../../shared/design';
import type { ModelClient, Sampling } from '../ports';
import type { DesignPrompt } from './prompt';
import type { Template } from './templates';

/** Where the examples of a prompt came from: the memory's file and the seed they were drawn with. */
export interface MemoryOrigin {
  readonly file: string | null;
  readonly drawSeed: number | null;
}

/** What of a draft's making is not in its prompt. */
export interface Making {
  readonly client: Pick<ModelClient, 'name' | 'simulated'>;
  readonly memory: MemoryOrigin | null;
  readonly sampling: Sampling;
  readonly thinking: boolean | undefined;
  readonly attempts: number;
  readonly at: number;
  readonly repairs?: number;
  /** What a rejected draft would go back with, where repairs are allowed. */
  readonly feedback?: Template;
  readonly wish?: string;
  readonly from?: { readonly code: string; readonly findings: readonly string[] };
}

/** Who made a draft and from what; `prompt` is the first one sent. */
export async function provenanceOf(prompt: DesignPrompt, { client, memory, sampling, thinking, attempts, at, repairs, feedback, wish, from }: Making): Promise<Provenance> {
  const { task, theme, document, parts } = prompt;
  const templates = parts.flatMap(({ template }) => (template ? [[template.name, `${template.version}${template.overridden ? '+' : ''}`] as const] : []));
  const examples = task.examples.map(({ gameFile, use }) => ({ gameFile, use }));
  return {
    schema: 1,
    model: client.name,
    simulated: client.simulated,
    at: new Date(at).toISOString(),
    kind: task.kind,
    skill: task.skill,
    difficulty: task.difficulty,
    theme,
    themeSeed: task.themeSeed,
    promptHash: await hashOf(JSON.stringify(prompt.messages)),
    ...(feedback && { feedbackHash: await hashOf(feedback.text) }),
    templates: Object.fromEntries(templates),
    memory: examples.length > 0 ? { file: memory?.file ?? null, drawSeed: memory?.drawSeed ?? null, examples } : null,
    document: document && { id: document.id, words: document.words, usedWords: document.usedWords, hash: await hashOf(document.text) },
    sampling: Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== undefined)),
    thinking: thinking ?? null,
    attempts,
    ...(repairs !== undefined && { repairs }),
    ...(wish !== undefined && wish !== '' && { wish }),
    ...(from && { from: { hash: await hashOf(from.code), findings: [...new Set(from.findings)] } }),
  };
}

/** SHA-256 of a text's UTF-8, hexadecimal. */
export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
