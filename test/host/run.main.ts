/**
 * Runs the mocha suite of `test/host/suite` inside a real extension host through `runTests` of `@vscode/test-electron`:
 * in the downloaded desktop editor where that can be had, else in the npm-served one. No result file counts as failure.
 */
import { runTests } from '@vscode/test-electron';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { ensureDebugpy } from '../editor/debugpy';
import { editorExecutable } from '../editor/executable';
import { projectRoot, resultsFolder } from '../editor/paths';

const Result = z.object({
  passed: z.array(z.string()),
  failed: z.array(z.object({ title: z.string(), message: z.string(), stack: z.string().optional() })),
  skipped: z.array(z.string()),
  done: z.boolean(),
});

/** A copy of the sample workspace, so that a test may write into it. */
function sampleWorkspace(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'envwright-sample-'));
  fs.cpSync(path.join(projectRoot, 'media', 'sample-workspace'), folder, { recursive: true });
  return folder;
}

async function main(): Promise<number> {
  const executable = await editorExecutable();
  const debugpy = await ensureDebugpy();
  const workspace = sampleWorkspace();
  const resultFile = path.join(resultsFolder, 'host.json');
  fs.mkdirSync(resultsFolder, { recursive: true });
  fs.rmSync(resultFile, { force: true });
  let failure: unknown;
  try {
    await runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: [projectRoot, ...['modelExtension', 'debuggerExtension'].map((name) => path.join(projectRoot, 'out', 'test', 'host', name))],
      extensionTestsPath: path.join(projectRoot, 'out', 'test', 'host', 'index'),
      launchArgs: [workspace, '--disable-extensions'],
      extensionTestsEnv: { ENVWRIGHT_TEST_RESULT: resultFile, ENVWRIGHT_TEST_DEBUGPY: debugpy },
    });
  } catch (error) {
    failure = error;
  } finally {
    fs.rmSync(workspace, { recursive: true, force: true });
  }
  if (!fs.existsSync(resultFile)) {
    console.error('The suite wrote no result.', failure);
    return 1;
  }
  const result = Result.parse(JSON.parse(fs.readFileSync(resultFile, 'utf8')));
  for (const { title, message, stack } of result.failed) console.error(`FAILED ${title}\n${stack ?? message}`);
  console.log(`host: ${result.passed.length} passed, ${result.failed.length} failed, ${result.skipped.length} skipped`);
  const isGood = result.done && result.failed.length === 0 && result.skipped.length === 0 && result.passed.length > 0 && failure === undefined;
  if (!isGood && result.failed.length === 0) console.error('The suite did not run to its end, skipped a test, or ran none.', failure ?? '');
  return isGood ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
