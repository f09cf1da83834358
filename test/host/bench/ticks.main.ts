/** The model of the bench `editor`, in a process of its own: `node ticks.main.js <chunks a line>…`, one stream after the other. */
import { CHUNKS, RATE, type SentTimes, type ServerStarted } from '../../bench/editorFigures';
import { startModelServer, type Answer } from '../../fakes/modelServer';
import { Ticks } from '../../fakes/tickingModel';
import type { z } from 'zod';

const tell = (message: z.infer<typeof ServerStarted> | z.infer<typeof SentTimes>): void => void process.send?.(message);

const answers = process.argv.slice(2).map((perLine): Answer => async (response, request) => {
  const ticks = new Ticks(CHUNKS, RATE, Number(perLine));
  await ticks.answer(response, request);
  tell(ticks.sent);
});

process.on('disconnect', () => process.exit(0));
void startModelServer(answers).then(({ endpoint }) => tell({ endpoint }));
