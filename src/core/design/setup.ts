import type { MemoryEntry } from '../memory/readMemory';
import { classify, negativePool, seedPool, type PromptDraws } from '../memory/sampling';
import { drawExamples, exampleOf } from './examples';
import type { GroundingDocument } from './grounding';
import type { DesignTask, MemoryExample } from './prompt';
import { KINDS, skillsOf, type DesignKind, type Difficulty, type Skill } from './skills';
import type { MemoryOrigin } from './provenance';

/** Examples that were picked by hand, by {@link exampleKey}. */
export interface ChosenExamples {
  readonly seeds: readonly string[];
  readonly negative: string | null;
}

/** Names a record across saves of the run, which move it within the file. */
export function exampleKey({ gameFile, rolloutId }: Pick<MemoryEntry, 'gameFile' | 'rolloutId'>): string {
  return `${rolloutId ?? ''} ${gameFile ?? ''}`;
}

/** Everything that is chosen before a design, by hand or by its seeds. Two set-ups that are equal give equal prompts. */
export interface DesignSetup {
  readonly kind: DesignKind;
  readonly skill: Skill;
  readonly difficulty: Difficulty;
  readonly themeSeed: number;
  /** Kept while it is left out, so that it can be put back. */
  readonly document: GroundingDocument | null;
  readonly useDocument: boolean;
  readonly useMemory: boolean;
  readonly drawSeed: number;
  readonly draws: PromptDraws;
  /** Null: drawn, as the run does. */
  readonly chosen: ChosenExamples | null;
  readonly wish: string;
}

/** The set-up with another kind: a skill of the other family gives way to the first of the kind's own. */
export function withKind(setup: DesignSetup, kind: DesignKind): DesignSetup {
  const skills = skillsOf(kind);
  return { ...setup, kind, skill: skills.includes(setup.skill) ? setup.skill : (skills[0] ?? setup.skill), chosen: KINDS[kind].family === KINDS[setup.kind].family ? setup.chosen : null };
}

/** The examples of a set-up: drawn as the run does, or those picked by hand. */
export function examplesOf({ skill, drawSeed, draws, chosen, useMemory }: DesignSetup, entries: readonly MemoryEntry[]): MemoryExample[] {
  if (!useMemory) return [];
  if (!chosen) return drawExamples(entries, skill, drawSeed, draws);
  const picked = (keys: readonly string[], use: MemoryExample['use']) =>
    keys.flatMap((key) => {
      const entry = entries.find((one) => exampleKey(one) === key);
      return entry ? [{ ...exampleOf(entries, entry, use, draws), odds: null }] : [];
    });
  return [...picked(chosen.seeds, 'seed'), ...picked(chosen.negative === null ? [] : [chosen.negative], 'negative')];
}

/** What stands in the prompt, as a choice by hand: who begins to choose begins with the draw. Of several negatives the first. */
export function choiceOf({ skill, drawSeed, draws, chosen }: DesignSetup, entries: readonly MemoryEntry[]): ChosenExamples {
  if (chosen) return chosen;
  const drawn = drawExamples(entries, skill, drawSeed, draws);
  const keys = (wanted: MemoryExample['use']) => drawn.flatMap(({ use, gameFile, code }) => {
    const entry = entries.find((one) => use === wanted && one.skill === skill && (one.gameFile ?? '') === gameFile && (one.snippet ?? '').startsWith(code));
    return entry ? [exampleKey(entry)] : [];
  });
  return { seeds: keys('seed'), negative: keys('negative')[0] ?? null };
}

/** The task that a set-up asks for. */
export function taskOf(setup: DesignSetup, entries: readonly MemoryEntry[]): DesignTask {
  const { kind, skill, difficulty, themeSeed, document, useDocument } = setup;
  return { kind, skill, difficulty, themeSeed, document: useDocument ? document : null, examples: examplesOf(setup, entries) };
}

/** Where the examples of a set-up come from; null when there are none to take. */
export function originOf({ useMemory, chosen, drawSeed }: DesignSetup, memoryFile: string | null): MemoryOrigin | null {
  return useMemory && memoryFile !== null ? { file: memoryFile, drawSeed: chosen ? null : drawSeed } : null;
}

/** Records that may be picked by hand, best first: seeds of the skill by regret, and what was too easy or too hard for it. */
export function candidatesOf(entries: readonly MemoryEntry[], skill: string): { readonly seeds: readonly MemoryEntry[]; readonly negatives: readonly MemoryEntry[] } {
  const own = entries.filter((entry) => entry.skill === skill);
  const rank = (entry: MemoryEntry): number => entry.regret ?? -Infinity;
  return { seeds: own.filter(({ winRate }) => classify(winRate) === 'seed').sort((a, b) => rank(b) - rank(a)), negatives: negativePool(entries, skill) };
}

/** How many the run would draw from, for the sentence beside the switch. */
export function poolsOf(entries: readonly MemoryEntry[], skill: string, draws: PromptDraws): { readonly seeds: number; readonly negatives: number } {
  return { seeds: seedPool(entries, skill, draws.seeds).length, negatives: negativePool(entries, skill).length };
}
