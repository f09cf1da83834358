import type { PlaySettings } from '../../src/shared/webviewProtocol';

/** How many seeds a list like `0-31` or `3,5,8` names; undefined when it is none. The host parses it again. */
export function seedsOf(text: string): { readonly count: number; readonly first: number; readonly last: number } | undefined {
  const parts = text.split(',').map((part) => /^\s*(\d{1,10})(?:\s*-\s*(\d{1,10}))?\s*$/.exec(part));
  let count = 0;
  let [first, last] = [Infinity, -Infinity];
  for (const part of parts) {
    if (!part) return undefined;
    const from = Number(part[1]);
    const to = part[2] === undefined ? from : Number(part[2]);
    if (to < from || to - from > 10_000) return undefined;
    count += to - from + 1;
    first = Math.min(first, from);
    last = Math.max(last, to);
  }
  return { count, first, last };
}

/** How many plays the settings ask for; 0 when the seeds cannot be read. */
export function playsAsked(settings: PlaySettings): number {
  const seeds = seedsOf(settings.seeds)?.count ?? 0;
  return seeds * settings.plays * (settings.hint ? 2 : 1);
}
