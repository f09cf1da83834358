import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCorpus, type CorpusLine } from '../../../../src/core/design/corpus';
import type { CorpusHit } from '../../../../src/core/design/corpusSummary';
import { CorpusIndex } from '../../../../src/node/design/corpusIndex';
import { CorpusThread } from '../../../../src/node/design/corpusThread';
import { fileLines } from '../../../../src/node/files/fileLines';

const folder = mkdtempSync(join(tmpdir(), 'envwright-corpus-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'corpus.jsonl');
const signal = new AbortController().signal;

async function index(content: string | Buffer, chunk?: number): Promise<CorpusIndex> {
  writeFileSync(path, content);
  const made = await CorpusIndex.open(path);
  await made.build(() => undefined, signal, chunk);
  return made;
}
async function plainly(): Promise<CorpusLine[]> {
  const lines: CorpusLine[] = [];
  for await (const line of readCorpus(fileLines(path))) lines.push(line);
  return lines;
}
async function search(corpus: Pick<CorpusIndex, 'search'>, query: string, most = 10): Promise<CorpusHit[]> {
  const found: CorpusHit[] = [];
  await corpus.search(query, most, (hits) => found.push(...hits), signal);
  return found;
}

describe('the index of a corpus', () => {
  it('counts bad lines by their reason, with the first of them, and finds every document again', async () => {
    const corpus = await index(['{"text": "one"}', '', '{"text": "tw', '[1]', '{"title": "t"}', '{"orig_doc": "", "text": "two words"}', '{"text": "three", "n": NaN}', 'x', ''].join('\n'));
    const { problems, ...rest } = corpus.summary;
    expect(rest).toMatchObject({ documents: 3, blank: 1, done: true });
    expect(problems.map(({ count, lines, crashes }) => [count, lines, crashes])).toEqual([[2, [3, 8], false], [1, [4], true], [1, [5], false]]);
    expect(await Promise.all([0, 1, 2, 3].map(async (at) => (await corpus.document(at))?.text))).toEqual(['one', 'two words', 'three', undefined]);
    expect(await corpus.document(1)).toMatchObject({ line: 6, words: 2 });
    await corpus.close();
  });

  it('says the same as reading the file from one end to the other, whatever stands in it and wherever chunks end', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom('', ' ', '\u00a0', '\ufeff', '{"text": "\ufeff x"}', '{"text": "\\u0020"}', '{"text": 1e400}'),
      fc.record({ text: fc.string({ unit: 'binary', maxLength: 20 }) }).map((value) => JSON.stringify(value)), fc.json(),
    );
    const end = fc.constantFrom('\n', '\r\n', '\r');
    await fc.assert(fc.asyncProperty(fc.array(fc.tuple(line, end), { maxLength: 12 }), fc.boolean(), fc.integer({ min: 1, max: 40 }), async (lines, torn, chunk) => {
      const text = Buffer.concat([Buffer.from(lines.map(([one, by]) => one + by).join('')), ...(torn ? [Buffer.from([0xff, 0x22])] : [])]);
      const corpus = await index(text, chunk);
      const expected = await plainly();
      const documents = expected.filter((one) => one.kind === 'document');
      expect(corpus.summary).toMatchObject({ documents: documents.length, blank: expected.filter(({ kind }) => kind === 'blank').length });
      expect(corpus.summary.problems.reduce((sum, { count }) => sum + count, 0)).toBe(expected.filter(({ kind }) => kind === 'problem').length);
      expect(await Promise.all(documents.map((_, at) => corpus.document(at)))).toEqual(documents);
      await corpus.close();
    }), { numRuns: 150 });
  });

  it('searches texts as they read, not as they are written, and only documents', async () => {
    const corpus = await index(['{"text": "A caf\\u00e9 by the lock"}', '{"title": "caf\u00e9"}', 'caf\u00e9', '{"text": "the CAF\u00c9 again"}', '{"text": "a third caf\u00e9"}'].join('\n'));
    expect((await search(corpus, 'caf\u00e9')).map(({ number, line }) => [number, line])).toEqual([[0, 1], [1, 4], [2, 5]]);
    expect(await search(corpus, 'caf\u00e9', 1)).toHaveLength(1);
    expect((await search(corpus, 'lock'))[0]?.excerpt).toBe('A caf\u00e9 by the lock');
    await corpus.close();
  });

  it('never gives a document of a file that has changed', async () => {
    const corpus = await index('{"text": "one"}\n');
    appendFileSync(path, '{"text": "two"}\n');
    await expect(corpus.document(0)).rejects.toMatchObject({ code: 'design/corpus-changed' });
    await corpus.close();
  });
});

describe('the thread of a corpus', () => {
  const workerScript = join(folder, 'corpus.worker.js');
  beforeAll(() => build({ entryPoints: ['src/node/design/corpus.worker.ts'], bundle: true, platform: 'node', outfile: workerScript, logLevel: 'error' }));

  it('opens, reads, searches and tells how far it is', async () => {
    writeFileSync(path, Array.from({ length: 30_000 }, (_, at) => `{"text": "document ${at} of many", "odd": NaN}`).join('\n'));
    const corpus = new CorpusThread(path, workerScript);
    expect((await corpus.whenFirst()).documents).toBeGreaterThan(0);
    expect(await corpus.document(0)).toMatchObject({ text: 'document 0 of many', metadata: { odd: NaN } });
    expect(await corpus.whenDone()).toMatchObject({ documents: 30_000, done: true });
    const found: CorpusHit[] = [];
    await corpus.search('document 29999', 5, (hits) => found.push(...hits), signal);
    expect(found.map(({ number }) => number)).toEqual([29_999]);
    corpus.dispose();
  });

  it('a search that is cancelled rejects and stops; a file that is not there is told', async () => {
    const corpus = new CorpusThread(path, workerScript);
    const controller = new AbortController();
    const searching = corpus.search('document', 100_000, () => controller.abort(), controller.signal);
    await expect(searching).rejects.toMatchObject({ name: 'AbortError' });
    corpus.dispose();
    await expect(corpus.document(0)).rejects.toMatchObject({ name: 'AbortError' });
    const missing = new CorpusThread(join(folder, 'none.jsonl'), workerScript);
    await expect(missing.whenFirst()).rejects.toMatchObject({ code: 'design/no-corpus' });
    missing.dispose();
  });
});
