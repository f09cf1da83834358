import { z } from 'zod';

/** The names that stand for the numbers JSON cannot hold, in every document Envwright reads or writes. */
export const NonFiniteName = z.enum(['NaN', 'Infinity', '-Infinity']);

/** A number as it crosses a boundary: finite as itself, the others by name. */
export const JsonNumber = z.union([z.number(), NonFiniteName]);
export type JsonNumber = z.infer<typeof JsonNumber>;

/** Encodes any number for JSON. */
export function toJsonNumber(value: number): JsonNumber {
  if (Number.isFinite(value)) return value;
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

/** Decodes what {@link toJsonNumber} encoded. */
export function fromJsonNumber(value: JsonNumber): number {
  return typeof value === 'number' ? value : Number(value);
}
