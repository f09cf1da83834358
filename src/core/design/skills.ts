import { message, type Message } from '../../shared/message';
import type { Profile } from '../../shared/findings';
import { EnvwrightError } from '../errors';

/** Skills by the name that a record must carry to be sampled, and what each asks of a player (run contract §1). */
export const GAME_SKILLS = {
  'Pattern Recognition': 'seeing the rule behind examples and carrying it on',
  'Logical Deduction': 'drawing what must follow from given facts, and nothing else',
  'Strategic Planning': 'choosing moves with their later effects in view',
  'Mathematical Reasoning': 'setting up and carrying out a computation with care',
  'Spatial Reasoning': 'keeping positions, directions and shapes in mind',
  'Causal Inference': 'telling causes from coincidences by what changes what',
  'Memory Recall': 'keeping details over several turns and using them later',
  Optimization: 'finding the best of many possibilities under constraints',
  'Language Understanding': 'reading closely: reference, scope, order, implication',
} as const;

export const TOOL_SKILLS = {
  'API Orchestration': 'combining several interfaces so that one feeds the next',
  'Data Retrieval': 'finding the right records and putting them together',
  'State Modification': 'changing a system to a wanted state without side effects',
  'Error Recovery': 'noticing that something failed and finding another way',
  'Tool Selection': 'telling apart tools that look alike',
  'Multi-Step Workflows': 'carrying a long task through in the right order',
} as const;

/** All skills, by the names that records carry. */
export const SKILLS: readonly string[] = [...Object.keys(GAME_SKILLS), ...Object.keys(TOOL_SKILLS)];

export type Skill = keyof typeof GAME_SKILLS | keyof typeof TOOL_SKILLS;

/** The six skills that the paper's games launchers train on. */
export const TRAINED_SKILLS: readonly Skill[] = [
  'Mathematical Reasoning', 'Logical Deduction', 'Spatial Reasoning', 'Pattern Recognition', 'Optimization', 'Causal Inference',
];

export const DIFFICULTIES = {
  easy: 'a careful beginner wins most of the time',
  medium: 'a good player wins about half of the time',
  hard: 'a good player wins rarely without help, and often with a hint',
} as const;
export type Difficulty = keyof typeof DIFFICULTIES;

/** The five kinds of design prompt (run contract §1). */
export type DesignKind = 'single-turn' | 'multi-turn' | 'grounded' | 'tool-use' | 'tool-use-messages';

/** What a kind of environment is, for prompts, checks and people. */
export interface KindFacts {
  readonly id: DesignKind;
  readonly label: Message;
  /** What the prompt calls it. */
  readonly asked: string;
  readonly profile: Profile;
  readonly family: 'game' | 'tools';
  /** Parts of the prompt that teach its rules, in order. */
  readonly rules: readonly string[];
  /** What is asked and taught besides when the prompt holds a document. */
  readonly withDocument?: { readonly asked: string; readonly rule: string };
  /** The longest grounding document, in words (run contract §8). */
  readonly documentWords: number;
}

export const KINDS: Readonly<Record<DesignKind, KindFacts>> = {
  'single-turn': {
    id: 'single-turn', label: message('Single turn'), asked: 'one question, one answer', profile: 's', family: 'game',
    rules: ['rules-common', 'rules-games', 'rules-single-turn'], documentWords: 6_000,
  },
  'multi-turn': {
    id: 'multi-turn', label: message('Several turns'), asked: 'a game of several turns', profile: 'm', family: 'game',
    rules: ['rules-common', 'rules-games', 'rules-multi-turn'], documentWords: 6_000,
  },
  grounded: {
    id: 'grounded', label: message('Several turns, grounded in a document'), asked: 'a game of several turns with hidden state',
    profile: 'c', family: 'game', rules: ['rules-common', 'rules-games', 'rules-hidden'], documentWords: 6_000,
    withDocument: { asked: 'a game of several turns that works by what the document describes', rule: 'rules-grounded' },
  },
  'tool-use': {
    id: 'tool-use', label: message('Tool use, one task'), asked: 'a task to be done with tools', profile: 't', family: 'tools',
    rules: ['rules-common', 'rules-tools', 'rules-tool-use'], documentWords: 4_000,
  },
  'tool-use-messages': {
    id: 'tool-use-messages', label: message('Tool use, several messages'), asked: 'a conversation of several requests, to be met with tools',
    profile: 'u', family: 'tools', rules: ['rules-common', 'rules-tools', 'rules-tool-use-messages'], documentWords: 4_000,
  },
};

/** The skills that a kind can train. */
export function skillsOf(kind: DesignKind): readonly Skill[] {
  return Object.keys(KINDS[kind].family === 'game' ? GAME_SKILLS : TOOL_SKILLS) as Skill[];
}

/** What a skill asks of a player. */
export function focusOf(skill: Skill): string {
  return { ...GAME_SKILLS, ...TOOL_SKILLS }[skill];
}

/** Reads a skill as display name or as launch flags write it (`Multi-Step_Workflows`). @throws EnvwrightError `design/unknown-skill`. */
export function parseSkill(text: string): Skill {
  return choose(text.replaceAll('_', ' '), Object.keys({ ...GAME_SKILLS, ...TOOL_SKILLS }) as Skill[], 'skill');
}

/** @throws EnvwrightError `design/unknown-kind`. */
export function parseKind(text: string): DesignKind {
  return choose(text, Object.keys(KINDS) as DesignKind[], 'kind');
}

/** @throws EnvwrightError `design/unknown-difficulty`. */
export function parseDifficulty(text: string): Difficulty {
  return choose(text, Object.keys(DIFFICULTIES) as Difficulty[], 'difficulty');
}

/** Refuses a skill of the other family. @throws EnvwrightError `design/skill-of-other-family`. */
export function requireFit(skill: Skill, kind: DesignKind): void {
  if (skillsOf(kind).includes(skill)) return;
  throw new EnvwrightError('design/skill-of-other-family', message('{skill} cannot be trained by the kind {kind}.', { skill, kind }),
    message('Choose one of: {skills}.', { skills: skillsOf(kind).join(', ') }));
}

function choose<T extends string>(text: string, known: readonly T[], what: 'skill' | 'kind' | 'difficulty'): T {
  const found = known.find((name) => name.toLowerCase() === text.trim().toLowerCase());
  if (found) return found;
  throw new EnvwrightError(`design/unknown-${what}`, message('“{text}” is no {what}.', { text, what }), message('Choose one of: {known}.', { known: known.join(', ') }));
}
