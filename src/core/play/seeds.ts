import { message } from '../../shared/message';
import { EnvwrightError } from '../errors';

/** Most instances of one set of plays. */
const MAX_SEEDS = 10_000;

/**
 * Reads a list of seeds such as `0-15`, `3,5,8-10`; the order is kept, doubles are dropped.
 *
 * @throws EnvwrightError `play/bad-seeds`.
 */
export function parseSeeds(text: string): number[] {
  const seeds = new Set<number>();
  for (const part of text.split(',')) {
    const found = /^\s*(\d{1,10})\s*(?:-\s*(\d{1,10})\s*)?$/.exec(part);
    const from = Number(found?.[1]);
    const to = found?.[2] === undefined ? from : Number(found[2]);
    if (!found || to < from || to - from >= MAX_SEEDS || to > 2 ** 32 - 1) throw badSeeds(text);
    for (let seed = from; seed <= to; seed += 1) seeds.add(seed);
  }
  if (seeds.size > MAX_SEEDS) throw badSeeds(text);
  return [...seeds];
}

function badSeeds(text: string): EnvwrightError {
  return new EnvwrightError('play/bad-seeds', message('“{text}” is no list of seeds.', { text }),
    message('Write numbers and ranges such as 0-15 or 3,5,8-10, at most {most} seeds.', { most: MAX_SEEDS }));
}
