/** The thread that compares structures: thousands of files are parsed and compared without the editor's thread waiting. */
import { parentPort, workerData } from 'node:worker_threads';
import { readPython } from '../../core/environment/pythonDocument';
import { fingerprint } from '../../core/review/novelty';
import { NoveltyIndex } from '../../core/review/noveltyIndex';
import { createPythonParser } from '../checks/parser';
import { StaticWorkerData } from '../checks/staticProtocol';
import { NoveltyRequest, type NoveltyReply } from './noveltyProtocol';

const parser = createPythonParser(StaticWorkerData.parse(workerData).assetsDir);
const index = parser.then((made) => new NoveltyIndex(made));

async function answer(request: NoveltyRequest): Promise<unknown> {
  const known = await index;
  switch (request.op) {
    case 'add':
      for (const { key, text } of request.texts) known.add(key, text);
      return null;
    case 'groups': return known.groups(request.keys);
    case 'nearest': return [...known.nearest(request.keys, request.among)];
    case 'print': return [...fingerprint(readPython(await parser, request.text).tree)];
  }
}

parentPort?.on('message', (message: unknown) => {
  const request = NoveltyRequest.parse(message);
  const reply = (said: NoveltyReply): void => parentPort?.postMessage(said);
  answer(request).then((value) => reply({ id: request.id, answer: value }), (error: unknown) => reply({ id: request.id, error: String(error) }));
});
