/** Trajectories of saved plays as chat messages with rewards, JSON lines for tools that train. */
import { z } from 'zod';
import { JsonNumber } from '../../shared/json';
import { ArmName, EpisodeStatus } from '../../shared/play';
import type { ChatMessage } from '../ports';
import { playMessages } from './policies/model';
import type { PastTurn, Shown } from './policy';
import { outcomeOf } from './trained';
import { episodesOf, type SavedEpisode, type SavedSession } from './sessionRecord';

/** `sft`: the episodes that the run counts as won, as conversations to imitate. `rl`: all that count, with the rewards of every reply. */
export type ExportKind = 'sft' | 'rl';

const ExportedCall = z.object({ id: z.string(), type: z.literal('function'), function: z.object({ name: z.string(), arguments: z.string() }) });
/** A message in the form of chat endpoints. `reasoning_content` is the thinking, which the run does not show the agent again. */
const ExportedMessage = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  content: z.string(),
  reasoning_content: z.string().optional(),
  tool_calls: z.array(ExportedCall).optional(),
  tool_call_id: z.string().optional(),
});

const Origin = z.object({
  environment: z.string(),
  environment_hash: z.string(),
  session: z.string(),
  policy: z.string(),
  /** True when no model wrote the replies, or the hint is a sample. */
  simulated: z.boolean(),
  arm: ArmName,
  seed: z.int().nullable(),
  play: z.int(),
  hint: z.string().nullable(),
  status: EpisodeStatus,
});

/** One line of an export for imitation. */
export const SftLine = z.object({ messages: z.array(ExportedMessage), tools: z.array(z.json()).optional(), reward: z.number(), metadata: Origin });
/**
 * One line of an export for reinforcement learning. `rewards` has one entry for each assistant message: the raw reward, null for
 * tool calls; `run_rewards` what the run makes of it: the clipped last reward of a terminated episode, else 0 (run contract §4).
 */
export const RlLine = z.object({
  messages: z.array(ExportedMessage),
  tools: z.array(z.json()).optional(),
  rewards: z.array(JsonNumber.nullable()),
  run_rewards: z.array(z.number()),
  return: z.number().nullable(),
  run_return: z.number(),
  metadata: Origin,
});

/** The lines of an export. Episodes that failed or were stopped are left out: they say nothing about the policy. */
export function exportLines(session: SavedSession, kind: ExportKind): string[] {
  return (['noHint', 'hint'] as const).flatMap((arm) => episodesOf(session, arm)).flatMap((saved) => {
    const { episode } = saved;
    if (episode.status === 'cancelled' || episode.status === 'policy-failed' || episode.status === 'step-timeout' || episode.steps.length === 0) return [];
    if (kind === 'sft') return episode.status === 'terminated' && (episode.return ?? 0) > 0 ? [JSON.stringify(sftLine(session, saved))] : [];
    return [JSON.stringify(rlLine(session, saved))];
  });
}

function sftLine(session: SavedSession, saved: SavedEpisode): z.infer<typeof SftLine> {
  return { messages: messagesOf(session, saved), ...toolsOf(session), reward: saved.episode.runReturn, metadata: originOf(session, saved) };
}

function rlLine(session: SavedSession, saved: SavedEpisode): z.infer<typeof RlLine> {
  const { steps, return: plain, runReturn } = saved.episode;
  return {
    messages: messagesOf(session, saved),
    ...toolsOf(session),
    rewards: steps.map(({ reward }) => reward),
    run_rewards: steps.map((step) => outcomeOf(step).value ?? 0),
    return: plain,
    run_return: runReturn,
    metadata: originOf(session, saved),
  };
}

function toolsOf({ loaded }: SavedSession): Pick<z.infer<typeof RlLine>, 'tools'> {
  return loaded && loaded.tools.length > 0 ? { tools: loaded.tools } : {};
}

function originOf({ header }: SavedSession, { ref, episode }: SavedEpisode): z.infer<typeof Origin> {
  return {
    environment: header.file, environment_hash: header.hash, session: header.id, policy: header.policy.name,
    simulated: header.policy.simulated || (ref.arm === 'hint' && header.simulatedHint),
    arm: ref.arm, seed: ref.seed, play: ref.play, hint: ref.arm === 'hint' ? header.settings.hint : null, status: episode.status,
  };
}

/** The chat as the agent had it, with its last reply, and without what the environment said after that. */
function messagesOf({ loaded }: SavedSession, { ref, episode }: SavedEpisode): z.infer<typeof ExportedMessage>[] {
  const toolUse = loaded?.toolUse ?? episode.steps.some(({ calls }) => calls.length > 0);
  const past = episode.steps.map((step, index): PastTurn => {
    const before = episode.steps[index - 1];
    const shown: Shown = before?.results ? { kind: 'results', results: before.results } : { kind: 'observation', text: step.observation };
    return { shown, move: { reply: step.reply, thinking: step.thinking, ...(step.calls.length > 0 && { calls: step.calls }) } };
  });
  const setting = { arm: ref.arm, seed: ref.seed, play: ref.play, toolUse, tools: [] };
  const messages = playMessages({ setting, past, shown: { kind: 'results', results: [] } });
  const thoughts = episode.steps.map(({ thinking }) => thinking);
  return messages.map((message) => exported(message, message.role === 'assistant' ? (thoughts.shift() ?? '') : ''));
}

function exported(message: ChatMessage, thinking: string): z.infer<typeof ExportedMessage> {
  if (message.role === 'tool') return { role: 'tool', content: message.content, tool_call_id: message.callId };
  if (message.role !== 'assistant') return { role: 'user', content: message.content };
  const calls = message.calls?.map(({ id, name, arguments: args }) => ({ id, type: 'function' as const, function: { name, arguments: JSON.stringify(args) } }));
  return { role: 'assistant', content: message.content, ...(thinking !== '' && { reasoning_content: thinking }), ...(calls && { tool_calls: calls }) };
}
