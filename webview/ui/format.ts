import type { JsonNumber } from '../../src/shared/json';
import type { Figure } from '../../src/shared/webviewProtocol';
import { t } from './strings';

const MINUS = '\u2212';

/** A number with a true minus and no negative zero. */
export function num(value: number, digits = 2): string {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/** A number that always has its sign. */
export function signed(value: number, digits = 2): string {
  const text = num(value, digits);
  return text.startsWith(MINUS) || Number(text) === 0 ? text : `+${text}`;
}

/** A weight or a tick: no zero before the point. */
export function short(value: number): string {
  return String(value).replace(/^0\./, '.').replace(/^-0?/, MINUS);
}

/** A reward as Python would print it: whole numbers keep a decimal, the non-finite their names. */
export function raw(value: JsonNumber): string {
  if (typeof value === 'string') return value.replace('-', MINUS);
  const text = Number.isInteger(value) && Math.abs(value) < 1e16 ? value.toFixed(1) : String(Number(value.toPrecision(6)));
  return text.replace('-', MINUS);
}

/** Thousands separated by commas. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A duration for people: `0.4 ms`, `2.1 s`, `2 min 41 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return t('{n} ms', { n: ms < 10 ? ms.toFixed(1) : Math.round(ms) });
  if (ms < 60_000) return t('{n} s', { n: (ms / 1000).toFixed(1) });
  const seconds = Math.round(ms / 1000);
  return t('{m} min {s} s', { m: Math.floor(seconds / 60), s: seconds % 60 });
}

/** A forecast: `12 s`, `3 min`. */
export function roughly(ms: number): string {
  return ms < 60_000 ? t('{n} s', { n: Math.max(1, Math.round(ms / 1000)) }) : t('{n} min', { n: Math.round(ms / 60_000) });
}

/** A number of tokens: `318 tok`, `1.2 M tokens`. */
export function tokens(value: number): string {
  if (value < 10_000) return t('{n} tokens', { n: count(value) });
  return value < 1_000_000 ? t('{n} k tokens', { n: (value / 1000).toFixed(0) }) : t('{n} M tokens', { n: (value / 1e6).toFixed(1) });
}

/** What a number rests on: its interval, and plays, pairs or wins. */
export function basis(figure: Figure): string {
  if (figure.exact) return t('exact');
  const measured = figure.value === null ? figure.n ?? 0 : figure.n;
  const n = measured === null ? '\u2013' : count(measured);
  const rests = { plays: t('n {n}', { n }), pairs: measured === 1 ? t('1 pair') : t('{n} pairs', { n }), wins: `${figure.wins}/${n}` }[figure.unit];
  if (!figure.interval) return rests;
  return `${range(figure.interval)} \u00b7 ${rests}`;
}

/** `0.15 to 0.49`. */
export function range({ lo, hi }: { lo: number; hi: number }): string {
  return t('{lo} to {hi}', { lo: num(lo), hi: num(hi) });
}
