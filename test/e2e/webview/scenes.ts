/** What is looked at: a state of the player, at a width, with the transcripts it asks for and what streams in. */
import { message } from '../../../src/shared/message';
import type { ComparisonView, PlayerState, StreamItem, TranscriptPair } from '../../../src/shared/webviewProtocol';
import { cut, figure, pair, settings, slots, state, step, transcript, values } from './states';

export interface Scene {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly state: PlayerState;
  readonly pair: TranscriptPair | null;
  readonly stream?: readonly StreamItem[];
  /** Cell to choose, when not the first. */
  readonly slot?: number;
  readonly step?: { readonly arm: 'hint' | 'noHint'; readonly step: number };
  readonly editHint?: boolean;
}

export const WIDE = { width: 1280, height: 800 };

export const empty: Scene = {
  name: 'empty', ...WIDE, pair: null,
  state: state({ slots: [], values: values(0), session: message('No session'), sessionId: null, progress: { total: 0, done: 0, failed: 0, running: 0, elapsedMs: 0, remainingMs: null, tokens: null, tokensEstimated: false } }),
};

const finished: Scene = { name: 'finished', ...WIDE, state: state(), pair: pair(7), slot: 7, step: { arm: 'hint', step: 3 } };

const callSteps = [
  step(1, {
    observation: cut('Order A-2093 arrived damaged. Refund the damaged line and report the amount.'), thinking: cut('First look at the order.'), reply: cut(''), action: '',
    calls: [{ id: 'c1', name: 'get_order', arguments: { order_id: 'A-2093' } }],
    result: cut(`{"status": "delivered", "lines": [{"id": "L1", "item": "lamp", "price": 40.0}, ${'{"id": "L2", "item": "bulb", "price": 4.5}, '.repeat(30)}]}`),
    reward: null, outcome: { kind: 'tool-call', value: null }, line: null,
  }),
  step(2, {
    thinking: cut('The refund failed. Perhaps the price of the whole line is asked for.'), observation: cut('…'), reply: cut('<answer>40</answer>'), action: '<answer>40</answer>', reward: 0,
    notices: [{ id: 'nested-arguments-lost', text: message('Nested arguments: the run loses all arguments of this call.') }],
  }),
];

const running: Scene = {
  name: 'running', ...WIDE, slot: 15, step: { arm: 'noHint', step: 2 },
  state: state({
    className: 'RefundDeskEnv', file: 'refund_desk.py', phase: 'running', verdict: { verdict: 'accept-with-warnings', detail: '', count: 1 }, session: message('Session {time}, saving', { time: '14:20' }),
    facts: [message('State Modification, medium'), message('tool use, one task'), message('profile tool-use')],
    slots: slots(32, (seed) => (seed < 13 || seed === 14 ? null : seed < 18 ? 'running' : 'queued')),
    progress: { total: 64, done: 28, failed: 0, running: 8, elapsedMs: 61_000, remainingMs: 120_000, tokens: 400_000, tokensEstimated: true },
    values: values(14, { provisional: true, sentences: [{ tone: 'info', strong: message('Too early to say.'), rest: [message('The interval of regret is −0.23 to 0.54 after 13 pairs.')] }] }),
  }),
  pair: pair(15, {
    divergence: { step: 2, part: 'call' },
    hint: transcript('hint', { seed: 15, status: 'running', return: null, steps: callSteps.slice(0, 1), live: { step: 2, observation: cut(''), thinking: 'The tool returned 17.5, which is the whole of it.', reply: 'The refund of the damaged line is' }, finalObservation: null }),
    noHint: transcript('noHint', { seed: 15, status: 'running', return: null, steps: callSteps, live: { step: 3, observation: cut('That is not the amount. Check the refund and try again.'), thinking: '', reply: '' }, finalObservation: null }),
  }),
  stream: [
    { kind: 'thinking', arm: 'noHint', slot: 15, step: 3, text: 'The answer 40 was refused, so the amount comes from what was really refunded. ' },
    { kind: 'thinking', arm: 'noHint', slot: 15, step: 3, text: 'I should look at the order again and find the line that is' },
  ],
};

