import { z } from 'zod';
import { optionGroups } from '../../checks/probe/options';
import { boxed } from '../../environment/readingSolution';
import type { Move, Policy, Turn } from '../policy';
import { shownText } from '../policy';
import { pick, seededRandom } from '../random';

const Parameter = z.looseObject({ type: z.string().optional(), enum: z.array(z.json()).optional() });
const ToolSchema = z.looseObject({
  function: z.looseObject({
    name: z.string(),
    parameters: z.looseObject({ properties: z.record(z.string(), Parameter).optional() }).optional(),
  }),
});
type ToolSchema = z.infer<typeof ToolSchema>;

/**
 * Plays at random within what a player could know to be possible: options listed in what it is shown, else values that
 * the solutions of other seeds take; for tool use also the declared tools. The same seed plays the same way.
 */
export function randomPolicy(seed: number): Policy {
  return {
    name: 'random', simulated: true, usesHint: false,
    note: 'Random play is the same with and without a hint.',
    move: async (turn) => {
      const { arm, seed: instance, play, toolUse } = turn.setting;
      const random = seededRandom(`${seed} ${arm} ${instance} ${play} ${turn.past.length}`);
      return toolUse ? randomToolMove(turn, random) : { reply: boxed((await randomAnswer(turn, random)) ?? '') };
    },
  };
}

async function randomAnswer(turn: Turn, random: () => number): Promise<string | null> {
  const first = turn.past[0]?.shown ?? turn.shown;
  const listed = optionGroups(shownText(turn.shown))[0] ?? optionGroups(shownText(first))[0];
  return pick(listed ?? [...new Set(await turn.otherSolutions())], random);
}

function randomToolMove(turn: Turn, random: () => number): Move {
  const tools = turn.setting.tools.flatMap((tool) => {
    const parsed = ToolSchema.safeParse(tool);
    return parsed.success ? [parsed.data] : [];
  });
  const tool = pick(tools, random);
  if (!tool || random() < 0.2) {
    const answers = turn.past.flatMap(({ shown }) => shownText(shown).match(/[\p{L}\p{N}_.-]+/gu) ?? []);
    return { reply: `<answer>${pick(answers, random) ?? 'done'}</answer>` };
  }
  return { reply: '', calls: [{ id: `call_${turn.past.length + 1}`, name: tool.function.name, arguments: randomArguments(tool, turn, random) }] };
}

function randomArguments(tool: ToolSchema, turn: Turn, random: () => number): Record<string, z.infer<ReturnType<typeof z.json>>> {
  const words = [...turn.past.map(({ shown }) => shown), turn.shown].flatMap((shown) => shownText(shown).match(/[\p{L}\p{N}_.-]+/gu) ?? []);
  const numbers = words.filter((word) => /^-?\d+(\.\d+)?$/.test(word)).map(Number);
  const valueOf = ({ type, enum: allowed }: z.infer<typeof Parameter>) => {
    if (allowed) return pick(allowed, random);
    if (type === 'integer') return pick(numbers.filter(Number.isInteger), random) ?? Math.floor(random() * 10);
    if (type === 'number') return pick(numbers, random) ?? random() * 10;
    if (type === 'boolean') return random() < 0.5;
    if (type === 'array') return [];
    if (type === 'object') return {};
    return pick(words, random) ?? '';
  };
  return Object.fromEntries(Object.entries(tool.function.parameters?.properties ?? {}).map(([name, parameter]) => [name, valueOf(parameter)]));
}
