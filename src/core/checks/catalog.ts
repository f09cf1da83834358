import type { Check, Family } from './check';
import { determinism } from './families/determinism';
import { episode } from './families/episode';
import { exploits } from './families/exploits';
import { leaks } from './families/leaks';
import { loading } from './families/loading';
import { opinion } from './families/opinion';
import { returns } from './families/returns';
import { robustness } from './families/robustness';
import { safety } from './families/safety';
import { solvability } from './families/solvability';
import { text } from './families/text';
import { tools } from './families/tools';

/** The check catalog by family, in the order people read it. */
export const families: readonly Family[] = [
  loading, returns, text, safety, determinism, robustness,
  episode, solvability, exploits, leaks, tools, opinion,
];

/** Every check. */
export const catalog: readonly Check[] = families.flatMap(({ checks }) => checks);

const byId = new Map(catalog.map((check) => [check.id, check]));

/** The check with an id, undefined when there is none. */
export function checkById(id: string): Check | undefined {
  return byId.get(id);
}