const failed: Scene = {
  name: 'failed', ...WIDE, slot: 19, step: { arm: 'hint', step: 3 },
  state: state({
    verdict: { verdict: 'reject', detail: 'step-timeout', count: 1 },
    slots: slots(32, (seed, arm) => (arm === 'hint' ? (seed === 19 ? 'step-timeout' : null) : seed === 11 || seed === 26 ? 'policy-failed' : null)),
    progress: { total: 64, done: 61, failed: 3, running: 0, elapsedMs: 160_000, remainingMs: null, tokens: 1_100_000, tokensEstimated: false },
    failures: [message('Endpoint timed out after 120 s: seeds 11 and 26, no hint.'), message('step() ran over 30 s: seed 19, with hint.')],
    values: values(29, {
      sentences: [{ tone: 'warning', strong: message('Counted without the 3 failures.'), rest: [message('As the run counts them (hint failure as 0, no-hint failures dropped) the hint mean would be 0.63 (n 32) and regret 0.31.')] }],
    }),
  }),
  pair: pair(19, {
    hint: transcript('hint', {
      seed: 19, status: 'step-timeout', return: null, error: 'step() did not return within 30 s.\nliars_vault.py:62  in _candidates\n    while len(pool) < want:',
      steps: [...transcript('hint').steps.slice(0, 2), step(3, { reply: cut('A try with equal digits. \\boxed{2222}'), action: '\\boxed{2222}', reward: null, outcome: { kind: 'failed-counts-zero', value: 0 }, ms: 30_000, line: null })],
      finalObservation: null,
    }),
  }),
};

const noHintArm: Scene = {
  name: 'one-arm', ...WIDE, slot: 3,
  state: state({
    settings: settings({ hint: null, policy: 'oracle', seeds: '0-3', plays: 4 }),
    slots: slots(16).map((slot, index) => ({ ...slot, seed: Math.floor(index / 4), play: index % 4, hint: null, gap: null })),
    values: values(16, { sentences: [{ tone: 'info', strong: message('Won 9 of 16 without a hint.'), rest: [message('What a hint is worth takes plays with a hint on the same seeds.')] }] }),
    notModel: message('solution() plays, not a model.'), can: ['inspect'],
  }),
  pair: { slots: { hint: null, noHint: 3 }, compare: null, titles: null, hint: null, noHint: transcript('noHint', { seed: 0 }), divergence: null },
};

const severalPlays: Scene = {
  name: 'several-plays', ...WIDE, slot: 5, editHint: true,
  state: state({
    settings: settings({ policy: 'simulated', seeds: '0-7', plays: 4 }), notModel: message('A simulated learner plays with settable chances; it is not a model.'),
    slots: slots(32).map((slot, index) => ({ ...slot, seed: Math.floor(index / 4), play: index % 4 })),
  }),
  pair: pair(4),
};

const hostileText = [
  '<img src=x onerror="document.title=\'owned\'"><script>document.title=\'owned\'</script><style>body{display:none}</style>',
  '\u001b[31mred\u001b[0m\u0007 and \b\b\b gone', 'right to left: \u202Etxt.exe\u202C, isolate \u2066abc\u2069, zero\u200Bwidth, bom\uFEFF', 'lone \uD800 surrogate, null \u0000',
].join('\n');

const hostile: Scene = {
  name: 'hostile', ...WIDE, slot: 7, step: { arm: 'hint', step: 1 },
  state: state({ className: '<b>Bold</b>Env', file: '<script>.py' }),
  pair: pair(7, {
    hint: transcript('hint', {
      hint: '<b>bold</b> \u202Ehint', steps: [
        step(1, { observation: cut(hostileText), reply: cut(`${hostileText}\n\\boxed{<b>1</b>}`), action: '\\boxed{<b>1</b>}', thinking: cut(hostileText) }),
        step(2, { observation: cut('x'.repeat(20_000), 300_000, 1), reply: cut('wide '.repeat(300)) }),
        step(3, { observation: cut('\n'.repeat(19_999), 30_001, 30_001), calls: [{ id: 'x', name: '<i>tool</i>', arguments: { 'k"<>': ['\u202E', { deep: 'y'.repeat(2000) }] } }], result: cut('\u001b[2J') }),
        step(4, { reward: 'NaN', outcome: { kind: 'nan-wins', value: 1 } }),
      ],
    }),
  }),
};

