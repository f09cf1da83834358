import type { Range } from '../../shared/findings';
import { findMethod } from './classes';
import type { PythonFile } from './pythonFile';

/** Cheap test before a parse: a text without these can be no environment file. */
export function mayBeEnvironment(text: string): boolean {
  return /Env\b/.test(text) && (/\bdef\s+(reset|step)\b/.test(text) || text.includes('ToolUseBaseEnv'));
}

/** The class that stands for a file: what it is called and where its name is. */
export interface EnvironmentAnchor {
  readonly className: string;
  readonly range: Range;
}

/**
 * The class that makes a file an environment, undefined when it wants to be none: the run's loader would pick something
 * in it, and a class of it subclasses `ToolUseBaseEnv` or has `reset` or `step`. One of the two is enough, so that a file
 * which lacks the other is told so.
 */
export function environmentAnchor(file: PythonFile): EnvironmentAnchor | undefined {
  const isOne = file.candidates.some((candidate) => {
    const info = file.classOf(candidate);
    if (info === null) return false;
    const lineage = file.lineageOf(info);
    return lineage.toolUse || findMethod(lineage, 'reset') !== null || findMethod(lineage, 'step') !== null;
  });
  if (!isOne || file.picked === null) return undefined;
  return { className: file.picked.name, range: file.lines.range(file.picked.nameNode) };
}
