import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalog, checkById } from '../../../../src/core/checks/catalog';
import type { Profile } from '../../../../src/shared/findings';
import { environment, findings, firesOn } from './static/harness';

const folder = 'media/checks';
const pages = readdirSync(folder).filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -3));
const page = (id: string): string => readFileSync(`${folder}/${id}.md`, 'utf8');
const example = (id: string, heading: 'Bad' | 'Good'): string => new RegExp(`## ${heading}\\n\\n\`\`\`python\\n([\\s\\S]*?)\\n\`\`\``).exec(page(id))![1]!;

/** An example as a whole file: a method is put into a sound one, a class stands for itself. */
function whole(code: string): string {
  const name = /^def (__init__|reset|step|solution)\(/.exec(code)?.[1];
  if (name === undefined) return `${code}\n`;
  return environment({ [name === '__init__' ? 'init' : name]: code.replace(/^(?=.)/gm, '    ') });
}

it('every check has its page, and every page its check', () => {
  expect([...pages].sort()).toEqual(catalog.map(({ id }) => id).sort());
});

const profileWords: Readonly<Record<Profile, string>> = { s: 'single-turn', m: 'multi-turn', c: 'corpus-grounded', t: 'tool use', u: 'tool use with several messages' };

describe.each(pages)('the page of %s', (id) => {
  it('says what is wrong, why it matters, and what to do', () => {
    const text = page(id);
    expect(text.startsWith(`# ${id}\n\n`)).toBe(true);
    const sections = text.split(/^## /m).slice(1).map((section) => section.split('\n\n'));
    expect(sections.map(([heading]) => heading)).toEqual(['Why it matters', 'Bad', 'Good', 'What to do']);
    for (const [heading, ...rest] of sections) expect([heading, rest.join(' ').trim().length > 15]).toEqual([heading, true]);
    expect(example(id, 'Bad')).not.toBe(example(id, 'Good'));
  });
  it('says severity, stage and kinds as the catalog has them', () => {
    const { severity, static: byText, probe, stages, profiles } = checkById(id)!;
    const [, said = '', found = '', kinds = ''] = /^Severity: ([^.]+)\. Found: ([^.]+)\. Applies to: ([^.;]+)[.;]/m.exec(page(id)) ?? [];
    expect(said.split(' ')[0]).toBe(severity);
    const ways = [...(byText ? ['from the text'] : []), ...(probe || stages.includes('probe') ? ['by running the file'] : [])];
    expect(found).toBe(ways.length > 0 ? ways.join(', ') : stages.includes('screen') ? 'by asking a model' : 'from plays');
    expect(kinds).toBe(profiles.length === 0 ? 'all' : profiles.map((profile) => profileWords[profile]).join(', '));
  });
  it('says whether a fix is offered', () => {
    if (checkById(id)!.fixes) expect(page(id)).toMatch(/[Tt]he fix |fix inserts/);
  });
});

const context: Record<string, { profile?: Profile; python?: string; packages?: Record<string, string | null> }> = {
  'syntax-error': { python: '3.11.7' },
  'missing-dependency': { packages: { 'math-verify': null } },
  'new-task-inside-step': { profile: 's' },
};

describe.each(catalog.filter((check) => check.static !== undefined && existsSync(`${folder}/${check.id}.md`)).map(({ id }) => id))('the examples of %s', (id) => {
  const { profile, python = '3.12.0', packages = {} } = context[id] ?? {};
  const judged = { interpreter: { python, packages }, ...(profile === undefined ? {} : { profile }) };
  it('the bad one has the finding', () => {
    expect(firesOn(whole(example(id, 'Bad')), id, judged).length).toBeGreaterThan(0);
  });
  it('the good one does not, nor any error', () => {
    const found = findings(whole(example(id, 'Good')), null, judged);
    expect(found.filter((finding) => finding.id === id || (finding.severity === 'error' && id !== 'missing-dependency'))).toEqual([]);
  });
});
