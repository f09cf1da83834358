/** Entry of the suite, the same for the desktop editor and the npm-served one: mocha, and a result file written after every test. */
import fs from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';

interface Result {
  passed: string[];
  failed: { title: string; message: string; stack?: string | undefined }[];
  skipped: string[];
  done: boolean;
}

export function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'tdd', timeout: 60_000, ...(process.env.MOCHA_GREP ? { grep: process.env.MOCHA_GREP } : {}) });
  const folder = path.resolve(__dirname, 'suite');
  for (const name of fs.readdirSync(folder).sort()) {
    if (name.endsWith('.test.js')) mocha.addFile(path.join(folder, name));
  }
  const result: Result = { passed: [], failed: [], skipped: [], done: false };
  const write = () => {
    if (process.env.ENVWRIGHT_TEST_RESULT) fs.writeFileSync(process.env.ENVWRIGHT_TEST_RESULT, JSON.stringify(result, null, 1));
  };
  return new Promise((resolve, reject) => {
    const runner = mocha.run((failures) => {
      result.done = true;
      write();
      if (failures > 0) reject(new Error(`${failures} tests failed.`));
      else resolve();
    });
    runner.on('pass', (test) => {
      result.passed.push(test.fullTitle());
      write();
    });
    runner.on('pending', (test) => {
      result.skipped.push(test.fullTitle());
      write();
    });
    runner.on('fail', (test, error: Error) => {
      result.failed.push({ title: test.fullTitle(), message: error.message, stack: error.stack });
      write();
    });
  });
}
