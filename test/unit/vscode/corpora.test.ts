import { describe, expect, it, vi } from 'vitest';
import type { Corpus, CorpusSummary } from '../../../src/core/design/corpusSummary';
import { EnvwrightError } from '../../../src/core/errors';
import { message } from '../../../src/shared/message';

vi.mock('vscode', async () => import('../../fakes/vscode'));
const { Corpora, summaryText } = await import('../../../src/vscode/design/corpora');

const summary: CorpusSummary = { documents: 1_000_000, blank: 0, problems: [{ why: message('x'), crashes: false, count: 214, lines: [1] }], bytes: 1, size: 4, done: false };

function corpus(path: string, over: Partial<Corpus> = {}): Corpus & { disposed: boolean } {
  const made = {
    path, summary, disposed: false, onDidChange: () => ({ dispose: () => undefined }), whenFirst: () => Promise.resolve(summary), whenDone: () => Promise.resolve({ ...summary, done: true }),
    document: (number: number) => Promise.resolve({ kind: 'document' as const, line: number + 1, text: `text ${number}`, words: 2, metadata: {} }), search: () => Promise.resolve(),
    dispose: () => { made.disposed = true; }, ...over,
  };
  return made;
}
function corpora(make: (path: string) => Corpus) {
  const opened: Corpus[] = [];
  const made = new Corpora({ corpus: (path) => { const one = make(path); opened.push(one); return Promise.resolve(one); } }, {} as never);
  return { made, opened };
}

describe('the corpus in use', () => {
  it('is opened once, until another takes its place', async () => {
    const { made, opened } = corpora(corpus);
    const first = await made.open('a');
    expect(await made.open('a')).toBe(first);
    await made.open('b');
    expect([opened.length, (first as ReturnType<typeof corpus>).disposed]).toEqual([2, true]);
  });

  it('draws the same document for the same seed, over all of the file', async () => {
    const { made } = corpora(corpus);
    const opened = await made.open('a');
    const drawn = await Promise.all([1, 1, 2, 3].map((seed) => made.draw(opened, seed)));
    expect(drawn[0]).toEqual(drawn[1]);
    expect(new Set(drawn.map(({ id }) => id)).size).toBe(3);
    expect(drawn[0]?.id).toMatch(/^a:\d+$/);
  });

  it('that has changed is gone through anew at its next use', async () => {
    const { made, opened } = corpora((path) => corpus(path, { document: () => Promise.reject(new EnvwrightError('design/corpus-changed', message('It changed.'), message('Again.'))) }));
    await expect(made.document(await made.open('a'), 0)).rejects.toMatchObject({ code: 'design/corpus-changed' });
    await made.open('a');
    expect(opened).toHaveLength(2);
  });

  it('without a document is refused with the next step', async () => {
    const { made } = corpora((path) => corpus(path, { summary: { ...summary, documents: 0, done: true } }));
    await expect(made.open('a')).rejects.toMatchObject({ code: 'design/empty-corpus' });
  });

  it('says how many documents it has, what is skipped and how far it is read', () => {
    // The fake editor's language fills nothing in: the parts are what counts.
    expect(summaryText(corpus('a')).split(', ')).toHaveLength(3);
    expect(summaryText(corpus('a', { summary: { ...summary, problems: [], done: true } })).split(', ')).toHaveLength(1);
  });
});
