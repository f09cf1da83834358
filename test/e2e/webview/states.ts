/** States of the player, built rather than recorded, so that each shows one thing. All content is invented. */
import { message } from '../../../src/shared/message';
import type { ArmName } from '../../../src/shared/play';
import type {
  Cell, CutText, Figure, Inspection, PlayerState, PlaySettings, Slot, StepView, Transcript, TranscriptPair, ValueView,
} from '../../../src/shared/webviewProtocol';

export const cut = (text: string, length = [...text].length, lines = text.split('\n').length): CutText => ({ text, length, lines });

const HINT = 'Split the ten digits over your first two tries, then keep only codes that agree with every answer. Give four digits in \\boxed{}.';

export function settings(patch: Partial<PlaySettings> = {}): PlaySettings {
  return { policy: 'model', hint: HINT, seeds: '0-31', plays: 1, mode: 'paired', chance: 0.3, chanceHint: 0.7, ...patch };
}

export function figure(value: number | null, lo: number, hi: number, n: number, unit: Figure['unit'] = 'plays', patch: Partial<Figure> = {}): Figure {
  return { value, interval: value === null ? null : { lo, hi }, exact: false, n, unit, wins: 0, raw: null, rawInterval: null, ...patch };
}

const weights = { plateau: 0.6, regret: 0.4, regretScale: 0.15, lo: 0.4, hi: 0.6, ramp: 0.25, source: message('weights of run {run}', { run: 'spade-8b' }) };

export function values(n: number, patch: Partial<ValueView> = {}): ValueView {
  const none = n === 0;
  const f = (value: number, lo: number, hi: number, unit: Figure['unit'] = 'plays', more: Partial<Figure> = {}): Figure => figure(none ? null : value, lo, hi, n, unit, more);
  return {
    mean: { hint: f(0.65, 0.51, 0.76), noHint: f(0.32, 0.18, 0.47), regret: f(0.33, 0.15, 0.49, 'pairs') },
    winRate: { hint: f(0.78, 0.61, 0.89, 'wins', { wins: none ? 0 : 25 }), noHint: f(0.47, 0.31, 0.64, 'wins', { wins: none ? 0 : 15 }) },
    designer: { plateau: f(0.69, 0.12, 1), regretTerm: f(1, 1, 1, 'pairs', none ? {} : { raw: 2.18, rawInterval: { lo: 1, hi: 3.27 } }), blend: f(0.82, 0.47, 1, 'pairs') },
    weights, provisional: false,
    sentences: none
      ? [{ tone: 'none', strong: null, rest: [message('Nothing measured yet.')] }]
      : [{
        tone: 'ok', strong: message('Teaches this policy now.'),
        rest: [message('The hint is worth 0.33 of return (0.15 to 0.49, 32 pairs). Without it the mean return of 0.32 lies below the band .4 to .6, so the plateau pays 0.69 of 1.')],
      }],
    ...patch,
  };
}

function cell(status: Cell['status'], runReturn: number, steps: number): Cell {
  const rewards = Array.from({ length: steps }, (_, index) => (index === steps - 1 ? runReturn || 0.4 : Math.min(0.4, index * 0.2)));
  return { status, return: runReturn, runReturn, steps, rewards };
}

const RETURNS = [0.85, 0.9, 0.8, 0.75, 0, 0.85, 0.9];

/** Slots that differ from seed to seed in a fixed way. */
export function slots(n: number, at: (seed: number, arm: ArmName) => Cell['status'] | null = () => null): Slot[] {
  return Array.from({ length: n }, (_, seed) => {
    const make = (arm: ArmName): Cell => {
      const forced = at(seed, arm);
      if (forced === 'queued') return { status: 'queued', return: null, runReturn: 0, steps: 0, rewards: [] };
      if (forced === 'running') return { status: 'running', return: null, runReturn: 0, steps: 2, rewards: [0, 0.2] };
      if (forced) return { status: forced, return: null, runReturn: 0, steps: 3, rewards: [0, 0.2, null] };
      const roll = (seed * 7 + (arm === 'hint' ? 3 : 11)) % 16;
      if (roll < (arm === 'hint' ? 3 : 7)) return cell('truncated', 0, 8);
      if (roll === 15) return cell('terminated', 0, 5);
      const value = RETURNS[(seed + (arm === 'hint' ? 0 : 2)) % RETURNS.length] ?? 0;
      return cell('terminated', value, value > 0 ? 4 : 6);
    };
    const [hint, noHint] = [make('hint'), make('noHint')];
    const gap = hint.return === null || noHint.return === null ? null : hint.return - noHint.return;
    return { seed, play: 0, hint, noHint, gap };
  });
}

