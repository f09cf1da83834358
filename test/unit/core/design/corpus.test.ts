import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readCorpus, type CorpusLine } from '../../../../src/core/design/corpus';

async function read(lines: readonly string[]): Promise<CorpusLine[]> {
  const found: CorpusLine[] = [];
  const source = (async function* () {
    await Promise.resolve();
    for (const text of lines) yield { text, utf8: !text.includes('\ufffd') };
  })();
  for await (const line of readCorpus(source)) found.push(line);
  return found;
}

const said = (lines: readonly CorpusLine[]): string[] => lines.map((line) => (line.kind === 'problem' ? (line.crashes ? 'crash' : 'skip') : line.kind === 'document' ? line.text : 'blank'));

describe('a corpus', () => {
  it('takes orig_doc before text, and falls back when the first is empty', async () => {
    expect(said(await read(['{"orig_doc": "a b", "text": "c"}', '{"orig_doc": "", "text": "c"}', '{"orig_doc": null, "text": " c\\n"}', '{"text": 5}', '{"text": true}', '{"text": NaN}', '{"text": -Infinity}']))).toEqual(['a b', 'c', 'c', '5', 'True', 'nan', '-inf']);
  });

  it('skips what is no JSON, and tells what the run dies on', async () => {
    expect(said(await read(['{"text": "a"', '[1]', '"x"', 'null', '{"text": ""}', '{"title": "t"}', '', '  \t', '{"text": "\ufffd"}']))).toEqual([
      'skip', 'crash', 'crash', 'crash', 'skip', 'skip', 'blank', 'blank', 'crash',
    ]);
  });

  it('keeps other keys as metadata, counts words as Python does and numbers lines from 1', async () => {
    const text = 'one\u00a0two\u2003three\u0085four \ufeff five';
    const [, document] = await read(['', JSON.stringify({ text, title: 't', n: 1 })]);
    expect(document).toMatchObject({ line: 2, metadata: { title: 't', n: 1 } });
    const words = Number(execFileSync('python3', ['-c', 'import json,sys; print(len(json.load(sys.stdin).split()))'], { input: JSON.stringify(text) }).toString());
    expect(document).toMatchObject({ words });
  });
});
