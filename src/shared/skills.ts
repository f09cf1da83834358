/** Skills a run samples environments for (run contract §1), by the names that a memory record must carry exactly. */
export const COGNITIVE_SKILLS = [
  'Pattern Recognition', 'Logical Deduction', 'Strategic Planning', 'Mathematical Reasoning', 'Spatial Reasoning', 'Causal Inference', 'Memory Recall',
  'Optimization', 'Language Understanding',
] as const;

export const TOOL_USE_SKILLS = [
  'API Orchestration', 'Data Retrieval', 'State Modification', 'Error Recovery', 'Tool Selection', 'Multi-Step Workflows',
] as const;

export const SKILLS: readonly string[] = [...COGNITIVE_SKILLS, ...TOOL_USE_SKILLS];

/** Difficulties a design can be asked for. */
export const DIFFICULTIES = ['easy', 'medium', 'hard'] as const;

/** The skill as launch flags write it: `Multi-Step_Workflows`. */
export function skillFlag(skill: string): string {
  return skill.replaceAll(' ', '_');
}
