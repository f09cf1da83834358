import { describe, expect, it } from 'vitest';
import type { ArmsOptions } from '../../../../src/core/play/arms';
import { exportLines, RlLine, SftLine } from '../../../../src/core/play/export';
import { escaped, htmlReport } from '../../../../src/core/play/htmlReport';
import { scriptPolicy } from '../../../../src/core/play/policies/fixed';
import type { Policy } from '../../../../src/core/play/policy';
import { SessionFiles } from '../../../../src/core/play/sessionFiles';
import { NodeFileStore } from '../../../../src/node/files/nodeFileStore';
import { hastyClock } from '../../../fakes/clocks';
import { scriptedSandbox, type FakeEnvironment } from '../../../fakes/scriptedSandbox';
import { savedSession } from '../../../helpers/sessions';
import { tempFolder } from '../../../helpers/tempFolder';

const HOSTILE = '</pre><script>alert(1)</script>\u202Eevil\u001b[31m<img src=x onerror=alert(1)>"\'&';

const game = (): FakeEnvironment => ({
  reset: () => HOSTILE,
  step: (action) => (action.includes('yes') ? ['won', 2, true, false] : ['once more', 0.4, false, false]),
  solution: () => 'yes',
});
const desk = (): FakeEnvironment => ({
  reset: () => 'Find the order.',
  step: (action) => (action.includes('L1') ? ['done', 1, true, false] : ['no', -0.1, false, false]),
  tool: (name, args) => `${name} gave ${JSON.stringify(args)}`,
  tools: [{ type: 'function', function: { name: 'get_order', parameters: { type: 'object', properties: { id: { type: 'string' } } } } }],
});
const options = (over: Partial<ArmsOptions> = {}): ArmsOptions => ({
  file: { name: 'env.py', source: '' }, sandbox: scriptedSandbox(game), policy: scriptPolicy(['\\boxed{no}', '\\boxed{yes}']), hint: null, mode: 'paired',
  seeds: [0, 1], plays: 1, clock: hastyClock(), ...over,
});
const saved = (over: Partial<ArmsOptions> = {}) => savedSession(new SessionFiles(new NodeFileStore(), tempFolder()), options(over));
const parsed = <T>(lines: readonly string[], schema: { parse(value: unknown): T }): T[] => lines.map((line) => schema.parse(JSON.parse(line)));

describe('an export of trajectories', () => {
  it('for reinforcement learning holds the chat, a reward for every reply, and what the run makes of each', async () => {
    const [line] = parsed(exportLines(await saved(), 'rl'), RlLine);
    expect(line?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(line?.messages[0]?.content).toContain(HOSTILE);
    expect(line).toMatchObject({ rewards: [0.4, 2], run_rewards: [0, 1], run_return: 1, metadata: { seed: 0, arm: 'noHint', policy: 'script', status: 'terminated' } });
  });

  it('for imitation holds the episodes that the run counts as won, and no others', async () => {
    expect(parsed(exportLines(await saved(), 'sft'), SftLine)).toHaveLength(2);
    expect(exportLines(await saved({ policy: scriptPolicy(['\\boxed{no}']) }), 'sft')).toEqual([]);
  });

  it('gives native calls, their results by id, and the schema of the tools', async () => {
    const calls = [{ id: 'a', name: 'get_order', arguments: { id: 'L1' } }, { id: 'b', name: 'get_order', arguments: { id: 'two\nlines' } }];
    const session = await saved({ sandbox: scriptedSandbox(desk), policy: scriptPolicy([{ reply: '', thinking: 'Look first.', calls }, '<answer>L1</answer>']), seeds: [4] });
    const [line] = parsed(exportLines(session, 'rl'), RlLine);
    expect(line?.tools).toHaveLength(1);
    expect(line?.messages[0]).toEqual({ role: 'user', content: 'Find the order.' });
    expect(line?.messages[1]).toMatchObject({ role: 'assistant', reasoning_content: 'Look first.', tool_calls: [{ id: 'a', function: { arguments: '{"id":"L1"}' } }, { id: 'b' }] });
    expect(line?.messages.slice(2, 4)).toMatchObject([{ role: 'tool', tool_call_id: 'a' }, { role: 'tool', tool_call_id: 'b', content: 'get_order gave {"id":"two\\nlines"}' }]);
    expect(line?.rewards).toEqual([null, 1]);
    expect(line?.rewards.length).toBe(line?.messages.filter(({ role }) => role === 'assistant').length);
  });

  it('says of every line whether a model took part', async () => {
    const saidOf = async (policy: Policy) => new Set(parsed(exportLines(await saved({ policy }), 'rl'), RlLine).map(({ metadata }) => metadata.simulated));
    expect(await saidOf(scriptPolicy(['\\boxed{yes}']))).toEqual(new Set([true]));
    expect(await saidOf({ ...scriptPolicy(['\\boxed{yes}']), name: 'qwen3-8b', simulated: false })).toEqual(new Set([false]));
  });
});

describe('the report', () => {
  it('holds untrusted text as text alone, under a policy that lets nothing run', async () => {
    const html = await htmlReport(await saved({ hint: HOSTILE }));
    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'/);
    expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>|\u202e|\u001b/i);
    expect(html.match(/<style>/g)).toHaveLength(1);
    expect(html).toContain('&#60;script&#62;');
    expect(html).toContain('raw 2 → clipped 1.00');
    expect(html).toContain('2 pairs');
  });

  it('escapes what could end an attribute or an element', () => {
    expect(escaped('<a href="x">\'&\u0007')).toBe('&#60;a href=&#34;x&#34;&#62;&#39;&#38;\u2407');
  });

  it('of a long text says what was cut', async () => {
    const long = (): FakeEnvironment => ({ reset: () => 'x'.repeat(30_000), step: () => ['', 0, true, false] });
    expect(await htmlReport(await saved({ sandbox: scriptedSandbox(long), seeds: [0] }))).toContain('cut at 20,000 of 30,000 characters');
  });
});
