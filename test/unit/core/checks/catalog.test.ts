import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalog, checkById, families } from '../../../../src/core/checks/catalog';
import { severityOf } from '../../../../src/core/checks/check';
import { Profile, type Severity } from '../../../../src/shared/findings';

const table = readFileSync('test/fixtures/checks.md', 'utf8');

interface Row {
  ids: string[];
  severity: string;
  stages: string[];
  profiles: string[];
  text: string;
}

const rows: Row[] = table
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .map(([ids = '', severity = '', stages = '', profiles = '', text = '']) => ({
    ids: [...ids.matchAll(/`([^`]+)`/g)].map(([, id]) => id!),
    severity,
    stages: stages.split(', '),
    profiles: profiles.split(' ').filter(Boolean),
    text,
  }));

/** Severity of the table in one profile: `warning (error in t u)`, `error in u, warning in t`, `error (warning when guarded)`. */
function severityOfRow(cell: string, profile: Profile): string {
  const words = [...cell.matchAll(/(error|warning|info)(?: in ((?:[smctu] ?)+))?/g)];
  const named = words.find(([, , profiles]) => profiles?.includes(profile));
  return (named ?? words[0])![1]!;
}

describe('the catalog equals the table of the checks', () => {
  it('the fixture holds the whole table', () => {
    expect(rows.length).toBeGreaterThan(60);
  });

  it('has the same ids, in no family twice', () => {
    const ids = catalog.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(rows.flatMap((row) => row.ids).sort());
  });

  it.each(rows.flatMap((row) => row.ids.map((id) => [id, row] as const)))('%s has the severity, stages and profiles of its row', (id, row) => {
    const check = checkById(id)!;
    expect(check.stages).toEqual(row.stages);
    expect(check.profiles).toEqual(row.profiles);
    const applies: readonly Profile[] = row.profiles.length === 0 ? Profile.options : (row.profiles as Profile[]);
    const expected = Object.fromEntries(applies.map((profile) => [profile, severityOfRow(row.severity, profile)]));
    const actual: Record<string, Severity> = Object.fromEntries(applies.map((profile) => [profile, severityOf(check, profile)]));
    expect(actual).toEqual(expected);
  });

  it('a check whose row names a fix can carry one', () => {
    for (const row of rows.filter(({ text }) => /\bfix\b/.test(text))) for (const id of row.ids) expect([id, checkById(id)!.fixes]).toEqual([id, true]);
  });

  it('every stage that a check declares is carried out by a rule of its own', () => {
    // The interpreter's own syntax error is no rule over facts, and a box pattern takes a probe to know that it bites.
    for (const { id, stages, static: byText, probe } of catalog) {
      if (stages.includes('static')) expect([id, byText !== undefined || probe !== undefined]).toEqual([id, true]);
      if (stages.includes('probe') && id !== 'syntax-error') expect([id, probe !== undefined]).toEqual([id, true]);
      if (byText !== undefined) expect([id, stages]).toEqual([id, expect.arrayContaining(['static'])]);
    }
  });

  it('every family has a title and checks', () => {
    for (const { title, checks } of families) expect([title.template.length > 0, checks.length > 0]).toEqual([true, true]);
  });
});
