/** What is looked at of the push panel: states worked out from real previews of a memory. */
import { previewPush, DEFAULT_SETTINGS } from '../../../src/core/memory/preview';
import { readMemory } from '../../../src/core/memory/readMemory';
import type { PushWarning } from '../../../src/core/memory/warnings';
import { memoryText } from '../../../src/core/memory/writeMemory';
import type { LedgerEvent, LedgerPush } from '../../../src/core/run/ledger';
import { message } from '../../../src/shared/message';
import type { PushState } from '../../../src/shared/webviewPush';
import { pushState, type PushFacts } from '../../../src/vscode/panels/pushState';
import { records } from './memoryScenes';
import type { Setting } from './setting';

export interface PushScene {
  readonly name: string;
  readonly setting: Setting;
}

const code = ['"""A vault with four different digits."""', 'class LiarsVaultEnv:', ...Array.from({ length: 24 }, (_, n) => `    def part_${n}(self): return self.rng.randint(0, ${n})`)].join('\n');
const SKILL = 'Logical Deduction';
const memory = readMemory(memoryText(records(168)));
const at = (minute: number): number => new Date(2026, 8, 3, 14, minute, 20).getTime();

interface Change {
  readonly rate?: number;
  readonly regret?: number;
  readonly skill?: string;
  readonly file?: string;
  readonly text?: string;
  readonly simulated?: boolean;
  readonly more?: readonly PushWarning[];
  readonly facts?: Partial<PushFacts>;
}

function facts({ rate = 15 / 32, regret = 0.42, skill = SKILL, file = '/home/me/envs/liars_vault.py', text = code, simulated = false, more = [], facts: rest = {} }: Change = {}): PushFacts {
  const half = 0.16;
  const winInterval = { lo: Math.max(0, rate - half), hi: Math.min(1, rate + half) };
  const regretInterval = { lo: regret - 0.17, hi: regret + 0.17 };
  const record = {
    game_file: file, skill, code: text, actor_win_rate: rate, regret, rollout_id: 148,
    metadata: { envwright: { from: 'plays', plays: 32, simulated, policy: 'qwen3-8b', mode: 'paired', pairs: 32, interval: { win_rate: [winInterval.lo, winInterval.hi], regret: [regretInterval.lo, regretInterval.hi] } } },
  };
  const preview = previewPush(memory, record, DEFAULT_SETTINGS, { plays: 32, simulated });
  return {
    file, text, runDir: '/runs/spade-8b', skill, skillSource: message('chosen for this push'),
    figures: { winRate: rate, regret, winInterval, regretInterval, plays: 32, pairs: 32, source: message('{wins}/{n} plays, no hint \u00b7 {lo} to {hi}', { wins: Math.round(rate * 32), n: 32, lo: winInterval.lo.toFixed(2), hi: winInterval.hi.toFixed(2) }) },
    simulated, preview: { ...preview, warnings: [...preview.warnings, ...more] }, before: memory, capacity: 200,
    liveness: { state: 'live', lastChangeMs: 0, why: message('The link module answered {ago} ago, in rollout {rollout}.', { ago: '0 min', rollout: 148 }) },
    linked: true, pace: { rollout: 148, interval: 4, records: 24, prompts: 4, share: 1, assumed: false },
    phase: 'preview', failure: null, stale: false, push: null, pushes: [], events: [], ...rest,
  };
}

const push = (id: string, state: LedgerPush['state'], gameFile: string, minute: number, note = '', inbox: string | null = `${id}.json`): LedgerPush =>
  ({ id, state, memoryFile: '/runs/spade-8b/env_memory.json', gameFile, record: '{}', capacity: 200, inbox, removal: null, at: at(minute), pushedAt: at(minute), note });
const event = (id: string, state: LedgerEvent['state'], minute: number, note = ''): LedgerEvent => ({ v: 1, id, state, at: at(minute), memoryFile: '/runs/spade-8b/env_memory.json', gameFile: '', note });

const earlier = [
  push('e1', 'evicted', '/home/me/envs/mirror_duel.py', 1, 'newer records took its place'),
  push('e2', 'failed', '/home/me/envs/alibi_table.py', 4, 'regret is null'),
  push('e3', 'queued', '/home/me/envs/three_switches.py', 8, '', null),
  push('e4', 'drawn', '/home/me/envs/seating_knights.py', 12, 'as seed in rollout 144, 3 times by now'),
];
const mine = (state: LedgerPush['state'], note = ''): Partial<PushFacts> => {
  const own = push('m', state, '/home/me/envs/liars_vault.py', 31, note);
  return { phase: 'pushed', push: own, pushes: [...earlier, own], events: [event('m', 'queued', 31), event('m', 'claimed', 33, 'taken by the link module'), ...(state === 'in-memory' ? [event('m', 'in-memory', 40, note)] : [])] };
};

const setting = (state: PushState, size = { width: 1280, height: 800 }): Setting => ({ bundle: 'push', title: 'Push', ...size, answers: { results: { ready: { strings: {}, state } } } });
const scene = (name: string, change: Change = {}, size?: { width: number; height: number }): PushScene => ({ name, setting: setting({ ...pushState(facts(change)), kept: null }, size) });

const stopped = { state: 'stopped' as const, lastChangeMs: 0, why: message('Nothing was written for {ago}; at its pace the run would have within {patience}.', { ago: '9 h', patience: '60 min' }) };
const alone = { state: 'live' as const, lastChangeMs: 0, why: message('Something was written {ago} ago; at its pace the run counts as live for {patience}.', { ago: '2 min', patience: '60 min' }) };
const hostile = '/home/me/</script><img src=x onerror=alert(1)>\u202e\u001b[31m.py';

export const pushScenes: readonly PushScene[] = [
  scene('preview', { more: [{ id: 'open-findings', severity: 'info', message: message('Warnings are open in the file: {count}.', { count: 1 }) }] }),
  scene('dead-zone', { rate: 4 / 32 }),
  scene('simulated', { simulated: true, facts: { liveness: stopped, linked: false } }),
  scene('live-alone', { facts: { liveness: alone, linked: false } }),
  scene('not-used', { more: [{ id: 'memory-off', severity: 'warning', message: message('This run does not read its memory (--spade-use-env-memory is off).') },
    { id: 'silenced-findings', severity: 'warning', message: message('Errors are silenced in the file: {ids}. The run meets them all the same.', { ids: 'solution-does-not-win, trivial-win' }) }] }),
  scene('queued', { facts: mine('queued') }),
  scene('in-memory', { facts: mine('in-memory', 'since rollout 149; a save of the run holds it') }),
  scene('refused', { facts: mine('failed', 'regret is null') }),
  scene('failed', { facts: { phase: 'failed', failure: message('{path} changed while it was read. Nothing was written.', { path: '/runs/spade-8b/spade_games_cache/env_memory.json' }), pushes: earlier } }),
  scene('negative', { rate: 31 / 32 }),
  scene('stale', { facts: { stale: true } }),
  scene('hostile', { file: hostile, skill: '<b>Skill</b>', text: `<img src=x onerror="alert(1)">\n\u001b[31mred\u202etxt.exe\n${'word '.repeat(600)}` }),
  scene('narrow', {}, { width: 600, height: 900 }),
];

export const pushedState: PushState = { ...pushState(facts({ facts: mine('in-memory', 'since rollout 149; a save of the run holds it') })), kept: null };
