import { openInstance, type PlayedFile } from '../../core/play/instance';
import { callsMade } from '../../core/play/replay';
import type { Sandbox, SandboxSession } from '../../core/ports';
import type { LineTrace, SnapshotResult } from '../../shared/hostProtocol';
import { message } from '../../shared/message';
import type { ArmName, EpisodeStep } from '../../shared/play';
import type { Inspection } from '../../shared/webviewProtocol';

/** The step to look into: the steps of its episode, and which of them, from 1. */
export interface InspectedStep {
  readonly sandbox: Sandbox;
  readonly file: PlayedFile;
  readonly maxTurns: number;
  readonly arm: ArmName;
  readonly thinking: boolean;
  /** The run's way: reset with seed 123 first. */
  readonly warmReset: boolean;
  readonly seed: number | null;
  readonly steps: readonly EpisodeStep[];
  readonly step: number;
}

/**
 * Plays an episode again up to a step, and tells which lines that step ran, which of them paid, and what it changed in the
 * environment's state. @throws SandboxError
 */
export async function inspectStep(inspected: InspectedStep, signal: AbortSignal): Promise<Inspection> {
  const { sandbox, file, maxTurns, seed, steps, step, warmReset } = inspected;
  const { session } = await openInstance(sandbox, file, { maxTurns }, signal);
  try {
    if (warmReset) await session.reset(123, signal);
    await session.reset(seed, signal);
    for (const earlier of steps.slice(0, step - 1)) await carryOut(session, earlier, inspected, signal);
    const before = await session.snapshot(signal);
    const target = steps[step - 1];
    const { trace, observation } = target ? await carryOut(session, target, inspected, signal) : { trace: undefined, observation: undefined };
    const after = await session.snapshot(signal);
    const expected = steps[step]?.observation;
    const differs = expected !== undefined && observation !== undefined && observation !== expected;
    return {
      lines: trace ? tracedLines(file.source, trace) : null,
      state: changes(before, after),
      notes: differs ? [message('Played again, this step answered something else: the environment does not replay.')] : [],
    };
  } finally {
    session.kill();
  }
}

async function carryOut(
  session: SandboxSession, done: EpisodeStep, { arm, thinking, warmReset }: InspectedStep, signal: AbortSignal,
): Promise<{ trace: LineTrace | undefined; observation: string | undefined }> {
  if (done.calls.length === 0) {
    const { trace, observation } = await session.step(done.action, { trace: true, signal });
    return { trace, observation: observation.text };
  }
  let trace: LineTrace | undefined;
  const outputs: string[] = [];
  for (const { call, arguments: args } of callsMade(done, arm, { thinking, followRun: warmReset })) {
    if (args === null) continue;
    const result = await session.tool(call.name, args, { trace: true, signal });
    trace = result.trace;
    outputs.push(result.output.text);
  }
  return { trace, observation: outputs.join('\n') };
}

/** The function around the line that returned, with the lines that ran. */
function tracedLines(source: string, { lines, returnLine }: LineTrace): Inspection['lines'] {
  const code = source.split(/\r\n|\r|\n/);
  const anchor = returnLine ?? lines[0];
  if (anchor === undefined) return null;
  let from = anchor;
  while (from > 1 && !/^\s*(async\s+)?def\s/.test(code[from - 1] ?? '')) from -= 1;
  const indent = /^\s*/.exec(code[from - 1] ?? '')?.[0].length ?? 0;
  let to = from;
  while (to < code.length && isInside(code[to] ?? '', indent)) to += 1;
  while (to > from && (code[to - 1] ?? '').trim() === '') to -= 1;
  const ran = new Set(lines);
  return {
    function: /def\s+(\w+)/.exec(code[from - 1] ?? '')?.[1] ?? '',
    from,
    to,
    code: code.slice(from - 1, to).map((text, index) => ({ line: from + index, text, ran: ran.has(from + index), paid: from + index === returnLine })),
  };
}

const isInside = (line: string, indent: number) => line.trim() === '' || (/^\s*/.exec(line)?.[0].length ?? 0) > indent;

function changes(before: SnapshotResult, after: SnapshotResult): Inspection['state'] {
  const names = [...new Set([...Object.keys(before.values), ...Object.keys(after.values)])];
  const changed = names
    .filter((name) => before.values[name] !== after.values[name])
    .map((name) => ({ name, before: before.values[name] ?? null, after: after.values[name] ?? null }));
  return { changed, unchanged: names.filter((name) => before.values[name] === after.values[name]) };
}
