/** Arithmetic mean; 0 of nothing, as the run has it. */
export function meanOrZero(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Arithmetic mean, null of nothing. */
export function meanOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : meanOrZero(values);
}

/** Population variance; 0 of nothing. */
export function variance(values: readonly number[]): number {
  const mean = meanOrZero(values);
  return meanOrZero(values.map((value) => (value - mean) ** 2));
}

/** `value` brought into [lo, hi]; NaN becomes `hi`, as Python's `max(lo, min(hi, value))` makes it. */
export function clip(value: number, lo: number, hi: number): number {
  const atMost = value < hi ? value : hi;
  return atMost > lo ? atMost : lo;
}
