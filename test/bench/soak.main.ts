/**
 * Many sessions at once for long: `node out/test/bench/soak.main.js [backend] [sessions] [episodes]`, by default 300
 * sessions and 20,000 episodes, a tenth of them hostile. Fails when an honest episode goes wrong, when something hangs, or
 * when processes, descriptors or memory do not come back to where they were.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox, SandboxChoice, SandboxSession, SessionLimits } from '../../src/core/ports';
import { SandboxError } from '../../src/core/sandboxError';
import { createSandboxProvider } from '../../src/node/sandbox/provider';

const ROOT = path.resolve(__dirname, '../../..');
const HOSTILE = path.join(ROOT, 'test/fixtures/hostile');
const HONEST = readFileSync(path.join(ROOT, 'test/fixtures/cases/18-answer-in-observation/env.py'), 'utf8');
const HOSTILE_SHARE = 10;
const EPISODES_A_SESSION = 8;
const LIMITS: Partial<SessionLimits> = { callMs: 500, cpuSeconds: 3, memoryBytes: 96 * 1024 * 1024, outputBytes: 64 * 1024 };
/** A hostile episode must be over in this time, whatever it does: its limits, some patience for a busy machine, and its turns behind all other sessions. */
const hangMs = (sessions: number): number => 60_000 + sessions * 500;
const logger = { info: () => undefined, warn: (text: string) => console.error(text), error: (text: string) => console.error(text) };

interface Tally {
  honest: number;
  hostile: number;
  readonly wrong: string[];
  readonly outcomes: Map<string, number>;
}

const load = (session: SandboxSession, source: string) => session.load({ source, file: 'game.py', construction: 'play', maxTurns: 25, thread: 'worker' });

async function honestEpisode(session: SandboxSession, seed: number): Promise<boolean> {
  await session.reset(seed);
  await session.step('no answer');
  const answer = (await session.solution()).text.text;
  const last = await session.step(`\\boxed{${answer}}`);
  return last.reward.number === 1 && last.terminated.json === true;
}

async function hostileEpisode(sandbox: Sandbox, name: string, tally: Tally, patienceMs: number): Promise<void> {
  const session = await sandbox.open({ limits: LIMITS });
  let outcome = 'survived';
  const timer = setTimeout(() => tally.wrong.push(`${name} hung`), patienceMs);
  try {
    await load(session, readFileSync(path.join(HOSTILE, `${name}.py`), 'utf8'));
    await session.reset(1);
    await session.step('go');
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    outcome = error.raised ? 'raised' : error.end!.reason;
  } finally {
    clearTimeout(timer);
    await session.close();
  }
  tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);
}

/** Keeps one session busy at a time, anew every few episodes, until all episodes are made. */
async function worker(sandbox: Sandbox, next: () => number | null, hostile: readonly string[], tally: Tally, patienceMs: number): Promise<void> {
  let session: SandboxSession | null = null;
  let made = 0;
  for (let episode = next(); episode !== null; episode = next()) {
    if (episode % HOSTILE_SHARE === 0) {
      tally.hostile += 1;
      await hostileEpisode(sandbox, hostile[(episode / HOSTILE_SHARE) % hostile.length]!, tally, patienceMs);
      continue;
    }
    if (session === null) {
      session = await sandbox.open({ limits: { callMs: 60_000, loadMs: 60_000 } });
      await load(session, HONEST);
    }
    tally.honest += 1;
    const good = await honestEpisode(session, episode).catch((error: unknown) => String(error));
    if (good !== true) tally.wrong.push(`honest episode ${episode}: ${String(good)}`);
    made += 1;
    if (made % EPISODES_A_SESSION === 0 || good !== true) {
      await session.close();
      session = null;
    }
  }
  await session?.close();
}

/** What this process and those below it hold. */
function holdings(): { descriptors: number; processes: number; megabytes: number } {
  const table = execFileSync('ps', ['-eo', 'pid,ppid,rss'], { encoding: 'utf8' }).split('\n').slice(1).map((line) => line.trim().split(/\s+/).map(Number));
  const below = (pid: number): number[][] => table.filter(([, parent]) => parent === pid).flatMap((row) => [row, ...below(row[0]!)]);
  const rows = below(process.pid);
  global.gc?.();
  return {
    descriptors: readdirSync('/proc/self/fd').length,
    processes: rows.length,
    megabytes: Math.round((process.memoryUsage().rss + rows.reduce((sum, [, , rss]) => sum + (rss ?? 0) * 1024, 0)) / 1024 / 1024),
  };
}

async function main(): Promise<boolean> {
  const choice = (process.argv[2] ?? 'native') as SandboxChoice;
  const [sessions, episodes] = [Number(process.argv[3] ?? 300), Number(process.argv[4] ?? 20_000)];
  const expected = JSON.parse(readFileSync(path.join(HOSTILE, 'expected.json'), 'utf8')) as Record<string, { group: string }>;
  const provider = createSandboxProvider({ choice, assetsDir: path.join(ROOT, 'dist'), logger, maxSessions: sessions + 20 });
  const sandbox = await provider.get();
  const tally: Tally = { honest: 0, hostile: 0, wrong: [], outcomes: new Map() };
  await worker(sandbox, counter(40), Object.keys(expected), tally, hangMs(1));
  await settle();
  const before = holdings();
  const start = performance.now();
  const next = counter(episodes, (made) => console.error(`${made} episodes begun in ${((performance.now() - start) / 1000).toFixed(0)} s, ${tally.wrong.length} wrong`));
  await Promise.all(Array.from({ length: sessions }, () => worker(sandbox, next, Object.keys(expected), tally, hangMs(sessions))));
  const seconds = (performance.now() - start) / 1000;
  await settle();
  const after = holdings();
  provider.dispose();
  console.log(`${choice}: ${sessions} sessions at once, ${tally.honest} honest and ${tally.hostile} hostile episodes in ${seconds.toFixed(1)} s`);
  console.log(`hostile outcomes: ${[...tally.outcomes].map(([name, count]) => `${name} ${count}`).join(', ')}`);
  console.log(`before: ${JSON.stringify(before)}; after: ${JSON.stringify(after)}`);
  for (const wrong of tally.wrong.slice(0, 20)) console.error(wrong);
  const leaks = after.processes > before.processes || after.descriptors > before.descriptors + 2 || after.megabytes > before.megabytes * 1.5 + 100;
  if (leaks) console.error('something did not come back to where it was');
  return tally.wrong.length === 0 && !leaks;
}

/** Numbers from 0 up to the count; tells each thousandth. */
function counter(count: number, tell: (made: number) => void = () => undefined): () => number | null {
  let at = 0;
  return () => {
    if (at >= count) return null;
    if (at % 1_000 === 0 && at > 0) tell(at);
    return at++;
  };
}

/** Time for processes to end and for the pool to fill again. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 3_000));
}

main().then((good) => process.exit(good ? 0 : 1), (error: unknown) => {
  console.error(error);
  process.exit(1);
});
