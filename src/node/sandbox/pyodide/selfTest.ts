import { z } from 'zod';
import { HostError, HostGreeting, SelfTestResult } from '../../../shared/hostProtocol';
import { EMBEDDED_ATTACKS } from './attacks';
import type { Child } from './child';
import { ANSWER_HEAD, Kind, type StartOrder } from './envelope';

/** What came of an attack: `reached` is null when it was contained, else what it got to. */
export interface AttackResult {
  /** Group and name. */
  readonly name: string;
  readonly reached: string | null;
  /** How it was refused, for the log. */
  readonly refusal: string;
}

const Reply = z.object({ ok: z.boolean(), error: HostError.optional() });
const Death = z.object({ why: z.string(), detail: z.string() });

/** Deaths that are a refusal; any other, such as a failed reset, means that something could not be told. */
const REFUSALS = new Set(['refused-import', 'exit', 'trap', 'stack', 'memory', 'output']);

/**
 * Tries every attack on a child that is used for nothing else, each on a fresh image. An attack whose source runs to its end has
 * succeeded; what cannot be told counts as success.
 */
export async function attackChild(child: Child, order: StartOrder): Promise<readonly AttackResult[]> {
  const results: AttackResult[] = [];
  for (const attack of EMBEDDED_ATTACKS) {
    const request = { id: 1, op: 'load', source: attack.source, file: 'attack.py', construction: 'play', maxTurns: null, thread: 'main' };
    const answer = await child.send(Kind.attack, JSON.stringify({ order, request }));
    results.push({ name: `${attack.group}, ${attack.name}`, ...judge(answer.toString('utf8')) });
  }
  return results;
}

function judge(text: string): { reached: string | null; refusal: string } {
  try {
    const { reply, death } = z.object({ reply: Reply.optional(), death: Death.optional() }).parse(JSON.parse(text));
    if (death) return REFUSALS.has(death.why) ? { reached: null, refusal: `${death.why}: ${death.detail}` } : { reached: death.detail, refusal: '' };
    if (reply?.ok === false && reply.error && !['no-class', 'syntax', 'bad-request'].includes(reply.error.code)) {
      return { reached: null, refusal: `${reply.error.type}: ${reply.error.message}` };
    }
    return { reached: 'the attack ran to its end', refusal: '' };
  } catch (error) {
    return { reached: `no result: ${String(error)}`, refusal: '' };
  }
}

/** The attacks that the host's own list makes from within a session. */
export async function attackFromWithin(child: Child, order: StartOrder): Promise<readonly AttackResult[]> {
  const answer = await child.send(Kind.attack, JSON.stringify({ order, request: { id: 1, op: 'selftest' } }));
  const parsed = z.object({ reply: z.object({ result: SelfTestResult }) }).safeParse(JSON.parse(answer.toString('utf8')));
  if (!parsed.success) return [{ name: 'the list of the host', reached: `it was not carried out: ${answer.toString('utf8').slice(0, 300)}`, refusal: '' }];
  return parsed.data.reply.result.attacks.map(({ group, name, reached }) => ({ name: `${group}, ${name}`, reached, refusal: '' }));
}

/** Begins a session on the child and gives what it says first. */
export async function greetChild(child: Child, order: StartOrder): Promise<HostGreeting> {
  await child.send(Kind.reset, '');
  const answer = await child.send(Kind.start, JSON.stringify(order));
  return HostGreeting.parse(JSON.parse(answer.subarray(ANSWER_HEAD).toString('utf8')));
}
