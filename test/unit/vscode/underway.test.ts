import { describe, expect, it, vi } from 'vitest';
import type { PlayReport } from '../../../src/shared/play';
import { Underway } from '../../../src/vscode/play/underway';

vi.mock('vscode', () => import('../../fakes/vscode'));

const report = { file: 'a.py' } as PlayReport;

function phases() {
  const seen: string[] = [];
  const underway: Underway = new Underway(() => seen.push(underway.phase));
  return { underway, seen };
}

describe('plays that are under way', () => {
  it('are one set at a time, from the preparation to the report', async () => {
    const { underway, seen } = phases();
    let end: (report: PlayReport) => void = () => undefined;
    await underway.begin(() => Promise.resolve('made'), (made) => (expect(made).toBe('made'), new Promise((resolve) => (end = resolve))));
    await expect(underway.begin(() => Promise.resolve(), () => Promise.resolve(report))).rejects.toMatchObject({ code: 'play/running' });
    end(report);
    expect(await underway.whenPlayed()).toBe(report);
    expect(seen).toEqual(['running', 'idle']);
  });

  it('end when they cannot be prepared', async () => {
    const { underway, seen } = phases();
    await expect(underway.begin(() => Promise.reject(new Error('no sandbox')), () => Promise.resolve(report))).rejects.toThrow('no sandbox');
    expect(seen).toEqual(['running', 'idle']);
    expect(() => underway.whenPlayed()).toThrow();
  });

  it('are idle after a failure, which whoever waits is told', async () => {
    const { underway, seen } = phases();
    await underway.begin(() => Promise.resolve(), () => Promise.reject(new Error('gone')));
    await expect(underway.whenPlayed()).rejects.toThrow('gone');
    expect(seen).toEqual(['running', 'idle']);
  });

  it('are stopped while they are prepared', async () => {
    const { underway, seen } = phases();
    const begun = underway.begin((signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))), () => Promise.resolve(report));
    underway.stop();
    await expect(begun).rejects.toThrow('stopped');
    expect(seen).toEqual(['running', 'stopping', 'idle']);
  });
});
