import { message } from '../../../shared/message';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';
import type { FindingDraft } from '../check';

/** An import of the file. */
export interface ImportedModule {
  /** Top-level module, for example `math_verify`. */
  readonly module: string;
  readonly node: SyntaxNode;
  /** True below `try … except ImportError` or in a function: the file loads without it. */
  readonly optional: boolean;
}

/** Names of packages that differ from the module they bring. */
const PACKAGES: Readonly<Record<string, string>> = { math_verify: 'math-verify', sklearn: 'scikit-learn', PIL: 'pillow', cv2: 'opencv-python', yaml: 'pyyaml' };

/** The name a module's package is installed under. */
function packageOf(module: string): string {
  return PACKAGES[module] ?? module;
}

function isOptional(statement: SyntaxNode): boolean {
  if (statement.ancestor('function_definition', 'lambda') !== null) return true;
  for (let node: SyntaxNode | null = statement; node !== null; node = node.parent) {
    const attempt: SyntaxNode | null = node.parent;
    if (attempt?.type !== 'try_statement' || node.field !== 'body') continue;
    const catches = attempt.children.filter(({ type }) => type === 'except_clause').map(({ text }) => text.split(':')[0]!);
    if (catches.some((clause) => /^except\s*$|ImportError|ModuleNotFoundError|\bException\b/.test(clause))) return true;
  }
  return false;
}

/** Absolute imports of a file in source order. */
export function importedModules(file: PythonFile): ImportedModule[] {
  const found: ImportedModule[] = [];
  for (const statement of file.root.descendants('import_statement', 'import_from_statement')) {
    const optional = isOptional(statement);
    const from = statement.child('module_name');
    const modules = from !== null ? [from] : statement.childrenIn('name');
    for (const node of modules) {
      if (node.type === 'relative_import') continue;
      found.push({ module: (node.child('name') ?? node).text.split('.')[0]!.trim(), node, optional });
    }
  }
  return found;
}

/** The finding for a module that the interpreter does not have. */
export function missingPackage(file: PythonFile, { module, node }: ImportedModule, python: string): FindingDraft {
  const name = packageOf(module);
  return {
    range: file.range(node),
    message: message('The selected Python {python} has no package {name}, so the file cannot be run here and is not judged. That says nothing about the file: install {name} for this interpreter, or select one that has it.', { python, name }),
    evidence: { detail: name },
  };
}

/** `missing-dependency`, as far as the interpreter's packages are known. */
export function missingDependency(file: PythonFile): FindingDraft[] {
  const { interpreter } = file;
  if (interpreter === null) return [];
  return importedModules(file)
    .filter(({ module, optional }) => !optional && interpreter.packages[packageOf(module)] === null)
    .map((imported) => missingPackage(file, imported, interpreter.python));
}
