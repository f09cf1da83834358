import * as assert from 'node:assert';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
import type { FileReport } from '../../../src/shared/findings';
import { envwright, sample } from './api';

/** Longest time, in milliseconds, that checking may hold the extension host, beside what it is held without it. */
const MOST = 50;
/** Lines of padding, so that parsing alone takes long. */
const LINES = 10_000;

/** The longest gap of the event loop, in milliseconds, while some work is done. */
async function longestGap(work: () => Promise<unknown>): Promise<number> {
  const histogram = monitorEventLoopDelay({ resolution: 2 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  histogram.enable();
  await work();
  histogram.disable();
  return histogram.max / 1e6;
}

/** The smallest of three longest gaps: what others do on the machine comes and goes, what the work does comes every time. */
async function steadyGap(work: () => Promise<unknown>): Promise<number> {
  const gaps = [await longestGap(work), await longestGap(work), await longestGap(work)];
  return Math.min(...gaps);
}

suite('responsiveness', () => {
  for (const [name, lines] of [['a sample', 0], ['a file of 10,000 lines', LINES]] as const) {
    test(`checking ${name} never holds the extension host for long`, async () => {
      await envwright();
      const uri = sample(`environments/long_${lines}_env.py`);
      const source = new TextDecoder().decode(await vscode.workspace.fs.readFile(sample('environments/clock_angle_env.py')));
      const padding = Array.from({ length: lines / 2 }, (_, at) => `def helper_${at}(value):\n    return [value, {"${at}": value + ${at}}]\n`).join('');
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(`${source}\n${padding}`));
      await vscode.workspace.openTextDocument(uri);
      let report: FileReport | undefined;
      const check = async () => {
        report = await vscode.commands.executeCommand<FileReport>('envwright.checkFile', uri);
      };
      await check();
      const idle = await steadyGap(() => new Promise((resolve) => setTimeout(resolve, 1000)));
      const busy = await steadyGap(check);
      assert.strictEqual(report?.class, 'ClockAngleEnv');
      assert.ok(report.timing.probeMs !== null, 'it was run');
      console.log(`longest gap: idle ${idle.toFixed(1)} ms, checking ${name} ${busy.toFixed(1)} ms`);
      await vscode.workspace.fs.delete(uri);
      assert.ok(busy < idle + MOST, `idle ${idle.toFixed(1)} ms, checking ${busy.toFixed(1)} ms`);
    });
  }
});
