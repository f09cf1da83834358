import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stateDifferences } from '../../../../../src/core/checks/probe/difference';

const differ = (a: string, b: string): boolean => stateDifferences(
  { kind: 'snapshot', digest: 'a', values: { at: a } }, { kind: 'snapshot', digest: 'b', values: { at: b } },
).length > 0;

/** A reading of a clock, microseconds since 1970, as Python writes it. */
const written = (microseconds: number): string[] => {
  const date = new Date(Math.floor(microseconds / 1000));
  const rest = microseconds % 1_000_000;
  const parts = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes()];
  // What is 0 at the end is left out by `repr`, and the fraction by `isoformat`.
  const tail = rest > 0 ? [date.getUTCSeconds(), rest] : date.getUTCSeconds() > 0 ? [date.getUTCSeconds()] : [];
  const iso = `${date.toISOString().slice(0, 19)}${rest > 0 ? `.${String(rest).padStart(6, '0')}` : ''}`;
  return [`datetime.datetime(${[...parts, ...tail].join(', ')})`, `'${iso}'`, `'${iso.replace('T', ' ')}+00:00'`, `${Number((microseconds / 1e6).toFixed(6))}${rest > 0 ? '' : '.0'}`];
};

describe('a clock in the state is no difference', () => {
  const second = fc.integer({ min: 1_600_000_000, max: 1_900_000_000 });
  const fraction = fc.oneof(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 99 }).map((hundredth) => hundredth * 10_000));
  const fine = fc.integer({ min: 100_000, max: 999_999 }).filter((value) => value % 10_000 !== 0 && value % 1000 !== 0);

  it('however it is written, and round as one of its readings may be', () => {
    fc.assert(fc.property(second, fraction, fine, fc.integer({ min: 0, max: 60 }), (at, odd, usual, later) => {
      const [a, b] = [written(at * 1e6 + odd), written((at + later) * 1e6 + usual)];
      a.forEach((text, way) => {
        expect([text, b[way], differ(text, b[way]!)]).toEqual([text, b[way], false]);
        expect([text, b[way], differ(b[way]!, text)]).toEqual([text, b[way], false]);
      });
    }), { numRuns: 2000 });
  });

  it('but moments without a fraction are dates of the task, and those far apart are two', () => {
    expect(differ('datetime.datetime(2026, 3, 1, 14, 30)', 'datetime.datetime(2026, 3, 1, 14, 45)')).toBe(true);
    expect(differ('datetime.datetime(2026, 3, 1, 14, 30, 5)', 'datetime.datetime(2026, 3, 1, 14, 30, 9)')).toBe(true);
    expect(differ("'2026-03-01T14:30:00'", "'2026-03-01T14:45:00'")).toBe(true);
    expect(differ('datetime.datetime(2026, 3, 1, 14, 30, 5, 12)', 'datetime.datetime(2026, 3, 2, 14, 30, 5, 12)')).toBe(true);
    expect(differ('1500.5', '1501.25')).toBe(true);
  });
});
