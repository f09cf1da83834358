/**
 * Figures of the player's page in a browser: `node out/test/bench/player.main.js`. The page is that of `dist/webview`, its host is played.
 * A headless browser draws in software, so what script takes and what the page's thread takes in all are told apart.
 */
import type { Browser, CDPSession } from 'playwright-core';
import { launchBrowser } from '../editor/chromium';
import { empty, WIDE, type Scene } from '../e2e/webview/scenes';
import { pair, settings, slots, state, step, transcript } from '../e2e/webview/states';
import { openScene, type Stage } from '../e2e/webview/stage';
import { report, summarise } from './measure';

/** Seeds of the saved session; each was played once with the hint and once without. */
const SEEDS = 50;
const STEPS = 50;
const ROUNDS = 8;
const STREAMING = 32;
const FRAMES = 300;

/** What the page's thread did, in milliseconds since the counters were read before. */
interface Work {
  readonly script: number;
  readonly layout: number;
  readonly task: number;
}

/** Reads the browser's own counters of a page: the function it gives tells what was added since it was asked last. */
async function counters({ page }: Stage): Promise<() => Promise<Work>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  let last: Work = { script: 0, layout: 0, task: 0 };
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const ms = (name: string): number => 1000 * (metrics.find((metric) => metric.name === name)?.value ?? 0);
    const now: Work = { script: ms('ScriptDuration'), layout: ms('LayoutDuration') + ms('RecalcStyleDuration'), task: ms('TaskDuration') };
    const since: Work = { script: now.script - last.script, layout: now.layout - last.layout, task: now.task - last.task };
    last = now;
    return since;
  };
}

const saved = {
  state: state({ settings: settings({ seeds: `0-${SEEDS - 1}` }), slots: slots(SEEDS) }),
  pair: pair(0, {
    hint: transcript('hint', { steps: Array.from({ length: STEPS }, (_, index) => step(index + 1)) }),
    noHint: transcript('noHint', { steps: Array.from({ length: STEPS }, (_, index) => step(index + 1)) }),
  }),
};

/** Milliseconds from the snapshot of a saved session to the frame in which its episodes and its first transcript are drawn. */
function firstPaint({ page }: Stage): Promise<number> {
  return page.evaluate(async ({ json, cells }) => {
    const { state: shown, pair: transcripts } = JSON.parse(json) as { state: unknown; pair: unknown };
    const post = (method: string, params: unknown) => window.dispatchEvent(new MessageEvent('message', { data: { type: 'note', method, params } }));
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const asked = window.sentToHost.length;
    const started = performance.now();
    const until = async (what: string, holds: () => boolean): Promise<void> => {
      while (!holds()) {
        if (performance.now() - started > 30_000) throw new Error(`the page never got as far as: ${what}`);
        await frame();
      }
    };
    post('state', shown);
    await until('asks for the transcripts', () => window.sentToHost.slice(asked).some(({ method }) => method === 'watch'));
    post('pair', transcripts);
    await until('draws steps and cells', () => document.querySelector('.step') !== null && document.querySelectorAll('.cell').length === cells);
    await frame();
    return performance.now() - started;
  }, { json: JSON.stringify(saved), cells: 2 * SEEDS });
}

async function measureFirstPaint(browser: Browser): Promise<void> {
  const paints: number[] = [];
  const works: Work[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const stage = await openScene(browser, empty);
    const work = await counters(stage);
    await work();
    paints.push(await firstPaint(stage));
    works.push(await work());
    await stage.page.context().close();
  }
  report(`first paint of a saved session of ${2 * SEEDS} episodes`, summarise(paints), 'under 300 ms');
  report('  script in it', summarise(works.map(({ script }) => script)), 'a part of it');
  report('  style and layout in it', summarise(works.map(({ layout }) => layout)), 'a part of it');
  report("  the page's thread in all", summarise(works.map(({ task }) => task)), 'a part of it');
}

interface Streamed {
  /** Milliseconds of script of each frame, with the layout that it forced. */
  readonly script: number[];
  /** Milliseconds of each task over 50 ms. */
  readonly long: number[];
}

/** Streams into both episodes on screen every frame and steps of the others every third, as {@link STREAMING} episodes do that all go on. */
function stream({ page }: Stage): Promise<Streamed> {
  const going = state({ phase: 'running', slots: slots(STREAMING / 2, () => 'running'), progress: { total: STREAMING, done: 0, failed: 0, running: STREAMING, elapsedMs: 0, remainingMs: null, tokens: null, tokensEstimated: true } });
  return page.evaluate(async ({ json, frames }) => {
    interface Going { progress: object; slots: Record<'hint' | 'noHint', { steps: number; rewards: number[] }>[] }
    const given = JSON.parse(json) as Going;
    const long: number[] = [];
    new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ['longtask'] });
    const script: number[] = [];
    let spent = 0;
    const timed = (work: () => void): void => {
      const started = performance.now();
      work();
      spent += performance.now() - started;
    };
    const ask = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (callback) => ask((now) => timed(() => callback(now)));
    const post = (method: string, params: unknown): void => timed(() => void window.dispatchEvent(new MessageEvent('message', { data: { type: 'note', method, params } })));
    for (let n = 0; n < frames; n += 1) {
      await new Promise((resolve) => ask(resolve));
      script.push(spent);
      spent = 0;
      post('stream', (['hint', 'noHint'] as const).map((arm) => ({ kind: 'text', arm, slot: 3, step: 3, text: `word${n} of a reply that streams ` })));
      if (n % 3 !== 0) continue;
      const stepped = given.slots[(n / 3) % given.slots.length]?.[n % 2 === 0 ? 'hint' : 'noHint'];
      if (stepped) stepped.steps = stepped.rewards.push(0.2);
      post('state', { ...given, progress: { ...given.progress, elapsedMs: n * 16 } });
    }
    return { script, long };
  }, { json: JSON.stringify(going), frames: FRAMES });
}

const atStepThree = (arm: 'hint' | 'noHint') => transcript(arm, {
  status: 'running', return: null, steps: transcript(arm).steps.slice(0, 2), live: { step: 3, observation: { text: 'o', length: 1, lines: 1 }, thinking: '', reply: '' }, finalObservation: null,
});

const streaming: Scene = {
  name: 'streaming', ...WIDE, slot: 3,
  state: state({ phase: 'running', slots: slots(STREAMING / 2, () => 'running') }),
  pair: pair(3, { divergence: null, hint: atStepThree('hint'), noHint: atStepThree('noHint') }),
};

async function measureStreaming(browser: Browser): Promise<void> {
  const stage = await openScene(browser, streaming);
  const work = await counters(stage);
  await work();
  const { script, long } = await stream(stage);
  const { script: scripts, layout, task } = await work();
  await stage.page.context().close();
  report(`script a frame while ${STREAMING} episodes stream`, summarise(script), 'median of 8 ms');
  const a = (ms: number): string => `${(ms / FRAMES).toFixed(2)} ms`;
  process.stdout.write(`  a frame on average: ${a(task)} of the page's thread, of it ${a(scripts)} script, ${a(layout)} style and layout\n`);
  process.stdout.write(`tasks over 50 ms while they stream: ${long.length}${long.length > 0 ? `, the longest ${Math.max(...long).toFixed(0)} ms` : ''} (mark: none)\n`);
}

async function main(): Promise<void> {
  const browser = await launchBrowser();
  try {
    await measureFirstPaint(browser);
    await measureStreaming(browser);
  } finally {
    await browser.close();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