export function state(patch: Partial<PlayerState> = {}): PlayerState {
  return {
    uri: 'file:///w/liars_vault.py', file: 'liars_vault.py', className: 'LiarsVaultEnv',
    facts: [message('Logical Deduction, hard'), message('multi-turn cognitive'), message('profile multi-turn')],
    verdict: { verdict: 'accept', detail: '', count: 0 },
    session: message('Session {time}, saved', { time: '14:02' }), sessionId: '20260301-140200-liars_vault-a1b2', sessionNotes: [], missing: 0, morePairs: null,
    human: null, comparison: null, notModel: null, phase: 'idle', settings: settings(),
    mode: 'paired', policies: [
      { id: 'model', label: message('Model: {name}', { name: 'qwen3-8b' }), why: message('qwen3-8b at localhost'), available: true, usesHint: true },
      { id: 'simulated', label: message('Simulated learner'), why: message('Not a model'), available: true, usesHint: true },
      { id: 'oracle', label: message('Solution'), why: message('solution() of the environment'), available: true, usesHint: false },
      { id: 'random', label: message('Random'), why: message('Random actions of the domain'), available: true, usesHint: false },
      { id: 'human', label: message('You'), why: message('You play'), available: true, usesHint: true },
      { id: 'noop', label: message('Do nothing'), why: message('Empty replies'), available: true, usesHint: false },
    ],
    hints: [{ id: 'hint2', label: message('Hint {n} of {all}', { n: 2, all: 3 }), text: HINT }],
    progress: { total: 64, done: 64, failed: 0, running: 0, elapsedMs: 161_000, remainingMs: null, tokens: 1_200_000, tokensEstimated: false },
    failures: [], values: values(32), slots: slots(32), maxSteps: 8,
    setup: [
      { name: message('Endpoint'), detail: message('qwen3-8b answered 40 s ago, in 0.3 s.') },
      { name: message('Sandbox'), detail: message('Python 3.12, isolated. Step limit 30 s, play limit 300 s, as the run.') },
    ],
    can: ['writeHint', 'inspect', 'replay', 'takeOver', 'debug', 'sessions', 'compare', 'export', 'push', 'extend'],
    ...patch,
  };
}

export function step(n: number, patch: Partial<StepView> = {}): StepView {
  return {
    step: n, observation: cut('0 exact, 2 near. 7 tries left.'), thinking: cut('7 and 5 from the second try, 3 and 0 from the first, so four codes are left to tell apart.'),
    reply: cut('The code uses 0, 3, 5 and 7. \\boxed{7350}'), action: '\\boxed{7350}', calls: [], result: null, reward: 0.4, notices: [],
    outcome: { kind: 'not-terminal', value: null }, line: 53, ms: 2600, tokens: 412, ...patch,
  };
}

const FIRST = cut('A vault opens on a code of four different digits.\nAfter each try I say how many are exact and how\nmany are near. You have 8 tries.\nDigits may be 0 to 9.\nNo digit occurs twice.\nAn exact digit stands\nin its place, a near one elsewhere.\nAnswer in a box.\nThe vault is patient.');

export function transcript(arm: ArmName, patch: Partial<Transcript> = {}): Transcript {
  const hint = arm === 'hint' ? HINT : null;
  const first = arm === 'hint' ? cut(`${FIRST.text}\n\nHINT: ${HINT}`) : FIRST;
  const steps = arm === 'hint'
    ? [
      step(1, { observation: first, reply: cut('I start with the low digits. \\boxed{0123}'), action: '\\boxed{0123}', reward: 0, ms: 2100, tokens: 318 }),
      step(2, { reply: cut('Now the next four digits. \\boxed{4567}'), action: '\\boxed{4567}', reward: 0, ms: 1900, tokens: 240 }),
      step(3),
      step(4, { reply: cut('Only 7305 is left. \\boxed{7305}'), action: '\\boxed{7305}', reward: 0.85, outcome: { kind: 'trains', value: 0.85 }, line: 50, ms: 1400, tokens: 166 }),
    ]
    : [
      step(1, { observation: first, reply: cut('I will try the first four digits. \\boxed{0123}'), action: '\\boxed{0123}', reward: 0 }),
      step(2, { reply: cut('I keep 0 and 1 and add 4 and 5. \\boxed{0145}'), action: '\\boxed{0145}', reward: 0.2 }),
      step(3, {
        reply: cut('\\boxed{3015} looks right, though\n\\boxed{0315} also agrees.'), action: '\\boxed{3015}', reward: 0.2,
        notices: [{ id: 'several-boxes', text: message('{n} boxes in the reply. The run plays the first: {action}.', { n: 2, action: '3015' }) }],
      }),
      ...[4, 5, 6, 7].map((n) => step(n)),
      step(8, { reward: 0.4, outcome: { kind: 'lost-truncated', value: 0 } }),
    ];
  return {
    seed: 7, status: arm === 'hint' ? 'terminated' : 'truncated', return: arm === 'hint' ? 0.85 : 0, runReturn: arm === 'hint' ? 0.85 : 0, hint, steps, live: null,
    finalObservation: cut(arm === 'hint' ? 'The vault is open.' : 'The vault stays shut.'), error: null, ...patch,
  };
}

export function pair(slot: number, patch: Partial<TranscriptPair> = {}): TranscriptPair {
  return { slots: { hint: slot, noHint: slot }, compare: null, titles: null, hint: transcript('hint'), noHint: transcript('noHint'), divergence: { step: 2, part: 'reply' }, ...patch };
}

export const inspection: Inspection = {
  lines: {
    function: 'step', from: 44, to: 53,
    code: [
      [44, '    def step(self, action):', true], [45, '        self._turn += 1', true], [46, '        guess = self._read(action)', true], [47, '        # four digits', false],
      [48, '        exact, near = self._score(guess)', true], [49, '        if exact == 4:', true], [50, '            return "The vault is open.", 1.0 - 0.05 * self._turn, True, False, {}', false],
      [51, '        self._history.append(guess)', true], [52, '        done = self._turn >= self.max_turns', true], [53, '        return text, 0.2 * exact, False, done, {}', true],
    ].map(([line, text, ran]) => ({ line: line as number, text: text as string, ran: ran as boolean, paid: line === 53 })),
  },
  state: {
    changed: [{ name: '_turn', before: '2', after: '3' }, { name: '_history', before: "['0123', '4567']", after: "['0123', '4567', '7350']" }, { name: '_best', before: '0', after: '2' }],
    unchanged: ['_code', '_rng', 'max_turns', '_digits', '_seed'],
  },
  notes: [],
};
