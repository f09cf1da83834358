/**
 * What the editor's thread and the thread of the full checks say to each other. The checks run in their thread; the
 * sandbox stays with the editor, so that what the checks ask of it crosses, and what it answers.
 */
import { z } from 'zod';
import { Suppression } from '../../core/checks/suppression';
import type { PlanOutcome, SessionOptions } from '../../core/ports';
import { SandboxError } from '../../core/sandboxError';
import { FileReport, Profile, Severity } from '../../shared/findings';
import { HostError, ProbePlan, RunEvidence } from '../../shared/hostProtocol';
import { Message } from '../../shared/message';

const SessionEnd = z.object({
  reason: z.enum(['closed', 'killed', 'wall-time', 'cpu', 'memory', 'output', 'crashed', 'host-died']), limit: z.string().nullable(), detail: z.string(),
});

/** An error as it crosses: one of the sandbox keeps what the checks read in it. */
export const WireError = z.union([
  z.object({ kind: z.literal('sandbox'), code: z.string(), what: Message, next: Message, raised: HostError.nullable(), end: SessionEnd.nullable() }),
  z.object({ kind: z.literal('cancelled') }),
  z.object({ kind: z.literal('defect'), text: z.string() }),
]);
export type WireError = z.infer<typeof WireError>;

/** What is asked of the sandbox. Sessions are numbered by the thread that opens them. */
export const SandboxCall = z.discriminatedUnion('to', [
  z.object({ to: z.literal('get') }),
  z.object({ to: z.literal('open'), session: z.int(), options: z.custom<SessionOptions>() }),
  /** With `soon`, runs are told of as they are over, and the answer is without those. */
  z.object({ to: z.literal('plan'), session: z.int(), source: z.string(), file: z.string(), plan: z.custom<ProbePlan>(), soon: z.boolean() }),
  z.object({ to: z.literal('close'), session: z.int() }),
]);
export type SandboxCall = z.infer<typeof SandboxCall>;

/** What is checked; see `CheckInput` of the core. */
export const CheckSubject = z.object({
  file: z.string(), text: z.string(), profile: Profile.nullable().optional(), staticOnly: z.boolean().optional(), suppressions: z.array(Suppression).optional(),
  severityOverrides: z.record(z.string(), Severity).optional(),
});

const Answer = z.union([z.object({ value: z.unknown() }), z.object({ error: WireError })]);
export type Answer = z.infer<typeof Answer>;

export const ToChecks = z.discriminatedUnion('op', [
  z.object({ op: z.literal('check'), id: z.int(), input: CheckSubject }),
  z.object({ op: z.literal('abort'), id: z.int() }),
  z.object({ op: z.literal('runs'), call: z.int(), runs: z.custom<readonly RunEvidence[]>() }),
  z.object({ op: z.literal('answer'), call: z.int(), answer: Answer }),
]);
export type ToChecks = z.infer<typeof ToChecks>;

export const FromChecks = z.discriminatedUnion('op', [
  z.object({ op: z.literal('call'), id: z.int(), call: z.int(), what: SandboxCall }),
  z.object({ op: z.literal('done'), id: z.int(), report: FileReport }),
  z.object({ op: z.literal('failed'), id: z.int(), error: WireError }),
]);
export type FromChecks = z.infer<typeof FromChecks>;

/** What a sandbox that passed its test is to the checks. */
export const SandboxFacts = z.object({ backend: z.enum(['native', 'pyodide', 'seatbelt']), python: z.string(), packages: z.record(z.string(), z.string().nullable()) });
/** The answer to a plan, parsed by the session that gave it. */
export const PlanAnswer = z.custom<PlanOutcome>();

/** Makes an error fit to cross. */
export function toWire(error: unknown): WireError {
  if (error instanceof SandboxError) {
    const { code, what, next, raised, end } = error;
    return { kind: 'sandbox', code, what, next, raised, end };
  }
  if (error instanceof Error && error.name === 'AbortError') return { kind: 'cancelled' };
  return { kind: 'defect', text: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

/** The error that crossed. */
export function fromWire(error: WireError): Error {
  if (error.kind === 'sandbox') return new SandboxError(error.code, error.what, error.next, error.raised, error.end);
  return error.kind === 'cancelled' ? new DOMException('The check was cancelled.', 'AbortError') : new Error(error.text);
}
