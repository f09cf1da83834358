/** What is looked at of the memory view: states built from files as a run writes them. */
import { readMemory } from '../../../src/core/memory/readMemory';
import { memoryText, recordText } from '../../../src/core/memory/writeMemory';
import { drawFor } from '../../../src/vscode/panels/memoryReading';
import { keysOf, memoryState, type MemoryFacts } from '../../../src/vscode/panels/memoryState';
import { message } from '../../../src/shared/message';
import type { MemoryState } from '../../../src/shared/webviewMemory';
import type { Setting } from './setting';

export interface MemoryScene {
  readonly name: string;
  readonly setting: Setting;
}

const WIDE = { width: 1280, height: 800 };
const SKILLS = ['Logical Deduction', 'Mathematical Reasoning', 'Spatial Reasoning', 'Pattern Recognition', 'Optimization', 'Causal Inference'];

const code = (name: string, lines: number): string =>
  ['"""SPADE self-play generated game"""', '', `class ${name}Env:`, '    """A vault with four different digits."""', ...Array.from({ length: lines }, (_, n) => `    def part_${n}(self): return self.rng.randint(0, ${n})`)].join('\n');

/** Records of a run in full swing: a sixth of each skill, rates on the grid of 16 plays, one pushed by hand of this workspace. */
export function records(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const rate = ((n * 7) % 17) / 16;
    const regret = rate > 0.9 ? ((n % 5) - 2) / 50 : rate < 0.1 ? (n % 9) / 25 : ((n * 37) % 90) / 100;
    return recordText({
      game_file: `/runs/spade-8b/spade_games/game_${String(4 * Math.floor(n / 24)).padStart(5, '0')}_${String(n % 24).padStart(3, '0')}_${SKILLS[n % 6]!.toLowerCase().replace(' ', '_')}.py`,
      skill: SKILLS[n % 6]!, code: code(`Game${n}`, 8 + (n % 24)), actor_win_rate: rate, regret, rollout_id: 4 * Math.floor(n / 24),
    });
  });
}

const pushed = recordText({
  game_file: '/games/liars_vault.py', skill: 'Logical Deduction', code: code('LiarsVault', 30), actor_win_rate: 15 / 32, regret: 0.3265625, rollout_id: 148,
  metadata: { envwright: { push: '0198f2c4-7b1e', from: 'plays', plays: 32, simulated: false, policy: 'qwen3-8b', mode: 'paired', pairs: 32, interval: { win_rate: [0.309, 0.636], regret: [0.152, 0.491] } } },
});

const pace = { rollout: 150, interval: 4, records: 24, prompts: 4, share: 1, assumed: true };
const live = { state: 'live' as const, why: message('The link module answered {ago} ago, in rollout {rollout}.', { ago: '1 min', rollout: 150 }) };
const facts: MemoryFacts = { run: 'spade-8b', path: '/runs/spade-8b/spade_games_cache/env_memory.json', file: null, liveness: live, pace, unreadable: null, notUsed: null, age: message('written {n} min ago', { n: 4 }) };

function setting(state: MemoryState, text: string | null, size: { width: number; height: number } = WIDE, chosen?: string): Setting {
  const entries = text === null ? [] : readMemory(text).entries;
  const key = chosen ?? keysOf(entries)[0] ?? '';
  const ui = { skill: state.rows.find((row) => row.key === key)?.skill ?? null, kind: null, finding: null, query: '', sort: 'use', selected: key };
  return {
    bundle: 'memory', title: 'Memory', ...size,
    answers: { results: { ready: { strings: {}, state }, draw: drawFor(entries, key, null) ?? null, find: { keys: keysOf(entries).slice(0, 3) } }, ...(chosen !== undefined && { saved: { file: state.file, ui } }) },
  };
}

const twin = records(1)[0]!.replace('"rollout_id": 0', '"rollout_id": 144');
const odd = recordText({ game_file: '/runs/spade-8b/spade_games/game_00144_009_chess.py', skill: 'Logic Deduction', code: 'x'.repeat(2_000), actor_win_rate: 0.5, regret: 0.4, rollout_id: 144 });
const fullText = memoryText([...records(166), twin, odd, pushed]);
const full = memoryState({ ...facts, file: readMemory(fullText) });
const CHOSEN = '0198f2c4-7b1e';

const hostileName = '/runs/</script><img src=x onerror=alert(1)>/\u202egame\u001b[31m.py';
const hostileText = memoryText([
  recordText({ game_file: hostileName, skill: 'Logical Deduction', code: `<img src=x onerror="alert(1)">\n\u001b[31mred\u202etxt.exe\n${'word '.repeat(300)}`, actor_win_rate: 0.5, regret: 0.4, rollout_id: 4, metadata: { envwright: { policy: '<b>me</b>', plays: 8, interval: { win_rate: ['a'], regret: 5 } } } }),
  recordText({ game_file: 'x'.repeat(5_000), skill: '<script>alert(1)</script>', code: 'y', actor_win_rate: 0.95, regret: 0, rollout_id: 4 }),
]).replace('0.95', 'NaN');

export const memoryFull: MemoryScene = { name: 'full', setting: setting(full, fullText, WIDE, CHOSEN) };

export const memoryScenes: readonly MemoryScene[] = [
  memoryFull,
  { name: 'first', setting: setting(full, fullText) },
  { name: 'empty', setting: setting(memoryState({ ...facts, pace: { ...pace, rollout: 1 }, age: null, file: null }), null) },
  { name: 'torn', setting: setting(memoryState({ ...facts, unreadable: { what: message('Line {line} is torn: {problem} (column {column}). Nothing was changed.', { line: 812, problem: 'expected a value', column: 9 }), next: message('The run would fail on it too. Mend the file, or put a backup in its place.'), line: 812, backup: true } }), null) },
  { name: 'not-used', setting: setting(memoryState({ ...facts, file: readMemory(fullText), notUsed: message('This run does not read its memory (--spade-use-env-memory is off).') }), fullText, WIDE, CHOSEN) },
  { name: 'no-run', setting: setting({ ...memoryState({ ...facts, run: null, path: '', liveness: null, unreadable: { what: message('No training run is linked.'), next: message('Link the output folder of a run first.'), line: null, backup: false } }), facts: [] }, null) },
  { name: 'hostile', setting: setting(memoryState({ ...facts, file: readMemory(hostileText) }), hostileText) },
  { name: 'wide', setting: setting(full, fullText, { width: 1600, height: 900 }, CHOSEN) },
  { name: 'narrow', setting: setting(full, fullText, { width: 600, height: 900 }, CHOSEN) },
];

/** The same run at its next save: three new records, the choice and the oldest gone. */
export const nextSave: MemoryState = memoryState({ ...facts, pace: { ...pace, rollout: 152 }, file: readMemory(memoryText([...records(166).slice(1), twin, odd, ...records(240).slice(-3)])) });
/** The same run with one record more. */
export const oneMore: MemoryState = memoryState({ ...facts, file: readMemory(memoryText([...records(166), twin, odd, pushed, ...records(240).slice(-1)])) });
export const manyRows: MemoryState = memoryState({ ...facts, file: readMemory(memoryText(records(2_000))) });
