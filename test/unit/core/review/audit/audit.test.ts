import { appendFileSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkFile, type CheckInput } from '../../../../../src/core/checks/checkFile';
import { readPython } from '../../../../../src/core/environment/pythonDocument';
import type { PythonParser } from '../../../../../src/core/ports';
import { auditCsv } from '../../../../../src/core/review/audit/csv';
import { auditHtml } from '../../../../../src/core/review/audit/html';
import { AuditJournal } from '../../../../../src/core/review/audit/journal';
import { auditMarkdown } from '../../../../../src/core/review/audit/markdown';
import { runAudit, type AuditOptions, type AuditResult } from '../../../../../src/core/review/audit/runAudit';
import { keyOf, stampOf } from '../../../../../src/core/review/audit/stamp';
import { summarise } from '../../../../../src/core/review/audit/summary';
import { findPythonFiles } from '../../../../../src/core/review/findFiles';
import { fingerprint } from '../../../../../src/core/review/novelty';
import { NodeFileStore } from '../../../../../src/node/files/nodeFileStore';
import { pythonParser } from '../../../../helpers/pythonParser';
import { tempFolder } from '../../../../helpers/tempFolder';

const environment = (name: string, answer: string, flag = 'True') =>
  `class ${name}Env:\n    def __init__(self, max_turns=1):\n        self.max_turns = max_turns\n\n    def reset(self, seed=None):\n        return "What is ${answer}?", {}\n\n`
  + `    def step(self, action):\n        return "Done.", 1.0 if "${answer}" in action else 0.0, ${flag}, False, {}\n`;

let parser: PythonParser;
beforeAll(async () => {
  parser = await pythonParser();
});

const files = new NodeFileStore();
const never = new AbortController().signal;

/** A pool with a helper, a copy, and a file whose flag is no bool. */
function pool(): string {
  const folder = tempFolder();
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  put('a_env.py', environment('A', 'one'));
  put('b_env.py', environment('B', 'two', '1'));
  put('c_env.py', environment('A', 'one'));
  put('helper.py', 'def twice(x):\n    return 2 * x\n');
  mkdirSync(join(folder, '__pycache__'));
  put('__pycache__/d_env.py', environment('D', 'four'));
  mkdirSync(join(folder, 'games'));
  put('games/game_00004_001_causal_inference.py', environment('E', '<b>=1</b>', '1'));
  return folder;
}

/** Audits by the text alone and counts what is judged. */
async function audit(folder: string, { signal = never, journal = join(folder, '.envwright', 'audit.jsonl'), onJudge = () => undefined, ...options }: Partial<AuditOptions> & { signal?: AbortSignal; journal?: string; onJudge?: (input: CheckInput) => void } = {}): Promise<AuditResult> {
  return runAudit({
    files, journal: await AuditJournal.open(files, journal),
    print: (text) => fingerprint(readPython(parser, text).tree),
    judge: async (input, aborted) => {
      onJudge(input);
      return { report: await checkFile({ parser, sandbox: null }, { ...input, staticOnly: true }, aborted), sandboxMs: 5 };
    },
  }, {
    paths: await findPythonFiles(files, [folder]), stamp: await stampOf({ staticOnly: true, sandbox: null, severities: {} }), decisions: { suppressions: [], profiles: [] }, profile: null,
    input: { staticOnly: true }, atOnce: 2, ...options,
  }, signal);
}

