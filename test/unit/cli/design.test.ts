import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DesignReport } from '../../../src/shared/design';
import { ModelError } from '../../../src/core/models/errors';
import { promptFiles } from '../../../src/node/design/promptFiles';
import { message } from '../../../src/shared/message';
import { scriptedModel, type ScriptedReply } from '../../fakes/scriptedModel';
import { cli } from '../../helpers/cli';
import { fixturePath } from '../../helpers/fixtures';
import { tempFolder } from '../../helpers/tempFolder';

const block = (code: string) => `\`\`\`python\n${code}\n\`\`\`\n`;
const sound = readFileSync(fixturePath('checks/reset-ignores-seed/near_miss.py'), 'utf8');
const ARGV = ['design', '--skill', 'Optimization', '--out', 'out', '--json'];

async function design(replies: ScriptedReply[], flags: readonly string[] = [], confirm?: (question: string) => Promise<boolean>) {
  const folder = tempFolder();
  const client = scriptedModel(replies);
  const templates = promptFiles(join(import.meta.dirname, '../../../media'));
  const { out, err, code } = await cli(folder, [...ARGV, ...flags], { offlineModel: () => Promise.resolve(client), model: () => Promise.resolve(client), templates, ...(confirm && { confirm }) });
  return { code, err, ...(code === 3 && !out.includes('drafts') ? { drafts: [] } : DesignReport.parse(JSON.parse(out))), files: readdirSync(join(folder, 'out'), { withFileTypes: true }).map(({ name }) => name).sort(), folder };
}

describe('design on the command line', () => {
  it('keeps the first draft beside the repair: a run trains on the first', async () => {
    const { drafts, files, folder } = await design([block('class BrokenEnv:\n    def reset(self'), block(sound)]);
    expect(files).toEqual(['optimization_0_env.first.txt', 'optimization_0_env.py']);
    expect(readFileSync(join(folder, 'out', files[0]!), 'utf8')).toContain('BrokenEnv');
    expect(drafts[0]?.first).toBe(join(folder, 'out', files[0]!));
    expect(drafts[0]?.attempts.map(({ verdict }) => verdict)).toEqual(['reject', 'cannot-run']);
  });

  it('gives what there is when the model fails in a repair, and says why there is no more', async () => {
    const { code, err, drafts, files } = await design([block('class BrokenEnv:\n    def reset(self'), new ModelError('server-error', message('It broke.'), message('Again.'))]);
    expect(code).toBe(1);
    expect(err).toMatch(/no more repairs: It broke\./);
    // Who watches sees what a draft is rejected for.
    expect(err).toMatch(/draft 1: reject .*syntax-error/);
    expect(drafts[0]?.attempts).toHaveLength(1);
    expect(files).toEqual(['optimization_0_env.py']);
  });

  it('gives the drafts that were made when the model fails in a later one, and says how to make the others', async () => {
    const { code, err, drafts, failed, files } = await design([block(sound), new ModelError('server-error', message('It broke.'), message('Again.'))], ['--drafts', '3']);
    expect(code).toBe(3);
    expect(drafts).toHaveLength(1);
    expect(failed).toEqual({ code: 'model/server-error', message: 'It broke.', next: 'Again.' });
    expect(err).toMatch(/1 of 3 drafts were made; the others are --seed 1 --drafts 2\./);
    expect(files).toEqual(['optimization_0_env.py']);
  });

  it('stops at its budget and asks; with nobody to ask, what was made is given', async () => {
    const flags = ['--drafts', '3', '--repairs', '0', '--endpoint', 'http://localhost:1/v1', '--model', 'm', '--budget', '100'];
    const questions: string[] = [];
    const stopped = await design([block(sound)], flags);
    expect([stopped.code, stopped.drafts.length, stopped.failed?.code]).toEqual([3, 1, 'model/budget']);
    expect(stopped.err).toMatch(/The budget of tokens is used up: 120 tokens\. .* It is raised with --budget\./);
    const goneOn = await design([block(sound)], flags, (question) => { questions.push(question); return Promise.resolve(questions.length < 2); });
    expect([goneOn.drafts.length, questions.length]).toEqual([2, 2]);
    expect(questions[0]).toBe('The budget of 100 tokens is used up: 120. Allow another 100?');
  });
});
