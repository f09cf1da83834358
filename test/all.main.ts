/**
 * `npm test`: every kind of test, one after the other, all of them even after a failure; nothing is skipped silently: a
 * stage that ran no test, or whose count cannot be read, fails. Ends with one line of totals.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';

interface Stage {
  readonly script: string;
  /** Reads passed and failed from the output; a stage without a count counts as one test. */
  readonly count?: (output: string) => { passed: number; failed: number } | undefined;
}

const number = (output: string, pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? Number.NaN);

const vitestCount = (output: string) => {
  const line = /^\s*Tests\s+(.*)$/m.exec(output)?.[1];
  if (line === undefined || /skipped|todo/.test(line)) return undefined;
  return { passed: number(line, /(\d+) passed/), failed: number(line, /(\d+) failed/) || 0 };
};
const pythonCount = (output: string) => {
  const ran = [...output.matchAll(/^Ran (\d+) tests? in/gm)].reduce((sum, match) => sum + Number(match[1]), 0);
  if (ran === 0 || /skipped=/.test(output)) return undefined;
  const failed = [...output.matchAll(/(?:failures|errors)=(\d+)/g)].reduce((sum, match) => sum + Number(match[1]), 0);
  return { passed: ran - failed, failed };
};
const plainCount = (output: string) => {
  const match = /(\d+) passed, (\d+) failed, 0 skipped/.exec(output);
  return match ? { passed: Number(match[1]), failed: Number(match[2]) } : undefined;
};

const stages: readonly Stage[] = [
  { script: 'typecheck' },
  { script: 'lint' },
  { script: 'test:unit', count: vitestCount },
  { script: 'test:python', count: pythonCount },
  { script: 'package' },
  { script: 'test:host', count: plainCount },
  { script: 'test:e2e', count: plainCount },
];

/** How a stage's output names a test that failed: Vitest, unittest, mocha. */
const failure = /^(?: FAIL  (.+)|(?:FAIL|ERROR): (.+)| {2,4}\d+\) (.+))$/gm;
/** Names told again at the end, where the reader of a long log looks first. */
const MAX_NAMED = 12;
const namesOf = (output: string): string[] => [...new Set([...output.matchAll(failure)].map((match) => (match[1] ?? match[2] ?? match[3] ?? '').trim()))];

/** Colour codes of a stage's output, which would hide its figures. */
const colour = /\u001b\[[0-9;]*m/g;

function runStage(script: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '--silent', script], { cwd: path.resolve(__dirname, '..', '..'), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (target: NodeJS.WriteStream) => (chunk: Buffer) => {
      output += chunk.toString('utf8');
      target.write(chunk);
    };
    child.stdout.on('data', collect(process.stdout));
    child.stderr.on('data', collect(process.stderr));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output: output.replace(colour, '') }));
  });
}

async function main(): Promise<number> {
  let passed = 0;
  let failed = 0;
  const summary: string[] = [];
  for (const { script, count } of stages) {
    console.log(`\n== ${script}`);
    const started = Date.now();
    const { code, output } = await runStage(script);
    const counted = count ? count(output) : { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
    const isGood = code === 0 && counted !== undefined && counted.passed > 0 && counted.failed === 0;
    passed += counted?.passed ?? 0;
    failed += isGood ? 0 : Math.max(1, counted?.failed ?? 1);
    const why = isGood ? '' : counted === undefined ? ', ran no test or skipped some' : `, exit code ${code}`;
    summary.push(`${isGood ? 'ok    ' : 'FAILED'} ${script} (${((Date.now() - started) / 1000).toFixed(0)} s${why})`);
    if (!isGood) summary.push(...namesOf(output).slice(0, MAX_NAMED).map((name) => `       ${name}`));
  }
  console.log(`\n${summary.join('\n')}\n\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
