import type { Finding, Range } from '../../shared/findings';

/** A frame of a traceback in the environment's own file. */
export interface OwnFrame {
  readonly range: Range;
  /** Name of the function, from the environment: untrusted. */
  readonly function: string;
}

/** Longest column: the end of a line, wherever it is. */
const LINE_END = 10_000;
const FRAME = /^(.*):(\d{1,7}) in (.*)$/s;

/** The frames of a finding's traceback that lie in the file itself, innermost first; the line that the finding marks is left out. */
export function ownFrames({ evidence, line }: Pick<Finding, 'evidence' | 'line'>, file: string): OwnFrame[] {
  const seen = new Set([line]);
  return [...(evidence?.traceback ?? [])].reverse().flatMap((text) => {
    const [, name, number, called] = FRAME.exec(text) ?? [];
    const at = Number(number);
    if (name !== file || called === undefined || at < 1 || seen.has(at)) return [];
    seen.add(at);
    return [{ range: { line: at, column: 1, endLine: at, endColumn: LINE_END }, function: called }];
  });
}
