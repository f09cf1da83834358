import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contextKeys, views, walkthrough, type ViewDeclaration } from '../../../src/shared/contributions';
import { buildManifest } from '../../../src/vscode/contributions/manifest';

interface Step { readonly id: string; readonly completionEvents: readonly string[] }

describe('the walkthrough', () => {
  const { contributes } = buildManifest().fields as unknown as { contributes: { walkthroughs: readonly { steps: readonly Step[] }[] } };
  const steps = contributes.walkthroughs[0]?.steps ?? [];

  it('ticks a step off by what was done, never by a button that was pressed', () => {
    const known = new Set<string>(Object.values(contextKeys));
    expect(steps.map(({ id }) => id)).toEqual(['sample', 'check', 'review', 'play', 'push', 'design']);
    for (const { id, completionEvents: [event = '', again] } of steps) {
      expect(event, id).toMatch(/^onContext:/);
      expect(known, id).toContain(event.slice('onContext:'.length));
      expect(again, id).toBe(`${event} && activeEditor == gettingStartedPage`);
    }
    expect(new Set(steps.map(({ completionEvents: [event] }) => event)).size).toBe(steps.length);
  });

  it('has a page beside each step, and the README of the samples names it', () => {
    for (const { id } of steps) expect(existsSync(`media/walkthrough/${id}.md`), id).toBe(true);
    for (const file of ['README.md', 'media/sample-workspace/README.md']) expect(readFileSync(file, 'utf8').replaceAll('\n', ' ')).toContain(walkthrough.title);
  });

  it('and the README of the samples link only to files that are there', () => {
    const links = [...readFileSync('media/sample-workspace/README.md', 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
    expect(links.length).toBeGreaterThan(8);
    for (const path of links) expect(existsSync(`media/sample-workspace/${path}`), path).toBe(true);
  });
});

describe('every view that can be empty', () => {
  it.each(Object.entries<ViewDeclaration>(views))('%s says what to do next with a button', (_, { welcome }) => {
    expect(welcome.length).toBeGreaterThan(0);
    for (const { text } of welcome) expect(text.split('\n').some((line) => /^\[[^\]]+\]\(command:[\w.]+\)$/.test(line)), text).toBe(true);
  });
});
