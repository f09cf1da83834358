import * as vscode from 'vscode';
import { DIFFICULTIES, focusOf, GAME_SKILLS, KINDS, skillsOf, TOOL_SKILLS, type DesignKind, type Difficulty, type Skill } from '../../core/design/skills';
import type { GroundingDocument } from '../../core/design/grounding';
import { BACK, type Choice, type Interaction, type PickRequest } from '../interaction';
import { localize } from '../localize';
import type { GroundingSource } from './groundingSource';

/** What is to be designed. */
export interface DesignChoices {
  readonly skill: Skill;
  readonly kind: DesignKind;
  readonly difficulty: Difficulty;
  readonly document: GroundingDocument | null;
}

type Step = NonNullable<PickRequest<unknown>['step']>;

/** What of it was chosen so far. */
type Chosen = { -readonly [K in keyof DesignChoices]?: DesignChoices[K] };

/**
 * Asks for skill, kind, difficulty and grounding, one after the other, with a way back. Of a file to mend the kind is known, and
 * what it is about stands in it. Undefined when dismissed.
 */
export async function askDesign(interaction: Interaction, grounding: GroundingSource, known: Pick<Chosen, 'kind'> = {}): Promise<DesignChoices | undefined> {
  const chosen: Chosen = { ...known };
  const skill = async (step: Step) => set(chosen, 'skill', await pick(interaction, step, vscode.l10n.t('What should it train?'), skillChoices(known.kind)));
  const kind = async (step: Step) => set(chosen, 'kind', await pick(interaction, step, vscode.l10n.t('What kind of environment?'), kindChoices(chosen.skill)));
  const difficulty = async (step: Step) => set(chosen, 'difficulty', await pick(interaction, step, vscode.l10n.t('How hard?'), difficultyChoices()));
  const document = async (step: Step) => set(chosen, 'document', await grounding.ask(interaction, step));
  const steps = known.kind ? [skill, difficulty] : [skill, kind, difficulty, document];
  for (let at = 0; at < steps.length;) {
    const answer = await steps[at]!({ index: at + 1, of: steps.length });
    if (answer === 'dismissed') return undefined;
    at += answer === 'back' ? -1 : 1;
  }
  return chosen.skill && chosen.kind && chosen.difficulty ? { skill: chosen.skill, kind: chosen.kind, difficulty: chosen.difficulty, document: chosen.document ?? null } : undefined;
}

function set<K extends keyof DesignChoices>(chosen: Chosen, key: K, answer: DesignChoices[K] | typeof BACK | undefined): 'next' | 'back' | 'dismissed' {
  if (answer === BACK) return 'back';
  if (answer === undefined) return 'dismissed';
  chosen[key] = answer;
  return 'next';
}

function pick<T>(interaction: Interaction, step: Step, placeholder: string, choices: readonly (Choice<T> | { readonly separator: string })[]) {
  return interaction.pick({ title: vscode.l10n.t('Design Environment'), placeholder, step, choices });
}

/** The skills that a kind can train, or all of them. */
function skillChoices(kind: DesignKind | undefined): (Choice<Skill> | { separator: string })[] {
  const of = (skills: readonly Skill[]) => skills.map((skill) => ({ label: skill, detail: focusOf(skill), value: skill }));
  if (kind) return of(skillsOf(kind));
  return [{ separator: vscode.l10n.t('Games') }, ...of(Object.keys(GAME_SKILLS) as Skill[]), { separator: vscode.l10n.t('Tool use') }, ...of(Object.keys(TOOL_SKILLS) as Skill[])];
}

/** The kinds that can train the skill. */
function kindChoices(skill: Skill | undefined): Choice<DesignKind>[] {
  return Object.values(KINDS)
    .filter(({ id }) => skill === undefined || skillsOf(id).includes(skill))
    .map(({ id, label }) => ({ label: localize(label), value: id }));
}

function difficultyChoices(): Choice<Difficulty>[] {
  return (Object.entries(DIFFICULTIES) as [Difficulty, string][]).map(([difficulty, meaning]) => ({ label: difficulty, detail: meaning, value: difficulty }));
}
