import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatMessage } from '../../../../../src/shared/message';
import type { FileReport } from '../../../../../src/shared/findings';
import { BACKENDS, check, FIXTURES, sandboxOf, stopSandbox } from './harness';

interface Expected {
  readonly kind: string;
  readonly input?: string;
  readonly verdict?: string;
  readonly diagnostics?: readonly { readonly id: string; readonly severity: string; readonly line: number }[];
  readonly must_not?: readonly string[];
  readonly alternative_line?: number;
  readonly message_must_contain?: readonly string[];
  readonly by_interpreter?: Readonly<Record<string, Expected>>;
  readonly second?: Readonly<Record<string, Expected | string>>;
}

const CASES = join(FIXTURES, 'cases');
const folders = readdirSync(CASES).filter((name) => existsSync(join(CASES, name, 'expected.json')));
const read = (folder: string): Expected => JSON.parse(readFileSync(join(CASES, folder, 'expected.json'), 'utf8')) as Expected;

/** What a report must be: the verdict, each finding with severity and line, silence where asked, no other error. */
function compare(report: FileReport, expected: Expected): void {
  const seen = JSON.stringify(report.findings.map(({ id, severity, line }) => [id, severity, line]));
  const verdicts = expected.verdict === 'accept' ? ['accept', 'accept-with-warnings'] : [expected.verdict];
  if (expected.verdict === 'accept-with-warnings' && expected.diagnostics?.length === 0) verdicts.push('accept');
  expect(verdicts, seen).toContain(report.verdict);
  for (const { id, severity, line } of expected.diagnostics ?? []) {
    const lines = [line, expected.alternative_line];
    const found = report.findings.find((finding) => finding.id === id && lines.includes(finding.line));
    expect(found, `${id} on ${line}: ${seen}`).toBeDefined();
    expect(found?.severity).toBe(severity);
    for (const text of expected.message_must_contain ?? []) expect(formatMessage(found!.message)).toContain(text);
  }
  const listed = new Set(expected.diagnostics?.map(({ id }) => id));
  expect(report.findings.filter(({ severity, id }) => severity === 'error' && !listed.has(id))).toEqual([]);
  for (const id of expected.must_not ?? []) expect(report.findings.map((finding) => finding.id)).not.toContain(id);
}

afterAll(stopSandbox);

describe.each(BACKENDS)('cases from the field, in the %s sandbox', (backend) => {
  it.each(folders.filter((folder) => read(folder).kind === 'validate'))('%s', async (folder) => {
    const expected = read(folder);
    const { python } = await sandboxOf(backend).get();
    const version = python.split('.').slice(0, 2).join('.');
    const forPython = (by: Readonly<Record<string, Expected | string>>): Expected => (by[Number(version.split('.')[1]) >= 12 ? '3.12' : '3.11'] as Expected);
    const text = (name: string): string => readFileSync(join(CASES, folder, name), 'utf8');
    compare(await check(text(expected.input!), {}, backend), expected.by_interpreter === undefined ? expected : forPython(expected.by_interpreter));
    if (expected.second !== undefined) compare(await check(text(expected.second['input'] as string), {}, backend), forPython(expected.second));
  }, 120_000);
});
