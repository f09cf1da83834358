/** Weights of the new value in the two running averages; the larger one is the fast average's. */
export interface TrackerRates {
  readonly gammaFast: number;
  readonly gammaSlow: number;
}

/** Both averages after an update, their scaled difference and its absolute value. */
export interface TrackerState {
  readonly rho: number;
  readonly muFast: number;
  readonly muSlow: number;
  readonly signed: number;
}

/** A skill's learning potential after each update, starting from nothing (run contract §6): the first update sets both averages. */
export function learningPotentialTracker({ gammaFast, gammaSlow }: TrackerRates, updates: readonly number[]): TrackerState[] {
  let fast: number | undefined;
  let slow: number | undefined;
  return updates.map((value) => {
    fast = fast === undefined ? value : (1 - gammaFast) * fast + gammaFast * value;
    slow = slow === undefined ? value : (1 - gammaSlow) * slow + gammaSlow * value;
    const signed = (fast - slow) / (2 * (gammaFast - gammaSlow));
    return { rho: Math.abs(signed), muFast: fast, muSlow: slow, signed };
  });
}
