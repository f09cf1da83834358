import type { Tree } from 'web-tree-sitter';
import type { Span } from './lines';

/** Nodes that carry no meaning for a rule. */
const SKIPPED = new Set(['comment', 'line_continuation']);

/**
 * A node of the syntax tree, copied out of the parser's memory: a rule may keep it as long as it likes, and walking it
 * costs no call into the parser. Types and fields are those of tree-sitter-python.
 */
export class SyntaxNode implements Span {
  readonly children: SyntaxNode[] = [];
  /** Index in {@link SyntaxTree.nodes} just past the last descendant. */
  next = 0;

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
  ) {}

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

/** True for the nodes that open a scope of their own. */
export function isScope(node: SyntaxNode): boolean {
  return node.type === 'function_definition' || node.type === 'class_definition' || node.type === 'lambda';
}

/** The whole tree of a text, nodes in source order. */
export class SyntaxTree {
  readonly nodes: SyntaxNode[] = [];

  constructor(readonly text: string, tree: Tree) {
    const { types, fields } = tree.language;
    const cursor = tree.walk();
    const stack: SyntaxNode[] = [];
    const add = (): SyntaxNode | null => {
      const type = cursor.nodeIsNamed ? (types[cursor.nodeTypeId] ?? 'ERROR') : cursor.nodeType;
      if (SKIPPED.has(type)) return null;
      const parent = stack.at(-1) ?? null;
      const node = new SyntaxNode(
        this, this.nodes.length, type, cursor.nodeIsNamed, fields[cursor.currentFieldId] ?? null, cursor.startIndex, cursor.endIndex,
        cursor.nodeIsMissing, parent,
      );
      node.next = node.index + 1;
      this.nodes.push(node);
      parent?.children.push(node);
      return node;
    };
    try {
      for (;;) {
        const node = add();
        if (node !== null && cursor.gotoFirstChild()) {
          stack.push(node);
          continue;
        }
        while (!cursor.gotoNextSibling()) {
          const done = stack.pop();
          if (done === undefined) return;
          done.next = this.nodes.length;
          cursor.gotoParent();
          if (stack.length === 0) return;
        }
      }
    } finally {
      cursor.delete();
    }
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
