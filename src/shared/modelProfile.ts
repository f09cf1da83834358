/** How the model of a role is reached and sampled, as settings hold it. */
import { z } from 'zod';

/** Who answers: samples that are no model, a server, or a language model of the editor. */
export const Provider = z.enum(['offline-samples', 'openai-compatible', 'vscode-lm']);
export type Provider = z.infer<typeof Provider>;

/** The parts that a model plays, in the order in which they are shown. */
export const MODEL_ROLES = ['designer', 'agent', 'hint', 'screen'] as const;

const orServer = (schema: z.ZodNumber) => z.union([schema, z.null()]).optional();

/**
 * What one role does otherwise than the settings of all roles say; what is left out is taken from there. `null` leaves a
 * sampling parameter to the server.
 */
export const RoleProfile = z.strictObject({
  provider: Provider.optional(),
  endpoint: z.string().optional(),
  model: z.string().optional(),
  temperature: orServer(z.number().min(0).max(2)),
  topP: orServer(z.number().min(0).max(1)),
  topK: orServer(z.int().min(1)),
  minP: orServer(z.number().min(0).max(1)),
  maxTokens: z.int().min(1).optional(),
  thinking: z.boolean().optional(),
  extraBody: z.record(z.string(), z.unknown()).optional(),
});
export type RoleProfile = z.infer<typeof RoleProfile>;

/** The profiles of all roles; a role without one uses the settings of all roles. */
export const RoleProfiles = z.strictObject({
  designer: RoleProfile.optional(),
  agent: RoleProfile.optional(),
  hint: RoleProfile.optional(),
  screen: RoleProfile.optional(),
});
export type RoleProfiles = z.infer<typeof RoleProfiles>;
