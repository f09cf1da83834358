/**
 * A confidence interval for the mean of bounded values by betting (Waudby-Smith and Ramdas, 2024): for each candidate
 * mean, a gambler bets against it as the values arrive; a mean against which the gambler gets rich is ruled out. It holds
 * for every distribution within the bounds and every number of values, and narrows where the values vary little. Wealth
 * is averaged over fixed orders of the values, so that the order of plays does not matter much and nothing is random.
 */
import type { Bounds } from './intervals';

/** Wealth from 1 that rules a mean out on one side: 2 / (1 - level). */
const RUIN = 40;
/** Largest share of the wealth that is ever bet; below 1, so that one value never takes everything. */
const MAX_SHARE = 0.75;
const ORDERS = 24;
const STEPS = 48;

/** The same pseudo-random orders every time. */
function* orders(n: number): Generator<number[]> {
  let state = 0x2545f491;
  const next = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let round = 0; round < ORDERS; round += 1) {
    const order = Array.from({ length: n }, (_, index) => index);
    for (let last = n - 1; last > 0; last -= 1) {
      const other = next(last + 1);
      [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
    }
    yield order;
  }
}

/** The values of one order, each with the bet that was decided before it was seen. */
type Game = readonly { readonly value: number; readonly bet: number }[];

/** Bets grow as the variance seen so far is small; both estimates start from a guess that counts as one value. */
function gameOf(values: readonly number[]): Game {
  let sum = 0.5;
  let squares = 0.25;
  return values.map((value, index) => {
    const bet = Math.sqrt((2 * Math.log(RUIN)) / ((values.length * squares) / (index + 1)));
    sum += value;
    squares += (value - sum / (index + 2)) ** 2;
    return { value, bet };
  });
}

/** Average wealth of betting that the mean lies above `mean`, which lies in (0, 1). */
function wealth(games: readonly Game[], mean: number): number {
  const limit = MAX_SHARE / mean;
  const each = games.map((game) => game.reduce((money, { value, bet }) => money * (1 + Math.min(bet, limit) * (value - mean)), 1));
  return each.reduce((total, money) => total + money, 0) / each.length;
}

/** The smallest mean in [0, 1] that the bets do not rule out from below; wealth falls as the mean grows. */
function lowest(values: readonly number[]): number {
  const games = [...orders(values.length)].map((order) => gameOf(order.map((index) => values[index] ?? 0)));
  let [ruledOut, open] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (ruledOut + open) / 2;
    if (wealth(games, middle) >= RUIN) ruledOut = middle;
    else open = middle;
  }
  return ruledOut;
}

/** The 95 % interval of the mean of `values`, all of which lie within `bounds`. */
export function betOnMean(values: readonly number[], { lo, hi }: Bounds): Bounds {
  const scaled = values.map((value) => (value - lo) / (hi - lo));
  const below = lowest(scaled);
  const above = 1 - lowest(scaled.map((value) => 1 - value));
  return { lo: lo + below * (hi - lo), hi: lo + above * (hi - lo) };
}
