/**
 * Runs the browser tests: the workbench with the packaged extension, and the webviews by themselves. Packages the
 * extension first, so that what is tested is what is shipped.
 */
import fs from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { ensureChromium } from '../editor/chromium';
import { projectRoot, resultsFolder } from '../editor/paths';
import { runOrThrow } from '../editor/process';
import { ensureServedEditor } from '../editor/servedEditor';

async function main(): Promise<number> {
  await ensureChromium();
  await ensureServedEditor();
  const vsix = path.join(projectRoot, 'out', 'envwright.vsix');
  await runOrThrow('npm', ['run', '--silent', 'package', '--', '--out', vsix], { cwd: projectRoot, stdio: ['ignore', 'ignore', 'inherit'] });
  process.env.ENVWRIGHT_TEST_VSIX = vsix;
  fs.mkdirSync(resultsFolder, { recursive: true });
  const mocha = new Mocha({ ui: 'tdd', timeout: 180_000, reporter: 'spec', ...(process.env.MOCHA_GREP ? { grep: process.env.MOCHA_GREP } : {}) });
  const files = fs.readdirSync(__dirname, { recursive: true }).map(String).filter((name) => name.endsWith('.test.js')).sort();
  for (const name of files) mocha.addFile(path.join(__dirname, name));
  let passed = 0;
  let skipped = 0;
  const failed = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', () => passed++);
    runner.on('pending', () => skipped++);
  });
  console.log(`e2e: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 && skipped === 0 && passed > 0 ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
