/** Items handled before others get their turn: some milliseconds of work. */
const AT_ONCE = 500;

/** Lets whatever waits run. */
function breathe(): Promise<void> {
  return new Promise((resolve) => { setTimeout(resolve, 0); });
}

/** Goes through many items without keeping the process busy in one piece. */
export async function unhurried<T>(items: readonly T[], work: (item: T) => void, atOnce = AT_ONCE): Promise<void> {
  for (let from = 0; from < items.length; from += atOnce) {
    for (const item of items.slice(from, from + atOnce)) work(item);
    if (from + atOnce < items.length) await breathe();
  }
}

/** Runs asynchronous work on items, a few at a time, and keeps the order of the answers: thousands of files must not all be open at once. */
export async function fewAtATime<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += atOnce) results.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))));
  return results;
}
