/** Counterexamples that are kept: what a probe saw, to be played again after an edit. */
import { z } from 'zod';
import type { Finding } from '../../shared/findings';
import type { StepResult } from '../../shared/hostProtocol';
import type { Move } from '../play/policy';
import type { LoadCall, Sandbox } from '../ports';
import { SandboxError } from '../sandboxError';
import { formatMessage } from '../../shared/message';
import { ACTION_LIMIT } from './probe/actionLimit';

/** Code points of one observation that an outcome keeps. */
const KEPT_TEXT = 4000;

/** What the environment did at one step. Values of Python as it prints them. */
const ReplayStep = z.object({ observation: z.string(), reward: z.string(), terminated: z.string(), truncated: z.string() });

/** What playing a counterexample gave: the steps up to the end, and what stopped it when something did. Untrusted text. */
export const ReplayOutcome = z.object({
  /** The first observation; null when `reset` failed. */
  first: z.string().nullable(),
  steps: z.array(ReplayStep),
  /** An exception, or a limit that was hit; null when all went its way. */
  failure: z.string().nullable(),
});
export type ReplayOutcome = z.infer<typeof ReplayOutcome>;

/** A kept counterexample: a file `.envwright/replays/*.json`. */
export const Replay = z.object({
  schema: z.literal(1),
  /** The check that found it. */
  check: z.string(),
  /** Path of the environment, relative to the workspace. */
  file: z.string(),
  /** Content hash of the text on which it was recorded. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** The finding in words, as it was then. */
  said: z.string(),
  seed: z.int().nullable(),
  actions: z.array(z.string()),
  maxTurns: z.int().nullable(),
  expected: z.string().nullable(),
  actual: z.string().nullable(),
  outcome: ReplayOutcome,
});
export type Replay = z.infer<typeof Replay>;

/** The part of a replay that says what is played. */
export type Counterexample = Pick<Replay, 'seed' | 'actions' | 'maxTurns'>;

/** What of a finding can be played again; null when it names no seed, no actions, or an action that was cut. */
export function counterexampleOf({ evidence }: Pick<Finding, 'evidence'>): Counterexample | null {
  const { seed, actions, maxTurns } = evidence ?? {};
  if (seed === undefined || actions === undefined || actions.some((action) => action.length >= ACTION_LIMIT && action.endsWith('…'))) return null;
  return { seed, actions, maxTurns: maxTurns ?? null };
}

/** A tool call as evidence writes it: `name({…})`. */
const CALL = /^([A-Za-z_]\w*)\((\{[\s\S]*\})\)$/;

/** A call of a tool in evidence of a tool-use file; null for an action. */
function toolCallOf(action: string): { readonly name: string; readonly arguments: Record<string, unknown> } | null {
  const [, name, text] = CALL.exec(action) ?? [];
  if (name === undefined || text === undefined) return null;
  try {
    return { name, arguments: z.record(z.string(), z.json()).parse(JSON.parse(text)) };
  } catch {
    return null;
  }
}

/** The moves of a script that plays these actions as the run would be told them. */
export function movesOf(actions: readonly string[], toolUse: boolean): Move[] {
  return actions.map((action, index): Move => {
    const call = toolUse ? toolCallOf(action) : null;
    return call ? { reply: '', calls: [{ id: `replay_${index + 1}`, name: call.name, arguments: z.json().parse(call.arguments) }] } : { reply: action };
  });
}

function stepOf({ observation, reward, terminated, truncated, shape }: StepResult): z.infer<typeof ReplayStep> {
  const text = shape ? `(${shape.type})` : observation.text.slice(0, KEPT_TEXT);
  return { observation: text, reward: reward.repr, terminated: terminated.repr, truncated: truncated.repr };
}

/**
 * Plays a counterexample in a session of its own, built as the probes build it, past an end too.
 * What the environment does wrong is part of the outcome. @throws SandboxError when there is no sandbox, AbortError.
 */
export async function playCounterexample(sandbox: Sandbox, file: { readonly name: string; readonly source: string }, { seed, actions, maxTurns }: Counterexample, signal: AbortSignal): Promise<ReplayOutcome> {
  const session = await sandbox.open({ hashSeed: 0 }, signal);
  let first: string | null = null;
  const steps: ReplayOutcome['steps'] = [];
  try {
    const call: LoadCall = { source: file.source, file: file.name, construction: seed === null ? 'play' : 'validate', maxTurns, thread: 'worker' };
    const { toolUse } = await session.load(call, signal);
    first = (await session.reset(seed, signal)).observation.text.slice(0, KEPT_TEXT);
    for (const action of actions) {
      const tool = toolUse ? toolCallOf(action) : null;
      if (tool) {
        const { output, returncode } = await session.tool(tool.name, tool.arguments, { signal });
        steps.push({ observation: output.text.slice(0, KEPT_TEXT), reward: returncode.repr, terminated: 'False', truncated: 'False' });
      } else {
        steps.push(stepOf(await session.step(action, { signal })));
      }
    }
    return { first, steps, failure: null };
  } catch (error) {
    if (!(error instanceof SandboxError) || (error.raised === null && error.end === null)) throw error;
    return { first, steps, failure: error.raised ? raisedText(error) : formatMessage(error.what) };
  } finally {
    session.kill();
  }
}

/** The exception without what changes from run to run: where in the file it was is told by the check. */
function raisedText({ raised }: SandboxError): string {
  return [raised?.type ?? '', raised?.message ?? ''].filter((part) => part !== '').join(': ').replace(/0x[0-9a-f]{6,}/gi, '0x…').slice(0, KEPT_TEXT);
}

/** Whether a replay went as recorded, and the first thing that differs. */
export type ReplayComparison = { readonly same: true } | { readonly same: false; readonly step: number | null; readonly before: string; readonly after: string };

/** Compares two outcomes; `step` counts from 0, null for the first observation or what stopped the play. */
export function compareOutcomes(before: ReplayOutcome, after: ReplayOutcome): ReplayComparison {
  if (before.first !== after.first) return differs(null, before.first ?? before.failure, after.first ?? after.failure);
  for (let at = 0; at < Math.max(before.steps.length, after.steps.length); at += 1) {
    const [old, now] = [stepText(before, at), stepText(after, at)];
    if (old !== now) return differs(at, old, now);
  }
  return before.failure === after.failure ? { same: true } : differs(null, before.failure, after.failure);
}

function differs(step: number | null, before: string | null, after: string | null): ReplayComparison {
  return { same: false, step, before: before ?? '–', after: after ?? '–' };
}

/** One step of an outcome as text, or what came in its place. */
function stepText({ steps, failure }: ReplayOutcome, at: number): string {
  const step = steps[at];
  if (!step) return failure ?? '–';
  return `reward ${step.reward}, terminated ${step.terminated}, truncated ${step.truncated}\n${step.observation}`;
}
