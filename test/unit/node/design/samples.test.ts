import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkFile } from '../../../../src/core/checks/checkFile';
import { KINDS, type DesignKind } from '../../../../src/core/design/skills';
import { countWords, MAX_HINT_WORDS } from '../../../../src/core/design/hint';
import { formatMessage } from '../../../../src/shared/message';
import { promptFiles } from '../../../../src/node/design/promptFiles';
import { readSamples } from '../../../../src/node/design/sampleFiles';
import { createSandboxProvider } from '../../../../src/node/sandbox/provider';
import { pythonParser } from '../../../helpers/pythonParser';

const root = join(import.meta.dirname, '../../../..');
const media = join(root, 'media');
const sandbox = createSandboxProvider({
  choice: 'native', assetsDir: join(root, 'src'), logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
});
afterAll(() => sandbox.dispose());

async function check(name: string, text: string, kind: DesignKind): Promise<{ verdict: string; findings: string[] }> {
  const report = await checkFile({ parser: await pythonParser(), sandbox }, { file: name, text, profile: KINDS[kind].profile }, new AbortController().signal);
  return { verdict: report.verdict, findings: report.findings.flatMap(({ id, severity, line, message }) => (severity === 'info' ? [] : [`${id} ${line}: ${formatMessage(message)}`])) };
}

const samples = await readSamples(media);

describe('the offline samples', () => {
  it.each(samples.designs.map((sample) => [sample.name, sample] as const))('%s passes every check of its kind', async (name, { code, kind }) => {
    expect(await check(name, code, kind as DesignKind)).toEqual({ verdict: 'accept', findings: [] });
  }, 120_000);

  it('a first draft with faults is rejected, so that repairing can be seen', async () => {
    const faulty = samples.designs.filter((sample) => sample.faulty !== null);
    expect(faulty.length).toBeGreaterThan(0);
    for (const { name, faulty: code, kind } of faulty) expect((await check(name, code ?? '', kind as DesignKind)).verdict).toBe('reject');
  }, 120_000);

  it('cover every kind, and hold a short hint for each design and each sample environment', () => {
    expect(new Set(samples.designs.map(({ kind }) => kind))).toEqual(new Set(Object.keys(KINDS)));
    for (const { code } of samples.designs) expect(samples.hints[/^class (\w+)/m.exec(code)?.[1] ?? '']).toBeTruthy();
    for (const hint of Object.values(samples.hints)) expect(countWords(hint)).toBeLessThanOrEqual(MAX_HINT_WORDS);
  });
});

describe('the worked examples of the prompts', () => {
  it.each(Object.keys(KINDS) as DesignKind[])('that of %s has no finding but what happens after its end', async (kind) => {
    const { verdict, findings } = await check(`${kind}.py`, await promptFiles(media).example(kind), kind);
    expect(findings.filter((finding) => !finding.startsWith('step-after-end-pays'))).toEqual([]);
    expect(['accept', 'accept-with-warnings']).toContain(verdict);
  }, 120_000);
});

it('every template that is read exists, with a version', async () => {
  const names = [...readFileSync(join(media, 'prompts', 'README.md'), 'utf8').matchAll(/`([a-z-]+)\.md`/g)].map(([, name = '']) => name);
  const rules = Object.values(KINDS).flatMap((kind) => kind.rules);
  for (const name of new Set([...names, ...rules])) expect((await promptFiles(media).template(name)).version).toMatch(/^[1-9]\d*$/);
});
