/** The thread of a corpus: it goes through the file, so that the editor's thread never waits for that. */
import { parentPort, workerData } from 'node:worker_threads';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import { CorpusIndex } from './corpusIndex';
import { CorpusWorkerData, ToCorpus, type FromCorpus } from './corpusProtocol';

/** Least time between two reports of progress, in milliseconds. */
const REPORT_MS = 150;

const stop = new AbortController();
const searches = new Map<number, AbortController>();
const say = (told: FromCorpus): void => parentPort?.postMessage(told);

function failure(error: unknown) {
  if (error instanceof EnvwrightError) return { code: error.code, what: error.what, next: error.next };
  const problem = error instanceof Error ? error.message : String(error);
  return { code: 'design/corpus-failed', what: message('The corpus could not be read: {problem}.', { problem }), next: message('Open it again.') };
}

async function answer(index: CorpusIndex, told: Extract<ToCorpus, { op: 'document' | 'search' }>): Promise<void> {
  try {
    if (told.op === 'document') return say({ op: 'done', id: told.id, document: (await index.document(told.number)) ?? null });
    const own = new AbortController();
    searches.set(told.id, own);
    await index.search(told.query, told.most, (hits) => say({ op: 'hits', id: told.id, hits: [...hits] }), own.signal);
    say({ op: 'done', id: told.id, document: null });
  } catch (error) {
    say({ op: 'failed', id: told.id, error: failure(error) });
  } finally {
    searches.delete(told.id);
  }
}

async function main(): Promise<void> {
  const index = await CorpusIndex.open(CorpusWorkerData.parse(workerData).path);
  parentPort?.on('message', (raw: unknown) => {
    const told = ToCorpus.parse(raw);
    if (told.op === 'close') {
      stop.abort();
      void index.close().catch(() => undefined).finally(() => parentPort?.close());
    } else if (told.op === 'cancel') searches.get(told.id)?.abort();
    else void answer(index, told);
  });
  let last = -Infinity;
  const report = () => {
    const { summary } = index;
    if (performance.now() - last < REPORT_MS && !summary.done) return;
    last = performance.now();
    say({ op: 'summary', summary: { ...summary, problems: summary.problems.map((problem) => ({ ...problem, lines: [...problem.lines] })) } });
  };
  await index.build(report, stop.signal);
}

main().catch((error: unknown) => {
  if (!stop.signal.aborted) say({ op: 'unreadable', error: failure(error) });
});
