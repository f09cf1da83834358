import { message } from '../../../shared/message';
import { INJECTED } from '../../environment/injected';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';
import type { FindingDraft } from '../check';
import { fix, insert, replace } from './fixes';

/** The opening of a string: prefix letters and quotes. */
function openingOf(string: SyntaxNode): string {
  return string.children.find(({ type }) => type === 'string_start')?.text ?? '';
}

/** True for a string that is a statement of its own: a docstring, which nobody is shown. */
function isDocstring(string: SyntaxNode): boolean {
  return string.parent?.type === 'expression_statement';
}

/** The text of the file just before an interpolation, within its string. */
function textBefore(interpolation: SyntaxNode): string {
  const before = interpolation.parent?.children[interpolation.parent.children.indexOf(interpolation) - 1];
  return before?.type === 'string_content' ? before.text : '';
}

/** True when a name is bound nowhere that the run would find it. */
function isUnknown(file: PythonFile, name: SyntaxNode): boolean {
  const { names } = file;
  return !names.isBound(name.text, name) && !names.isBuiltin(name.text, name) && !INJECTED.has(name.text) && name.text !== 'ToolUseBaseEnv';
}

/** Why an interpolation is a literal brace that was not doubled; null when it is an expression as meant. */
function literalBrace(file: PythonFile, interpolation: SyntaxNode): 'raises' | 'unreadable' | 'lost' | null {
  const expression = interpolation.child('expression');
  const afterCommand = /\\[A-Za-z]+$/.test(textBefore(interpolation));
  if (expression === null || expression.missing || interpolation.children.some(({ type }) => type === 'ERROR')) return afterCommand ? 'unreadable' : null;
  if (expression.type === 'string' && interpolation.child('format_specifier') !== null) {
    return /^:\s*["'[{\d]/.test(interpolation.child('format_specifier')!.text) ? 'raises' : null;
  }
  const used = [expression, ...expression.descendants()].filter(({ type }) => type === 'identifier');
  const plain = expression.type === 'identifier' || (expression.type === 'expression_list' && (afterCommand || expression.namedChildren.every(({ type }) => type === 'identifier')));
  if (plain && used.length > 0 && used.every((name) => isUnknown(file, name)) && !file.names.open) return 'raises';
  if (afterCommand && ['integer', 'float', 'ellipsis', 'string'].includes(expression.type) && interpolation.child('format_specifier') === null) return 'lost';
  return null;
}

/** Doubles the braces of an interpolation; null where braces inside it would need care of their own. */
function doubled(file: PythonFile, interpolation: SyntaxNode): FindingDraft['fix'] | null {
  const { start, end } = interpolation;
  const inner = file.text.slice(start + 1, end - 1);
  if (/[{}]/.test(inner)) return null;
  return fix(message('Double the braces'), replace(file, interpolation, `{{${inner}}}`));
}

/** `fstring-unescaped-brace`: a brace that is meant as text, but that the f-string takes for an expression. */
export function fstringUnescapedBrace(file: PythonFile): FindingDraft[] {
  const drafts: FindingDraft[] = [];
  for (const interpolation of file.root.descendants('interpolation')) {
    if (interpolation.parent?.type !== 'string') continue;
    const why = literalBrace(file, interpolation);
    if (why === null) continue;
    const text = interpolation.text;
    const mend = doubled(file, interpolation);
    const what = why === 'raises'
      ? message('{text} in an f-string is an expression, and it raises when this line runs: every load or step that reaches it fails. Write doubled braces for literal ones.', { text })
      : why === 'unreadable'
        ? message('{text} in an f-string is an expression, and Python cannot read it: the run cannot load the file. Write doubled braces for literal ones.', { text })
        : message('The f-string drops the braces of {text}: the agent reads another format than is meant. Write doubled braces for literal ones.', { text });
    drafts.push({ range: file.range(interpolation), message: what, ...(why === 'lost' ? { severity: 'warning' as const } : {}), ...(mend ? { fix: mend } : {}) });
  }
  return drafts;
}

/** `backspace-escape-in-boxed`: `\b` of `\boxed` in a string that is not raw. */
export function backspaceInBoxed(file: PythonFile): FindingDraft[] {
  const drafts: FindingDraft[] = [];
  for (const content of file.root.descendants('string_content')) {
    const string = content.parent!;
    if (/[rb]/i.test(openingOf(string)) || isDocstring(string)) continue;
    for (const { index, 0: escape } of content.text.matchAll(/\\(boxed|[\s\S])/g)) {
      if (escape !== '\\boxed') continue;
      const start = content.start + index;
      drafts.push({
        range: file.range({ start, end: start + escape.length }),
        message: message('In a string that is not raw, \\b is a backspace: the agent sees a control character and "oxed", and a pattern never matches. Write \\\\boxed.'),
        fix: fix(message('Write \\\\boxed'), insert(file, start, '\\')),
      });
    }
  }
  return drafts;
}

/** A box pattern whose group takes anything up to the first closing brace. */
const CUTTING_PATTERN = /boxed(?:\\s[*+?]|\s)?\s*(?:\\*\{|\[\{\])\s*(?:\\s\*)?\((?:\?P<\w+>|\?:)?(?:\[\^[^\]]*\}[^\]]*\]|\.)[*+]\??\)(?:\\s\*)?\s*(?:\\*\}|\[\}\])/;

/** Patterns of the file that read a box only up to its first closing brace. Ordinary; they bite where an answer holds a brace. */
export function cuttingBoxPatterns(file: PythonFile): SyntaxNode[] {
  return [...file.root.descendants('string')].filter((string) => {
    const group = CUTTING_PATTERN.exec(string.text)?.[0];
    return group !== undefined && !/\(\.[*+]\)/.test(group);
  });
}
