/** What is asked of the thread that compares structures, and what it answers. */
import { z } from 'zod';

const Keys = z.array(z.string());

export const NoveltyRequest = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), id: z.int(), texts: z.array(z.object({ key: z.string(), text: z.string() })) }),
  z.object({ op: z.literal('groups'), id: z.int(), keys: Keys }),
  z.object({ op: z.literal('nearest'), id: z.int(), keys: Keys, among: Keys }),
  z.object({ op: z.literal('print'), id: z.int(), text: z.string() }),
]);
export type NoveltyRequest = z.infer<typeof NoveltyRequest>;

/** Answers by request. */
export const NoveltyAnswers = {
  add: z.null(),
  groups: z.array(z.object({ keys: Keys, similarity: z.number() })),
  nearest: z.array(z.tuple([z.string(), z.object({ key: z.string(), similarity: z.number() }).nullable()])),
  print: z.array(z.tuple([z.string(), z.int()])),
} as const;

export const NoveltyReply = z.union([z.object({ id: z.int(), answer: z.unknown() }), z.object({ id: z.int(), error: z.string() })]);
export type NoveltyReply = z.infer<typeof NoveltyReply>;