/** A hundred episodes of fifty steps, the size that must stay smooth. */
const large: Scene = {
  name: 'large', ...WIDE, slot: 40,
  state: state({ settings: settings({ seeds: '0-99' }), slots: slots(100), progress: { total: 200, done: 200, failed: 0, running: 0, elapsedMs: 161_000, remainingMs: null, tokens: 9_000_000, tokensEstimated: false } }),
  pair: pair(40, {
    hint: transcript('hint', { steps: Array.from({ length: 50 }, (_, index) => step(index + 1)) }),
    noHint: transcript('noHint', { steps: Array.from({ length: 50 }, (_, index) => step(index + 1)) }),
  }),
};

const asRun: Scene = {
  name: 'as-run', ...WIDE, slot: 2,
  state: state({
    settings: settings({ mode: 'as-run' }), mode: 'as-run',
    slots: slots(16).map((slot, index) => ({ ...slot, seed: null, play: index, noHint: index < 8 ? slot.noHint : null, gap: null })),
    values: values(8, { sentences: [{ tone: 'warning', strong: message('Unpaired, as the run:'), rest: [message('hint plays use 16 seeds, no-hint plays mostly one instance. Regret may be off by the luck of that instance.')] }] }),
  }),
  pair: pair(2, { divergence: null }),
};

const comparison: ComparisonView = {
  other: message('{time}, {policy}', { time: 'Mar 1, 14:02', policy: 'qwen3-8b' }), isReplay: true, compared: 64, flipped: 2, changed: 3,
  differences: [message('The file was edited between them.')],
  rows: [
    { name: message('Mean return, with hint'), before: figure(0.65, 0.51, 0.76, 32), after: figure(0.61, 0.47, 0.73, 32), difference: figure(-0.04, -0.1, 0.01, 32, 'pairs'), paired: true },
    { name: message('Mean return, no hint'), before: figure(0.32, 0.18, 0.47, 32), after: figure(0.35, 0.2, 0.5, 32), difference: figure(0.03, -0.02, 0.08, 32, 'pairs'), paired: true },
    { name: message('Regret'), before: figure(0.33, 0.15, 0.49, 32, 'pairs'), after: figure(0.26, 0.08, 0.42, 32, 'pairs'), difference: null, paired: false },
  ],
  changes: [
    { arm: 'hint', seed: 3, play: 0, slot: 3, kind: 'flipped', before: { status: 'terminated', return: 0.85 }, after: { status: 'truncated', return: 0 }, step: 4 },
    { arm: 'noHint', seed: 11, play: 0, slot: 11, kind: 'flipped', before: { status: 'truncated', return: 0 }, after: { status: 'terminated', return: 0.9 }, step: 2 },
    { arm: 'hint', seed: 20, play: 0, slot: 20, kind: 'return', before: { status: 'terminated', return: 0.9 }, after: { status: 'terminated', return: 0.85 }, step: null },
  ],
};

const compared: Scene = {
  name: 'compared', ...WIDE, height: 900, slot: 3, step: { arm: 'noHint', step: 4 },
  state: state({ comparison, session: message('{time}, {policy}', { time: 'Mar 1, 14:31', policy: 'replay of qwen3-8b' }) }),
  pair: pair(3, {
    compare: { arm: 'hint', other: true }, titles: { hint: message('Earlier session, with hint'), noHint: message('This session, with hint') },
    noHint: transcript('hint', { status: 'truncated', return: 0, runReturn: 0 }), divergence: { step: 4, part: 'observation' },
  }),
};

