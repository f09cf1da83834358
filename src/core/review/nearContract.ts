import { findMethod, type ClassInfo } from '../environment/classes';
import type { PythonFile } from '../environment/pythonFile';
import type { SyntaxNode } from '../environment/syntaxTree';

/** A class that plays like an environment but is not one for the run's loader, and in what it differs. */
export interface NearContract {
  readonly className: string;
  /** `step` gives four values, as Gym did before 0.26. */
  readonly fourValues: boolean;
  /** `reset` and `step` put a part of the observation into `info["suffix"]`, as GEM does. */
  readonly suffix: boolean;
  /** `reset` takes a seed. */
  readonly takesSeed: boolean;
  /** The class does not look for a box itself: the wrapper takes the action out of it. */
  readonly plainActions: boolean;
  /** The class's name does not end in `Env`. */
  readonly otherName: boolean;
  readonly hasSolution: boolean;
}

/** The near contract of a file; null when the run takes the file as it is, or when nothing in it plays like an environment. */
export function nearContract(file: PythonFile): NearContract | null {
  const playable = [...file.classes.values()].filter((info) => methodOf(file, info, 'reset') && methodOf(file, info, 'step'));
  const info = file.env && playable.includes(file.env) ? file.env : playable.at(-1);
  if (info === undefined || file.toolUse) return null;
  const reset = methodOf(file, info, 'reset')!;
  const fourValues = returnsOf(methodOf(file, info, 'step')!.node).some((value) => arity(value) === 4);
  const suffix = [...info.node.descendants('string')].some((node) => /^['"]suffix['"]$/.test(node.text));
  const otherName = !info.name.endsWith('Env');
  if (!fourValues && !suffix && !otherName) return null;
  return {
    className: info.name,
    fourValues,
    suffix,
    takesSeed: reset.parameters.some(({ name, kind }) => name === 'seed' || kind === 'var-keyword'),
    plainActions: !file.text.includes('boxed'),
    otherName,
    hasSolution: methodOf(file, info, 'solution') !== null,
  };
}

const methodOf = (file: PythonFile, info: ClassInfo, name: string) => findMethod(file.lineageOf(info), name);

/** Values of the `return` statements of a function itself, not of functions within it. */
function returnsOf(definition: SyntaxNode): SyntaxNode[] {
  return [...definition.inScope('return_statement')].flatMap((statement) => statement.namedChildren.slice(0, 1));
}

const arity = (value: SyntaxNode) => (value.type === 'expression_list' || value.type === 'tuple' ? value.namedChildren.length : 1);

/** A wrapped file: its text, and the class that the run will pick. */
export interface WrappedFile {
  readonly source: string;
  readonly className: string;
}

/**
 * Writes the wrapper below the file, as code for a person to read. A class that ends in `Env` is renamed, since the run's
 * loader takes the first such name (run contract §2.2).
 */
export function wrapNearContract(file: PythonFile, near: NearContract): WrappedFile {
  const stem = near.otherName ? near.className : near.className.slice(0, -'Env'.length);
  const className = `${stem}Env`;
  const inner = near.otherName ? near.className : `${stem}Original`;
  const body = near.otherName ? file.text : renameIdentifier(file, near.className, inner);
  const header = near.takesSeed ? '' : 'import random\n\n';
  return { source: `${body.trimEnd()}\n\n\n${header}${wrapper(near, className, inner)}`, className };
}

function renameIdentifier(file: PythonFile, from: string, to: string): string {
  let text = '';
  let at = 0;
  for (const node of file.root.descendants('identifier')) {
    if (node.text !== from) continue;
    text += file.text.slice(at, node.start) + to;
    at = node.end;
  }
  return text + file.text.slice(at);
}

function wrapper(near: NearContract, className: string, inner: string): string {
  const lines = [
    `class ${className}:`,
    `    """Lets a training run play ${inner}: ${differences(near).join('; ')}."""`,
    '',
    '    def __init__(self, max_turns=25, **kwargs):',
    '        self.max_turns = max_turns',
    '        self.turns = 0',
    `        self._inner = ${inner}(**kwargs)`,
    '',
    '    def reset(self, seed=None):',
    '        self.turns = 0',
    ...(near.takesSeed ? ['        given = self._inner.reset(seed=seed)'] : ['        if seed is not None:', '            random.seed(seed)', '        given = self._inner.reset()']),
    '        observation, info = given if isinstance(given, tuple) else (given, {})',
    '        return self._text(observation, info), dict(info)',
    '',
    '    def step(self, action):',
    '        self.turns += 1',
    ...(near.plainActions ? ['        action = self._plain(action)'] : []),
    ...(near.fourValues
      ? [
          '        observation, reward, done, info = self._inner.step(action)',
          '        truncated = bool(info.get("TimeLimit.truncated", False))',
          '        terminated = bool(done) and not truncated',
        ]
      : ['        observation, reward, terminated, truncated, info = self._inner.step(action)']),
    '        over = bool(truncated) or (not terminated and self.turns >= self.max_turns)',
    '        return self._text(observation, info), float(reward), bool(terminated), over, dict(info)',
    '',
    '    @staticmethod',
    '    def _text(observation, info):',
    ...(near.suffix ? ['        return f"{observation}{info.get(\'suffix\', \'\')}"'] : ['        return str(observation)']),
    ...(near.plainActions
      ? ['', '    @staticmethod', '    def _plain(action):', '        start = action.find("\\\\boxed{")', '        return action[start + 7 : action.rfind("}")].strip() if start >= 0 else action.strip()']
      : []),
    ...(near.hasSolution ? ['', '    def solution(self):', '        return self._inner.solution()'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function differences(near: NearContract): string[] {
  return [
    ...(near.otherName ? ['its name does not end in Env'] : []),
    ...(near.fourValues ? ['its step gives four values'] : []),
    ...(near.suffix ? ['a part of its observation lies in info["suffix"]'] : []),
    ...(near.plainActions ? ['it wants its action without a box'] : []),
    ...(near.takesSeed ? [] : ['its reset takes no seed, so the global generator is seeded']),
  ];
}
