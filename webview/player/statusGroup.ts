import type { CellStatus } from '../../src/shared/webviewProtocol';

/** What an episode counts as in the strip and its legend. */
export const statusGroups = ['won', 'ended', 'truncated', 'failed', 'cancelled', 'running', 'queued'] as const;
export type StatusGroup = (typeof statusGroups)[number];

/** Puts an episode into its group; a win is a return above 0. */
export function groupOf({ status, runReturn }: { status: CellStatus; runReturn: number }): StatusGroup {
  switch (status) {
    case 'queued': case 'running': case 'cancelled': return status;
    case 'terminated': return runReturn > 0 ? 'won' : 'ended';
    case 'truncated': case 'turn-limit': case 'reply-cut': case 'context-full': return 'truncated';
    case 'step-raised': case 'step-timeout': case 'policy-failed': return 'failed';
  }
}
