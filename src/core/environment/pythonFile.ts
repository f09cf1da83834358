import type { Tree } from 'web-tree-sitter';
import type { Range } from '../../shared/findings';
import { findMethod, lineageOf, readClass, type ClassInfo, type Lineage, type Method } from './classes';
import { LineMap, type Span } from './lines';
import { Names } from './names';
import { envCandidates, moduleClasses, toolBaseNames, type Candidate } from './recognise';
import { SyntaxTree, type SyntaxNode } from './syntaxTree';

/** What is known of the Python that is to run a file. */
export interface InterpreterFacts {
  /** Version, for example `3.11.7`. */
  readonly python: string;
  /** Packages that were looked for, by the name they are installed under: the version found, null where it is missing. */
  readonly packages: Readonly<Record<string, string | null>>;
}

/** An environment file as its text tells it: what the run's loader would pick, and what belongs to it. */
export class PythonFile {
  readonly tree: SyntaxTree;
  readonly lines: LineMap;
  /** Classes that the module defines, by name; a later definition replaces an earlier one. */
  readonly classes: ReadonlyMap<string, ClassInfo>;
  /** Callables whose name ends in `Env`, in the order of the module's namespace. */
  readonly candidates: readonly Candidate[];
  /** Names that stand for the run's `ToolUseBaseEnv`. */
  private readonly toolBases: ReadonlySet<string>;
  /** What the run's loader takes (run contract §2.2). */
  readonly picked: Candidate | null;
  /** The class behind {@link picked}; null when there is none or it is no class of this file. */
  readonly env: ClassInfo | null;
  /** {@link env} with its ancestors. */
  readonly lineage: Lineage | null;
  private boundNames: Names | null = null;
  private seenMethods: readonly Method[] | null = null;

  /**
   * The syntax tree is copied: the caller keeps `tree` and deletes it when it likes.
   * @param interpreter the selected interpreter, null while none is known.
   * @param previous the file before the edit, when `tree` was parsed from its tree.
   */
  constructor(readonly text: string, tree: Tree, readonly interpreter: InterpreterFacts | null = null, previous: PythonFile | null = null) {
    this.tree = new SyntaxTree(text, tree, previous?.tree ?? null);
    this.lines = new LineMap(text);
    const classes = new Map<string, ClassInfo>();
    for (const node of moduleClasses(this.root)) {
      const info = readClass(node);
      if (info !== null) classes.set(info.name, info);
    }
    this.classes = classes;
    this.toolBases = toolBaseNames(this.root);
    this.candidates = envCandidates(this.root);
    this.picked = this.candidates[0] ?? null;
    this.env = this.picked && this.classOf(this.picked);
    this.lineage = this.env && this.lineageOf(this.env);
  }

  get root(): SyntaxNode {
    return this.tree.root;
  }

  /** True when the picked class is a `ToolUseBaseEnv`. */
  get toolUse(): boolean {
    return this.lineage?.toolUse ?? false;
  }

  /** What the file binds, scope by scope. */
  get names(): Names {
    return (this.boundNames ??= new Names(this));
  }

  /** The class a candidate stands for, through aliases of the file. */
  classOf(candidate: Candidate): ClassInfo | null {
    if (candidate.kind === 'class') return this.classes.get(candidate.name) ?? null;
    return candidate.aliasOf === null ? null : (this.classes.get(candidate.aliasOf) ?? null);
  }

  lineageOf(info: ClassInfo): Lineage {
    return lineageOf(info, (name) => this.classes.get(name) ?? null, (name) => this.toolBases.has(name));
  }

  /** A method of the picked class, after inheritance within the file. */
  method(name: string): Method | null {
    return this.lineage && findMethod(this.lineage, name);
  }

  /** The methods of the picked class as it sees them, inherited ones included. */
  get methods(): readonly Method[] {
    return (this.seenMethods ??= methodsOf(this.lineage));
  }

  range(span: Span): Range {
    return this.lines.range(span);
  }
}

function methodsOf(lineage: Lineage | null): Method[] {
  const found = new Map<string, Method>();
  for (const info of lineage?.chain ?? []) {
    for (const method of info.methods.values()) if (!found.has(method.name)) found.set(method.name, method);
  }
  return [...found.values()];
}