const twoSeeds: Scene = {
  name: 'two-seeds', ...WIDE, state: state(), step: { arm: 'hint', step: 2 },
  pair: pair(7, {
    slots: { hint: 7, noHint: 9 }, compare: { arm: 'hint', other: false },
    titles: { hint: message('Seed {seed}, with hint', { seed: 7 }), noHint: message('Seed {seed}, with hint', { seed: 9 }) },
    noHint: transcript('hint', { seed: 9 }), divergence: null,
  }),
};

const playing = { phase: 'running' as const, settings: settings({ policy: 'human', seeds: '0-3' }), slots: slots(4, (seed, arm) => (seed > 1 ? 'queued' : seed === 1 ? (arm === 'noHint' ? 'running' : 'queued') : null)) };

const human: Scene = {
  name: 'human', ...WIDE, slot: 1,
  state: state({ ...playing, human: { arm: 'noHint', slot: 1, step: 2, toolUse: false, tools: [] }, values: values(1, { provisional: true, sentences: [{ tone: 'info', strong: message('Too early to say.'), rest: [message('An interval of regret takes at least two pairs.')] }] }), progress: { total: 8, done: 2, failed: 0, running: 1, elapsedMs: 61_000, remainingMs: null, tokens: null, tokensEstimated: false } }),
  pair: pair(1, {
    divergence: null, hint: transcript('hint', { status: 'queued', steps: [], return: null, finalObservation: null }),
    noHint: transcript('noHint', { seed: 1, status: 'running', return: null, steps: transcript('noHint').steps.slice(0, 1), live: { step: 2, observation: cut('0 exact, 2 near. 7 tries left.'), thinking: '', reply: '' }, finalObservation: null }),
  }),
};

const humanTools: Scene = {
  ...human, name: 'human-tools',
  state: {
    ...human.state,
    human: {
      arm: 'noHint', slot: 1, step: 2, toolUse: true,
      tools: [
        {
          name: 'refund', description: 'Refunds lines of an order.', fields: [
            { name: 'order_id', type: 'text', choices: [], required: true, description: 'The order' },
            { name: 'amount', type: 'number', choices: [], required: true, description: '' },
            { name: 'reason', type: 'choice', choices: ['"damaged"', '"late"'], required: false, description: '' },
            { name: 'lines', type: 'json', choices: [], required: false, description: 'Ids of the lines' },
            { name: 'notify', type: 'boolean', choices: [], required: false, description: '' },
          ],
        },
        { name: 'get_order', description: '', fields: [{ name: 'order_id', type: 'text', choices: [], required: true, description: '' }] },
      ],
    },
  },
};

const partial: Scene = {
  name: 'partial', ...WIDE, slot: 2, step: { arm: 'hint', step: 2 },
  state: state({
    slots: slots(32, (seed) => (seed > 11 ? 'cancelled' : null)), missing: 40, morePairs: 24,
    sessionNotes: [message('Line {line} of the saved session cannot be used: {why} The rest is shown.', { line: 17, why: 'The line is torn.' }), message('The file was edited since these plays. Replay the same actions to see what changed.')],
    progress: { total: 64, done: 24, failed: 0, running: 0, elapsedMs: 61_000, remainingMs: null, tokens: 400_000, tokensEstimated: false },
    values: values(12, { sentences: [{ tone: 'info', strong: message('Cannot tell:'), rest: [message('the interval of regret, −0.05 to 0.61 after 12 pairs, includes 0; about 24 more pairs.')] }] }),
  }),
  pair: pair(2, { divergence: { step: 4, part: 'reply' } }),
};

const narrow: Scene = { ...finished, name: 'narrow', width: 600, height: 1200 };
const middle: Scene = { ...finished, name: 'middle', width: 1000, height: 800 };

export const scenes: readonly Scene[] = [empty, running, failed, finished, noHintArm, severalPlays, asRun, compared, twoSeeds, human, humanTools, partial, hostile, middle, narrow, large];
