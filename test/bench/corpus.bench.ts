import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';

const DOCUMENTS = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), 'envwright-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const corpus = join(folder, 'corpus.jsonl');

/** Opens the corpus in a process of its own and says when the first document was there, when all were, and the most memory it took. */
const READER = `
const { CorpusThread } = require('./corpusThread.js');
(async () => {
  let most = 0;
  const measure = setInterval(() => { most = Math.max(most, process.memoryUsage().rss); }, 20);
  const started = performance.now();
  const opened = new CorpusThread(process.argv[2], require('node:path').join(__dirname, 'corpus.worker.js'));
  await opened.whenFirst();
  const first = await opened.document(0);
  const firstMs = performance.now() - started;
  const { documents } = await opened.whenDone();
  const allMs = performance.now() - started;
  const at = performance.now();
  const last = await opened.document(documents - 1);
  const randomMs = performance.now() - at;
  clearInterval(measure);
  console.log(JSON.stringify({ firstMs, allMs, randomMs, documents, words: first.words + last.words, megabytes: most / 1e6 }));
  opened.dispose();
})();
`;

beforeAll(async () => {
  await Promise.all([['corpus.worker', 'src/node/design/corpus.worker.ts'], ['corpusThread', 'src/node/design/corpusThread.ts']].map(([name, entry]) =>
    build({ entryPoints: [entry!], bundle: true, platform: 'node', format: 'cjs', outfile: join(folder, `${name}.js`), logLevel: 'error' })));
  const { writeFileSync } = await import('node:fs');
  writeFileSync(join(folder, 'reader.js'), READER);
  const file = createWriteStream(corpus);
  const text = 'Whoever lends a stall for one evening must stand both names on the board before the lamps are lit. '.repeat(8);
  for (let at = 0; at < DOCUMENTS; at += 1_000) {
    const lines = Array.from({ length: 1_000 }, (_, one) => (at + one) % 5_000 === 4_999 ? 'a line that is no JSON\n' : `{"orig_doc": "Document ${at + one}. ${text}", "id": ${at + one}}\n`);
    if (!file.write(lines.join(''))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}, 300_000);

it('opening a corpus of 1,000,000 documents', () => {
  const said = JSON.parse(execFileSync(process.execPath, [join(folder, 'reader.js'), corpus], { encoding: 'utf8' })) as Record<'firstMs' | 'allMs' | 'randomMs' | 'documents' | 'megabytes', number>;
  process.stdout.write(`corpus of ${DOCUMENTS} lines: first document after ${said.firstMs.toFixed(0)} ms (mark: 1,000 ms), most memory ${said.megabytes.toFixed(0)} MB (mark: 200 MB), `
    + `all indexed after ${(said.allMs / 1000).toFixed(1)} s, the last document then in ${said.randomMs.toFixed(1)} ms\n`);
  expect(said.documents).toBe(DOCUMENTS - DOCUMENTS / 5_000);
  expect(said.firstMs).toBeLessThan(1_000);
  expect(said.megabytes).toBeLessThan(200);
}, 300_000);