describe('an audit', () => {
  it('judges each content once, leaves helpers and caches out, and says whose file is whose', async () => {
    const folder = pool();
    const result = await audit(folder);
    expect(result.items.map(({ file, report }) => [file.slice(folder.length + 1), report.verdict])).toEqual([
      ['a_env.py', 'accept-with-warnings'], ['b_env.py', 'reject'], ['c_env.py', 'accept-with-warnings'], ['games/game_00004_001_causal_inference.py', 'reject'],
    ]);
    expect(result).toMatchObject({ judged: 3, reused: 0, sandboxMs: 15, helpers: [join(folder, 'helper.py')] });
    expect(result.items.every(({ file, report }) => report.file === file)).toBe(true);
    expect(result.items.at(-1)?.facts.skill).toBe('Causal Inference');
  });

  it('that was ended goes on where it was, and judges nothing twice', async () => {
    const folder = pool();
    const stop = new AbortController();
    const seen: string[] = [];
    await expect(audit(folder, { signal: stop.signal, atOnce: 1, onProgress: ({ done }) => { if (done === 2) stop.abort(); }, onJudge: ({ text }) => seen.push(text) })).rejects.toThrow();
    expect(seen).toHaveLength(2);
    const result = await audit(folder, { onJudge: ({ text }) => seen.push(text) });
    expect(new Set(seen).size).toBe(seen.length);
    expect(result).toMatchObject({ judged: 1, reused: 2 });
    expect(result.items.map(({ report }) => report.verdict)).toEqual((await audit(folder)).items.map(({ report }) => report.verdict));
  });

  it('judges again what changed, what was torn in the journal, and what could not be judged', async () => {
    const folder = pool();
    const journal = join(folder, '.envwright', 'audit.jsonl');
    await audit(folder, { atOnce: 1 });
    writeFileSync(join(folder, 'a_env.py'), environment('A', 'three'));
    expect(await audit(folder)).toMatchObject({ judged: 1, reused: 3 });
    writeFileSync(journal, readFileSync(journal, 'utf8').slice(0, -40));
    expect(await audit(folder)).toMatchObject({ judged: 1, reused: 3 });
    const lines = readFileSync(journal, 'utf8').replaceAll('"verdict":"reject"', '"verdict":"cannot-run"');
    writeFileSync(journal, lines);
    expect(await audit(folder)).toMatchObject({ judged: 2, reused: 2 });
    appendFileSync(journal, 'no json\n');
    expect(await audit(folder)).toMatchObject({ judged: 0, reused: 4 });
  });

  it('holds other judgements apart: another interpreter, severity, profile or silencing', async () => {
    const by = { staticOnly: false, sandbox: { backend: 'native' as const, python: '3.11.2', packages: {} }, severities: {} };
    const stamp = await stampOf(by);
    const others = await Promise.all([stampOf({ ...by, sandbox: { ...by.sandbox, python: '3.12.1' } }), stampOf({ ...by, sandbox: { ...by.sandbox, packages: { numpy: '2.0' } } }), stampOf({ ...by, severities: { guessable: 'info' } }), stampOf({ ...by, staticOnly: true })]);
    expect(new Set([stamp, ...others]).size).toBe(5);
    const hash = 'a'.repeat(64);
    const keys = await Promise.all([
      keyOf(stamp, hash, { profile: null, suppressions: [] }), keyOf(stamp, hash, { profile: 's', suppressions: [] }),
      keyOf(stamp, hash, { profile: null, suppressions: [{ scope: 'file', id: 'guessable', file: 'x', hash }] }),
    ]);
    expect(new Set(keys).size).toBe(3);
    expect(await keyOf(stamp, hash, { profile: null, suppressions: [{ scope: 'file', id: 'guessable', file: 'x', hash: 'b'.repeat(64) }] })).toBe(keys[0]);
  });

  it('lists a file on which the checks fail as not judged, and goes on', async () => {
    const folder = pool();
    const result = await audit(folder, { onJudge: ({ file }) => { if (file.endsWith('b_env.py')) throw new Error('a defect'); } });
    expect(result.items.map(({ report }) => report.verdict)).toEqual(['accept-with-warnings', 'cannot-run', 'accept-with-warnings', 'reject']);
    expect(result.items[1]?.report.notChecked[0]?.reason.args).toMatchObject({ why: 'a defect' });
  });
});

describe('the reports of an audit', () => {
  it('count verdicts and findings, group duplicates, name the worst, and hold coverage against the wanted skills', async () => {
    const folder = pool();
    const summary = summarise(await audit(folder), ['Causal Inference', 'Optimization']);
    expect(summary.verdicts).toEqual({ reject: 2, 'cannot-run': 0, 'accept-with-warnings': 2, accept: 0 });
    expect(summary.checks[0]).toEqual({ id: 'terminated-not-bool', severity: 'error', files: 2, findings: 2 });
    expect(summary.same.map((group) => group.files)).toEqual([[join(folder, 'a_env.py'), join(folder, 'c_env.py')]]);
    expect(summary.worst[0]?.file).toBe(join(folder, 'b_env.py'));
    expect(summary.coverage.bySkill).toEqual(new Map([['Causal Inference', 1], ['Optimization', 0], ['unknown', 3]]));
    expect(summary.notMade.length).toBeGreaterThan(20);
  });

  it('show whatever a file holds as text: no markup, no formula, no control character', async () => {
    const folder = pool();
    const hostile = join(folder, '<img src=x onerror=alert(1)>|`_env.py');
    writeFileSync(hostile, environment('H', 'one', '1'));
    writeFileSync(join(folder, '\u202ecod_env.py'), environment('I', 'six', '1'));
    const result = await audit(folder);
    const summary = summarise(result);
    const html = await auditHtml(result, summary, { link: encodeURI });
    expect(html).not.toMatch(/<img|<b>=1|\u202e/);
    expect(html).toContain('&#60;img src=x');
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1];
    expect(policy).toMatch(/^default-src &#39;none&#39;; style-src &#39;sha256-[\w+/=]+&#39;/);
    expect(html).not.toMatch(/<script|\son\w+="|\sstyle=/);
    const markdown = auditMarkdown(result, summary);
    expect(markdown).toContain('\\<img src=x');
    expect(markdown).not.toMatch(/\u202e/);
    const csv = auditCsv({ items: result.items.map((item) => ({ ...item, file: `=cmd|'${item.file}"` })) }, summary);
    expect(csv.split('\r\n')[1]).toMatch(/^"'=cmd\|'.*"""/);
    expect(csv.split('\r\n')).toHaveLength(result.items.length + 2);
  });
});
