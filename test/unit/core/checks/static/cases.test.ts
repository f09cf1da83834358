import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkById } from '../../../../../src/core/checks/catalog';
import { formatMessage } from '../../../../../src/shared/message';
import { findings } from './harness';

interface Expected {
  kind: string;
  diagnostics?: { id: string; severity: string; line: number }[];
  alternative_line?: number;
  message_must_contain?: string[];
  must_not?: string[];
  quick_fix?: { replace: string; with: string };
}

const root = 'test/fixtures/cases';
const cases = readdirSync(root)
  .filter((name) => existsSync(`${root}/${name}/env.py`))
  .map((name) => ({ name, text: readFileSync(`${root}/${name}/env.py`, 'utf8'), expected: JSON.parse(readFileSync(`${root}/${name}/expected.json`, 'utf8')) as Expected }));

describe.each(cases)('case $name', ({ text, expected }) => {
  const found = findings(text);

  it('gives the static findings that are expected, on their lines', () => {
    for (const { id, severity, line } of expected.diagnostics ?? []) {
      if (checkById(id)!.stages.includes('probe') && !found.some((finding) => finding.id === id)) continue;
      if (checkById(id)!.static === undefined) continue;
      const same = found.filter((finding) => finding.id === id);
      expect([id, same.map((finding) => [finding.severity, finding.line])]).toEqual([id, expect.arrayContaining([[severity, same.some((finding) => finding.line === expected.alternative_line) ? expected.alternative_line : line]])]);
      for (const word of expected.message_must_contain ?? []) expect(formatMessage(same[0]!.message)).toContain(word);
    }
  });

  it('gives no error that is not expected, and nothing that must not be', () => {
    const ids = new Set((expected.diagnostics ?? []).map(({ id }) => id));
    expect(found.filter(({ id, severity }) => severity === 'error' && !ids.has(id))).toEqual([]);
    expect(found.filter(({ id }) => expected.must_not?.includes(id))).toEqual([]);
  });
});

describe.each(cases.filter(({ expected }) => expected.quick_fix))('case $name', ({ text, expected }) => {
  it('offers the expected fix', () => {
    const edits = findings(text).find(({ id }) => id === expected.diagnostics![0]!.id)!.fix!.edits;
    const line = text.split('\n')[edits[0]!.line - 1]!;
    const mended = [...edits].reverse().reduce((now, { column, endColumn, newText }) => now.slice(0, column - 1) + newText + now.slice(endColumn - 1), line);
    expect(mended).toBe(line.replace(expected.quick_fix!.replace, expected.quick_fix!.with));
  });
});
