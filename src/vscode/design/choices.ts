import * as vscode from 'vscode';
import { DIFFICULTIES, focusOf, GAME_SKILLS, KINDS, skillsOf, TOOL_SKILLS, type DesignKind, type Difficulty, type Skill } from '../../core/design/skills';
import type { GroundingDocument } from '../../core/design/grounding';
import { BACK, type Choice, type Interaction } from '../interaction';
import { localize } from '../localize';
import type { GroundingSource } from './groundingSource';

/** What is to be designed. */
export interface DesignChoices {
  readonly skill: Skill;
  readonly kind: DesignKind;
  readonly difficulty: Difficulty;
  readonly document: GroundingDocument | null;
}

/** What of it was chosen so far. */
type Chosen = { -readonly [K in keyof DesignChoices]?: DesignChoices[K] };

/** Asks for skill, kind, difficulty and grounding, one after the other, with a way back. Undefined when dismissed. */
export async function askDesign(interaction: Interaction, grounding: GroundingSource): Promise<DesignChoices | undefined> {
  const chosen: Chosen = {};
  const steps = [
    async () => set(chosen, 'skill', await pick(interaction, 1, vscode.l10n.t('What should it train?'), skillChoices())),
    async () => set(chosen, 'kind', await pick(interaction, 2, vscode.l10n.t('What kind of environment?'), kindChoices(chosen.skill))),
    async () => set(chosen, 'difficulty', await pick(interaction, 3, vscode.l10n.t('How hard?'), difficultyChoices())),
    async () => set(chosen, 'document', await grounding.ask(interaction, { index: 4, of: 4 })),
  ];
  for (let at = 0; at < steps.length;) {
    const answer = await steps[at]!();
    if (answer === 'dismissed') return undefined;
    at += answer === 'back' ? -1 : 1;
  }
  const { skill, kind, difficulty, document } = chosen;
  return skill && kind && difficulty ? { skill, kind, difficulty, document: document ?? null } : undefined;
}

function set<K extends keyof DesignChoices>(chosen: Chosen, key: K, answer: DesignChoices[K] | typeof BACK | undefined): 'next' | 'back' | 'dismissed' {
  if (answer === BACK) return 'back';
  if (answer === undefined) return 'dismissed';
  chosen[key] = answer;
  return 'next';
}

function pick<T>(interaction: Interaction, index: number, placeholder: string, choices: readonly (Choice<T> | { readonly separator: string })[]) {
  return interaction.pick({ title: vscode.l10n.t('Design Environment'), placeholder, step: { index, of: 4 }, choices });
}

function skillChoices(): (Choice<Skill> | { separator: string })[] {
  const of = (skills: object) => (Object.keys(skills) as Skill[]).map((skill) => ({ label: skill, detail: focusOf(skill), value: skill }));
  return [{ separator: vscode.l10n.t('Games') }, ...of(GAME_SKILLS), { separator: vscode.l10n.t('Tool use') }, ...of(TOOL_SKILLS)];
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
