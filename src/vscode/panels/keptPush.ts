import * as vscode from 'vscode';
import { z } from 'zod';
import { PushWarningId } from '../../core/memory/warnings';
import type { PushRequest } from '../../core/run/push';
import { Message } from '../../shared/message';
import { Span } from '../../shared/webviewMemory';

/** A push as it is looked at, in a form that outlives the window. */
export const KeptPush = z.object({
  v: z.literal(1),
  uri: z.string(),
  /** Of the text that is pushed: it is not pushed when the file holds another one. */
  digest: z.string(),
  /** Given before it is made: the ledger tells whether it was, also when the window went away meanwhile. */
  id: z.string(),
  skill: z.string(),
  skillSource: Message,
  figures: z.object({
    winRate: z.number(), regret: z.number(), winInterval: Span.nullable(), regretInterval: Span.nullable(), plays: z.int().nullable(), pairs: z.int().nullable(), source: Message,
  }),
  simulated: z.boolean(),
  rollout: z.int(),
  /** What goes into `metadata.envwright`. */
  provenance: z.record(z.string(), z.json()),
  warnings: z.array(z.object({ id: PushWarningId, severity: z.enum(['warning', 'info']), message: Message })),
});
export type KeptPush = z.infer<typeof KeptPush>;

/** The record of a push; a `reason` to push past warnings goes into its metadata. */
export function requestOf({ uri, skill, figures, simulated, rollout, provenance, warnings }: KeptPush, code: string, reason?: string): PushRequest {
  return {
    record: {
      game_file: vscode.Uri.parse(uri).fsPath, skill, code, actor_win_rate: figures.winRate, regret: figures.regret, rollout_id: rollout,
      metadata: { envwright: { ...provenance, ...(reason !== undefined && { pushedAnyway: reason }) } },
    },
    provenance: figures.plays === null ? {} : { plays: figures.plays, simulated },
    moreWarnings: warnings,
  };
}
