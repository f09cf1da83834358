import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { DesignSample, SampleSet } from '../../core/design/offlineSamples';

const Index = z.object({
  designs: z.array(z.object({ file: z.string(), kind: z.string(), skill: z.string() })),
  hints: z.record(z.string(), z.string()),
});

/** Reads the bundled samples in `media/samples`: `index.json` and `designs/*.py`; `<name>.draft.py` is a faulty first draft. */
export async function readSamples(media: string): Promise<SampleSet> {
  const folder = join(media, 'samples');
  const { designs, hints } = Index.parse(JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')));
  const files = new Set(await readdir(join(folder, 'designs')));
  const read = (name: string) => readFile(join(folder, 'designs', name), 'utf8');
  const load = async ({ file, kind, skill }: (typeof designs)[number]): Promise<DesignSample> => {
    const draft = file.replace(/\.py$/, '.draft.py');
    return { name: file, kind, skill, code: await read(file), faulty: files.has(draft) ? await read(draft) : null };
  };
  return { designs: await Promise.all(designs.map(load)), hints };
}
