/** The thread that checks large files, so that typing never waits for it. */
import { parentPort, workerData } from 'node:worker_threads';
import { StaticSession } from '../../core/checks/static/session';
import { createPythonParser } from './parser';
import { StaticRequest, StaticWorkerData, type StaticReply } from './staticProtocol';

const session = createPythonParser(StaticWorkerData.parse(workerData).assetsDir).then((parser) => new StaticSession(parser));

function reply(message: StaticReply): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', (message: unknown) => {
  const request = StaticRequest.parse(message);
  void session.then((checks) => {
    if (request.op === 'forget') {
      checks.forget(request.key);
      return;
    }
    const { className, profile, findings, anchor } = checks.check(request.key, request.text, request);
    reply({ id: request.id, judgement: { className, profile, findings: [...findings], anchor } });
  }).catch((error: unknown) => {
    if (request.op === 'check') reply({ id: request.id, error: String(error) });
  });
});
