import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Absolute path of a file under test/fixtures. */
export function fixturePath(name: string): string {
  return join(import.meta.dirname, '..', 'fixtures', name);
}

/** A JSON fixture. */
export function fixture<T>(name: string): T {
  return JSON.parse(readFileSync(fixturePath(name), 'utf8')) as T;
}
