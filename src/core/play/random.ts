/** A source of numbers in [0, 1) that is the same for the same seed, on every machine (mulberry32 over a hash of the text). */
export function seededRandom(seed: string | number): () => number {
  let state = hash32(String(seed));
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of the items, null when there are none. */
export function pick<T>(items: readonly T[], random: () => number): T | null {
  return items[Math.floor(random() * items.length)] ?? null;
}

/** FNV-1a over UTF-16 units, 32 bits. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}
