/** Longest wait that is made without asking, in milliseconds. */
export const LONGEST_WAIT_MS = 120_000;

/**
 * How long a `Retry-After` header asks to wait, in milliseconds from `now`: seconds or an HTTP date; null when it is
 * absent or neither.
 */
export function retryAfterMs(header: string | null | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (text === '') return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Wait before retry number `attempt` (from 0): doubling from one second up to half a minute, up to a quarter less by chance. */
export function backOffMs(attempt: number, random: () => number): number {
  return Math.round(Math.min(30_000, 1_000 * 2 ** attempt) * (1 - random() * 0.25));
}
