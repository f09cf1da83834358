import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BACKENDS, check, FIXTURES, stopSandbox } from './harness';

const SOUND = readFileSync(join(FIXTURES, 'sound', 's_percent.py'), 'utf8');
const RESET = 'def reset(self, seed=None):';
const many = (count: number, line: (at: number) => string): string => Array.from({ length: count }, (_, at) => line(at)).join('\n');

/** A sound file in odd clothes: the text, the verdict, and the checks that must have something to say. */
const ODD: Readonly<Record<string, readonly [text: string, verdict: string, ids: readonly string[]]>> = {
  'carriage returns and line feeds': [SOUND.replaceAll('\n', '\r\n'), 'accept', []],
  'carriage returns alone': [SOUND.replaceAll('\n', '\r'), 'accept', []],
  'no newline at the end': [SOUND.trimEnd(), 'accept', []],
  tabs: [SOUND.replaceAll('    ', '\t'), 'accept', []],
  'a form feed first': [`\f${SOUND}`, 'accept', []],
  '10,000 lines more': [`${SOUND}\n${many(5000, (at) => `def helper_${at}(x):\n    return x + ${at}`)}\n`, 'accept', []],
  'hundreds of classes before its own': [`${many(400, (at) => `class Thing${at}:\n    pass`)}\n${SOUND}`, 'accept', []],
  'deep nesting that Python still reads': [`${SOUND}\nDEEP = ${'['.repeat(60)}${']'.repeat(60)}\nWIDE = ${many(2000, () => '1').replaceAll('\n', '+')}\n`, 'accept', []],
  'nesting that Python refuses': [`${SOUND}\nX = ${'('.repeat(300)}1${')'.repeat(300)}\n`, 'reject', ['syntax-error']],
  'a null character': [`${SOUND}\0\n`, 'reject', ['syntax-error']],
  'marks that turn text around, and other line separators': [`${SOUND}\n# \u202e\u2066 \u2028\nZ = "\u2028"\n`, 'accept', []],
  'nothing at all': ['', 'reject', ['no-env-class']],
  'a seed on which it hangs': [SOUND.replace(RESET, `${RESET}\n        while seed == 3: pass`), 'reject', ['reset-timeout']],
  'megabytes of prints': [SOUND.replace(RESET, `${RESET}\n        print("x" * 3000000)`), 'accept', ['prints-to-stdout']],
};

afterAll(stopSandbox);

describe.each(BACKENDS)('odd files in the %s sandbox', (backend) => {
  it.each(Object.entries(ODD))('%s', async (_, [text, verdict, ids]) => {
    const report = await check(text, {}, backend);
    expect(report.verdict, JSON.stringify(report.findings)).toBe(verdict);
    const found = report.findings.filter(({ severity }) => severity === 'error').map(({ id }) => id);
    if (verdict === 'accept') expect(found).toEqual([]);
    for (const id of ids) expect(report.findings.map((finding) => finding.id)).toContain(id);
  }, 120_000);
});
