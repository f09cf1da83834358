import { z } from 'zod';

export const CHUNKS = 1_000;
export const RATE = 200;

/**
 * Milliseconds as an editor measured them: every sample. In `stream` a chunk is a word, in `lines` a whole line, ten times what a window has to draw.
 * `stream` is the first that a new window draws, `again` the same once more in that window.
 */
export const EditorFigures = z.object({
  stream: z.array(z.number()),
  lines: z.array(z.number()),
  again: z.array(z.number()),
  message: z.array(z.number()).optional(),
  unseen: z.array(z.number()).optional(),
  seen: z.array(z.number()).optional(),
});
export type EditorFigures = z.infer<typeof EditorFigures>;

/** What the process of the bench's model says when it can be asked. */
export const ServerStarted = z.object({ endpoint: z.string() });
/** When each chunk of a stream was sent, on the clock that processes share: told when the stream is over. */
export const SentTimes = z.array(z.number());
