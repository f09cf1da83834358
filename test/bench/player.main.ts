/**
 * Figures of the player's page in a browser: `node out/test/bench/player.main.js`. The page is that of `dist/webview`, its host is played.
 */
import type { Page } from 'playwright-core';
import { launchBrowser } from '../editor/chromium';
import { large, scenes, type Scene } from '../e2e/webview/scenes';
import { slots, state, transcript } from '../e2e/webview/states';
import { openScene, type Stage } from '../e2e/webview/stage';
import { report, summarise } from './measure';

const EPISODES = 32;
const FRAMES = 300;

/** Milliseconds from the snapshot of a saved session to the frame in which its episodes and its first transcript are drawn. */
async function firstPaint({ page }: Stage): Promise<number> {
  return page.evaluate(async (json) => {
    const { state: shown, pair } = JSON.parse(json) as { state: unknown; pair: unknown };
    const post = (method: string, params: unknown) => window.dispatchEvent(new MessageEvent('message', { data: { type: 'note', method, params } }));
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const started = performance.now();
    post('state', shown);
    while (!window.sentToHost.some(({ method }) => method === 'watch')) await frame();
    post('pair', { ...(pair as object), slots: { hint: 0, noHint: 0 } });
    while (document.querySelector('.step') === null || document.querySelectorAll('.cell').length < 100) await frame();
    await frame();
    return performance.now() - started;
  }, JSON.stringify({ state: large.state, pair: large.pair }));
}

interface Streamed {
  readonly script: number[];
  readonly long: number[];
}

/** Streams into the two episodes on screen every frame, while all 32 go on; gives the script's time a frame and the long tasks. */
async function streaming(page: Page): Promise<Streamed> {
  const going = state({ phase: 'running', slots: slots(EPISODES, () => 'running'), progress: { total: 64, done: 0, failed: 0, running: EPISODES, elapsedMs: 0, remainingMs: null, tokens: null, tokensEstimated: true } });
  return page.evaluate(async ({ json, frames }) => {
    const given = JSON.parse(json) as { state: { progress: object } };
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
      if (n % 6 === 0) post('state', { ...given.state, progress: { ...given.state.progress, elapsedMs: n * 16 } });
    }
    return { script, long };
  }, { json: JSON.stringify({ state: going }), frames: FRAMES });
}

const running: Scene = {
  ...large, name: 'streaming', slot: 3,
  state: state({ phase: 'running', slots: slots(EPISODES, () => 'running') }),
  pair: {
    slots: { hint: 3, noHint: 3 }, compare: null, titles: null, divergence: null,
    hint: transcript('hint', { status: 'running', return: null, steps: transcript('hint').steps.slice(0, 2), live: { step: 3, observation: { text: 'o', length: 1, lines: 1 }, thinking: '', reply: '' }, finalObservation: null }),
    noHint: transcript('noHint', { status: 'running', return: null, steps: transcript('noHint').steps.slice(0, 2), live: { step: 3, observation: { text: 'o', length: 1, lines: 1 }, thinking: '', reply: '' }, finalObservation: null }),
  },
};

async function main(): Promise<void> {
  const browser = await launchBrowser();
  try {
    const paints: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const stage = await openScene(browser, scenes.find(({ name }) => name === 'empty')!);
      paints.push(await firstPaint(stage));
      await stage.page.context().close();
    }
    report('first paint of a saved session of 100 episodes', summarise(paints), 'under 300 ms');
    const { page } = await openScene(browser, running);
    const { script, long } = await streaming(page);
    report(`script a frame while ${EPISODES} episodes stream`, summarise(script), 'median of 8 ms');
    report('tasks over 50 ms while they stream', summarise(long.length > 0 ? long : [0]), 'none over 50 ms');
  } finally {
    await browser.close();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
