import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatMessage } from '../../../../../src/shared/message';
import { findings } from './harness';

interface Expected {
  kind: string;
  diagnostics?: { id: string; severity: string; line: number }[];
  message_must_contain?: string[];
  must_not?: string[];
  quick_fix?: { replace: string; with: string };
}

const root = 'test/fixtures/cases';
const cases = readdirSync(root)
  .filter((name) => existsSync(`${root}/${name}/env.py`))
  .map((name) => ({ name, text: readFileSync(`${root}/${name}/env.py`, 'utf8'), expected: JSON.parse(readFileSync(`${root}/${name}/expected.json`, 'utf8')) as Expected }));

/** What the text alone tells of each case; the rest of its findings takes a run of the file, or facts of the interpreter. */
const BY_TEXT: Readonly<Record<string, string[]>> = {
  '05-step-uses-global-rng': ['step-uses-global-rng'],
  '06-unboxed-never-truncates': ['format-branch-ignores-max-turns'],
  '10-flag-is-an-int': ['terminated-not-bool'],
  '11-first-env-class-is-the-helper': ['loader-picks-first-env-class'],
  '12-fstring-brace-nameerror': ['fstring-unescaped-brace'],
  '13-backspace-in-prompt': ['backspace-escape-in-boxed'],
  '16-print-on-stdout': ['prints-to-stdout'],
};

describe.each(cases)('case $name', ({ name, text, expected }) => {
  const found = findings(text);

  it('gives what the text tells, with its severity and line, and no other finding of these checks', () => {
    const wanted = (expected.diagnostics ?? []).filter(({ id }) => BY_TEXT[name]?.includes(id));
    expect(new Set(wanted.map(({ id }) => id))).toEqual(new Set(BY_TEXT[name] ?? []));
    const same = found.filter(({ id }) => BY_TEXT[name]?.includes(id));
    expect(same.map(({ id, severity, line }) => ({ id, severity, line }))).toEqual(wanted);
    for (const word of wanted.length > 0 ? (expected.message_must_contain ?? []) : []) expect(formatMessage(same[0]!.message)).toContain(word);
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
