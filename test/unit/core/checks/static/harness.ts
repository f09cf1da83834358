import { expect } from 'vitest';
import { catalog, checkById } from '../../../../../src/core/checks/catalog';
import { checkStatically } from '../../../../../src/core/checks/static/run';
import { readPython } from '../../../../../src/core/environment/pythonDocument';
import type { InterpreterFacts, PythonFile } from '../../../../../src/core/environment/pythonFile';
import type { Finding, Fix, Profile, TextEdit } from '../../../../../src/shared/findings';
import { testParser } from '../../../../fakes/pythonParser';

const parser = await testParser();

/** Reads a text as a file. */
export function read(text: string, interpreter: InterpreterFacts | null = null): PythonFile {
  return readPython(parser, text, interpreter);
}

export interface Judged {
  profile?: Profile;
  interpreter?: InterpreterFacts;
}

/** Static findings of one check, or of all. */
export function findings(text: string, id: string | null = null, { profile, interpreter }: Judged = {}): Finding[] {
  const checks = id === null ? catalog : [checkById(id)!];
  return [...checkStatically(read(text, interpreter), profile ?? null, checks).findings];
}

/** Lines on which a check fires. */
export function firesOn(text: string, id: string, judged: Judged = {}): number[] {
  return findings(text, id, judged).map(({ line }) => line);
}

/** The text after edits that are the same or do not overlap; what two findings share is made once. */
function applyEdits({ text, lines }: PythonFile, edits: readonly TextEdit[]): string {
  const distinct = new Map(edits.map(({ line, column, endLine, endColumn, newText }) => {
    const edit = { start: lines.offsetAt(line, column), end: lines.offsetAt(endLine, endColumn), newText };
    return [JSON.stringify(edit), edit] as const;
  }));
  const backwards = [...distinct.values()].sort((a, b) => b.start - a.start || b.end - a.end);
  return backwards.reduce((now, { start, end, newText }) => now.slice(0, start) + newText + now.slice(end), text);
}

/** The text with one fix made. */
export function applyFix(text: string, fix: Fix): string {
  return applyEdits(read(text), fix.edits);
}

/** Applies the fix of every finding of a check; expects that each has one. */
export function fixed(text: string, id: string, judged: Judged = {}): string {
  const found = findings(text, id, judged);
  expect(found.length).toBeGreaterThan(0);
  return applyEdits(read(text), found.flatMap((finding) => finding.fix?.edits ?? expect.fail(`no fix: ${finding.message.template}`)));
}

/** Expects that the fixes of a check mend it and bring no new finding; gives the mended text. */
export function expectMended(text: string, id: string, judged: Judged = {}): string {
  const ids = (of: string): string[] => findings(of, null, judged).map((finding) => finding.id);
  const mended = fixed(text, id, judged);
  expect(ids(mended)).toEqual(ids(text).filter((other) => other !== id));
  return mended;
}

/** Parts of a sound single-turn file, so that an input shows only what it is about. */
export interface Parts {
  before?: string;
  classLine?: string;
  init?: string;
  reset?: string;
  step?: string;
  solution?: string;
  after?: string;
}

const SOUND: Required<Parts> = {
  before: 'import random\nimport re\n',
  classLine: 'class SumEnv:',
  init: '    def __init__(self, max_turns=5, **kwargs):\n        self.max_turns = max_turns\n        self.turns = 0\n        self.reset()',
  reset: '    def reset(self, seed=None):\n        rng = random.Random(seed)\n        self.a, self.b = rng.randint(1, 99), rng.randint(1, 99)\n        self.turns = 0\n'
    + '        return f"{self.a} + {self.b}? Reply \\\\boxed{{sum}}.", {}',
  step: '    def step(self, action):\n        self.turns += 1\n        over = self.turns >= self.max_turns\n        m = re.search(r"\\\\boxed\\{([^}]*)\\}", action)\n'
    + '        if m and m.group(1).strip() == str(self.a + self.b):\n            return "Yes.", 1.0, True, False, {}\n        return "No.", 0.0, False, over, {}',
  solution: '    def solution(self):\n        return str(self.a + self.b)',
  after: '',
};

/** A sound file with some parts replaced. */
export function environment(parts: Parts = {}): string {
  const { before, classLine, init, reset, step, solution, after } = { ...SOUND, ...parts };
  return [before, '', classLine, init, '', reset, '', step, '', solution, '', after].join('\n');
}

/** A tool-use file with the given `reset` lines (8 blanks deep) and methods (4 deep). */
export function toolEnvironment({ reset, methods, before = '' }: { reset: string; methods: string; before?: string }): string {
  return `${before}class ShopEnv(ToolUseBaseEnv):\n    def reset(self, seed=None):\n        self.turn_count = 0\n        self._state = {"n": 1}\n${reset}\n        self._expected_answer = "1"\n`
    + `        return "How many? Use the tools.", {}\n\n${methods}\n\n    def solution(self):\n        return "1. look()\\nANSWER: 1"\n`;
}
