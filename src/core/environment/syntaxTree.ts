import type { Language, Tree, TreeCursor } from 'web-tree-sitter';
import type { Span } from './lines';

/** Nodes that carry no meaning for a rule. */
const SKIPPED = new Set(['comment', 'line_continuation']);

const NONE: readonly SyntaxNode[] = [];

/** Kinds of nodes and fields by the grammar's numbers. */
interface Kinds {
  readonly types: readonly string[];
  readonly named: readonly boolean[];
  readonly fields: readonly (string | null)[];
}

const kinds = new WeakMap<Language, Kinds>();

function kindsOf(language: Language): Kinds {
  let known = kinds.get(language);
  if (known === undefined) {
    const { types, fields } = language;
    kinds.set(language, (known = { types, named: types.map((_, id) => language.nodeTypeIsNamed(id)), fields }));
  }
  return known;
}

/**
 * A node of the syntax tree, copied out of the parser's memory: a rule may keep it as long as it likes, and walking it
 * costs no call into the parser. Types and fields are those of tree-sitter-python.
 */
export class SyntaxNode implements Span {
  children: readonly SyntaxNode[] = NONE;
  /** Index in {@link SyntaxTree.nodes} just past the last descendant. */
  next: number;

  constructor(
    private readonly tree: SyntaxTree,
    readonly index: number,
    readonly type: string,
    readonly named: boolean,
    readonly field: string | null,
    readonly start: number,
    readonly end: number,
    readonly missing: boolean,
    readonly parent: SyntaxNode | null,
  ) {
    this.next = index + 1;
  }

  /** Takes a node as the last child; only while the tree is built. */
  adopt(child: SyntaxNode): void {
    if (this.children === NONE) this.children = [child];
    else (this.children as SyntaxNode[]).push(child);
  }

  get text(): string {
    return this.tree.text.slice(this.start, this.end);
  }

  get namedChildren(): SyntaxNode[] {
    return this.children.filter((child) => child.named);
  }

  /** The first child in a field of the grammar. */
  child(field: string): SyntaxNode | null {
    return this.children.find((child) => child.field === field) ?? null;
  }

  childrenIn(field: string): SyntaxNode[] {
    return this.children.filter((child) => child.field === field);
  }

  /** Every node below this one in source order, of the given types when there are any. Never recurses, whatever the depth. */
  *descendants(...types: string[]): Generator<SyntaxNode> {
    for (let at = this.index + 1; at < this.next; at += 1) {
      const node = this.tree.nodes[at]!;
      if (types.length === 0 || types.includes(node.type)) yield node;
    }
  }

  /** Like {@link descendants}, without what lies inside nested functions, lambdas and classes (the nested node itself is given). */
  *inScope(...types: string[]): Generator<SyntaxNode> {
    for (let at = this.index + 1; at < this.next;) {
      const node = this.tree.nodes[at]!;
      if (types.length === 0 || types.includes(node.type)) yield node;
      at = isScope(node) ? node.next : at + 1;
    }
  }

  /** The nearest node around this one of one of the types. */
  ancestor(...types: string[]): SyntaxNode | null {
    let node = this.parent;
    while (node !== null && !types.includes(node.type)) node = node.parent;
    return node;
  }

  contains(other: SyntaxNode): boolean {
    return other.index >= this.index && other.index < this.next;
  }
}

/** The names that a target of a binding binds, in source order; attributes and subscripts bind none. */
export function boundNames(target: SyntaxNode): SyntaxNode[] {
  const names: SyntaxNode[] = [];
  const pending = [target];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'identifier') names.push(node);
    else if (node.type !== 'attribute' && node.type !== 'subscript') pending.push(...node.namedChildren.reverse());
  }
  return names;
}

/** True for the nodes that open a scope of their own. */
export function isScope(node: SyntaxNode): boolean {
  return node.type === 'function_definition' || node.type === 'class_definition' || node.type === 'lambda';
}

/** The whole tree of a text, nodes in source order. */
export class SyntaxTree {
  readonly nodes: SyntaxNode[] = [];
  /** Functions by the identity of the parser's memory that holds their parts, and back. */
  private readonly functions = new Map<number, SyntaxNode>();
  private readonly places = new Map<SyntaxNode, number>();

  /**
   * Copies a tree of the parser.
   * @param previous the copy of the tree that this one was parsed from, whose own tree must not be deleted yet: what the
   * parser took over from it is taken over here too, which spares most calls into the parser.
   */
  constructor(readonly text: string, tree: Tree, previous: SyntaxTree | null = null) {
    const cursor = tree.walk();
    try {
      this.copy(cursor, kindsOf(tree.language), previous);
    } finally {
      cursor.delete();
    }
  }

  private copy(cursor: TreeCursor, { named, types, fields }: Kinds, previous: SyntaxTree | null): void {
    const stack: SyntaxNode[] = [];
    for (;;) {
      const id = cursor.nodeTypeId;
      const type = types[id] ?? 'ERROR';
      let node: SyntaxNode | null = null;
      if (!SKIPPED.has(type)) {
        const start = cursor.startIndex;
        const end = cursor.endIndex;
        node = this.add(type, named[id] ?? true, fields[cursor.currentFieldId] ?? null, start, end, start === end && cursor.nodeIsMissing, stack.at(-1) ?? null);
        if (cursor.gotoFirstChild()) {
          if (!this.takeOver(node, cursor, previous)) {
            stack.push(node);
            continue;
          }
          cursor.gotoParent();
        }
      }
      while (!cursor.gotoNextSibling()) {
        const done = stack.pop();
        if (done === undefined) return;
        done.next = this.nodes.length;
        cursor.gotoParent();
        if (stack.length === 0) return;
      }
    }
  }

  private add(type: string, named: boolean, field: string | null, start: number, end: number, missing: boolean, parent: SyntaxNode | null): SyntaxNode {
    const node = new SyntaxNode(this, this.nodes.length, type, named, field, start, end, missing, parent);
    this.nodes.push(node);
    parent?.adopt(node);
    return node;
  }

  /**
   * Copies what is below a function from the previous copy when the parser shares it with the previous tree; the
   * cursor stands on the first child. Nodes have no lasting identity of their own, but the place where a function's
   * parts are stored has: it is shared with the previous tree or new, and is not given to another while both live.
   */
  private takeOver(node: SyntaxNode, cursor: TreeCursor, previous: SyntaxTree | null): boolean {
    if (node.type !== 'function_definition') return false;
    const place = cursor.nodeId;
    this.remember(node, place);
    const known = previous?.functions.get(place);
    if (previous === null || known === undefined || known.end - known.start !== node.end - node.start) return false;
    const shift = node.start - known.start;
    const offset = node.index - known.index;
    for (let at = known.index + 1; at < known.next; at += 1) {
      const old = previous.nodes[at]!;
      const { type, named, field, start, end, missing, parent, next } = old;
      const copy = this.add(type, named, field, start + shift, end + shift, missing, this.nodes[parent!.index + offset]!);
      copy.next = next + offset;
      const inner = previous.places.get(old);
      if (inner !== undefined) this.remember(copy, inner);
    }
    node.next = known.next + offset;
    return true;
  }

  private remember(node: SyntaxNode, place: number): void {
    this.functions.set(place, node);
    this.places.set(node, place);
  }

  get root(): SyntaxNode {
    return this.nodes[0]!;
  }

  /** The deepest node that holds an offset. */
  at(offset: number): SyntaxNode {
    let node = this.root;
    for (;;) {
      const inner = node.children.find((child) => child.start <= offset && offset < child.end);
      if (inner === undefined) return node;
      node = inner;
    }
  }
}
