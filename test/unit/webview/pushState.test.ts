import { describe, expect, it } from 'vitest';
import { PushState } from '../../../src/shared/webviewPush';
import { pushScenes } from '../../e2e/webview/pushScenes';

const scene = (name: string): PushState => {
  const found = pushScenes.find((other) => other.name === name);
  return PushState.parse((found?.setting.answers.results['ready'] as { state: unknown }).state);
};

describe('the push panel', () => {
  it('has the seven keys in the order of the file', () => {
    expect(scene('preview').record.map(({ key }) => key)).toEqual(['game_file', 'skill', 'code_snippet', 'actor_win_rate', 'regret', 'rollout_id', 'metadata']);
  });

  it.each([['preview', 'push'], ['dead-zone', 'anyway'], ['simulated', 'anyway'], ['not-used', 'anyway'], ['in-memory', 'none'], ['failed', 'none']] as const)('%s: the button is %s', (name, button) =>
    expect(scene(name).push).toBe(button));

  it('shows errors first, then warnings, then what passed', () => {
    const order = ['error', 'warning', 'passed'];
    for (const { name } of pushScenes) {
      const places = scene(name).checks.map(({ severity }) => order.indexOf(severity));
      expect(places, name).toEqual([...places].sort());
    }
  });

  it('marks the push among the ranks around it, and who leaves the pool', () => {
    const { rows } = scene('preview').displaces;
    expect(rows.filter(({ note }) => note === 'this-push').map(({ now, after }) => [now, after])).toEqual([[null, scene('preview').figures.rank]]);
    expect(rows.filter(({ note }) => note === 'leaves-pool').map(({ now, after }) => [now, after])).toEqual([[10, 11]]);
    expect(scene('dead-zone').displaces.rows).toEqual([]);
  });

  it('says before a push that it is read and not played, and what becomes of it where the run stands', () => {
    const foot = (name: string): string => scene(name).foot.map(({ template }) => template).join(' ');
    expect(foot('preview')).toContain('To have it played, it must be in a static pool.');
    expect(foot('simulated')).toContain('A restart usually gets a new cache folder');
    expect(foot('live-alone')).toContain('The push waits until the run has ended.');
    expect(foot('preview')).toContain('Goes through the inbox of the link module');
  });

  it('has an action beside every warning that has something to change', () => {
    const actions = new Map(pushScenes.flatMap(({ name }) => scene(name).checks.map((check) => [check.name.template, check.action?.id] as const)));
    expect(actions.get('Dead zone.')).toBe('play');
    expect(actions.get('Open findings.')).toBe('problems');
    expect(actions.get('Cut text.')).toBe('openCut');
  });

  it('stands at one state of the line at most, with done before and to come behind', () => {
    for (const { name } of pushScenes) {
      const line = scene(name).line.map(({ status }) => status);
      const at = line.findIndex((status) => status === 'now' || status === 'failed');
      expect(line.slice(0, Math.max(0, at)).every((status) => status === 'done'), name).toBe(true);
      expect(line.slice(at + 1).every((status) => status === 'todo'), name).toBe(true);
    }
    expect(scene('refused').line.map(({ status }) => status)).toContain('failed');
  });

  it('offers the link module only to a live run without it, and undo only where it does something', () => {
    expect(pushScenes.filter(({ name }) => scene(name).offersLink).map(({ name }) => name)).toEqual(['live-alone']);
    expect(pushScenes.filter(({ name }) => scene(name).undo !== null).map(({ name }) => name)).toEqual(['queued', 'in-memory']);
  });
});
