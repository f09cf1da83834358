import type { PythonFile } from '../../environment/pythonFile';
import { neverRuns } from '../../environment/recognise';
import type { SyntaxNode } from '../../environment/syntaxTree';

/** What the run calls on an environment by name. */
const CALLED = /^(__\w+__|reset|step|solution|close|get_tools|execute_tool|tool_\w+|_check_answer)$/;

/** Stretches of the tree that the run never reaches: index ranges, in source order. */
type Dead = readonly { readonly from: number; readonly to: number }[];

function isInside(dead: Dead, node: SyntaxNode): boolean {
  return dead.some(({ from, to }) => node.index >= from && node.index < to);
}

/** Bodies of `if __name__ == "__main__":`. */
function mainBlocks(root: SyntaxNode): Dead {
  const blocks: { from: number; to: number }[] = [];
  for (const branch of root.inScope('if_statement')) {
    const body = branch.child('consequence');
    if (body !== null && neverRuns(branch.child('condition'))) blocks.push({ from: body.index, to: body.next });
  }
  return blocks;
}

const deadCode = new WeakMap<PythonFile, Dead>();

/**
 * Code that no call of the run reaches: bodies of `if __name__ == "__main__":`, and functions whose name nothing that
 * runs mentions. Mentioning is enough to live, so the answer errs on the side of living.
 */
function deadIn(file: PythonFile): Dead {
  const known = deadCode.get(file);
  if (known !== undefined) return known;
  const blocks = mainBlocks(file.root);
  const waiting = new Map<string, SyntaxNode[]>();
  for (const definition of file.root.descendants('function_definition')) {
    const name = definition.child('name')?.text ?? '';
    waiting.set(name, [...(waiting.get(name) ?? []), definition]);
  }
  const pending: SyntaxNode[] = [];
  const revive = (name: string): void => {
    const definitions = waiting.get(name);
    if (definitions === undefined) return;
    waiting.delete(name);
    pending.push(...definitions);
  };
  for (const name of [...waiting.keys()]) if (CALLED.test(name) || file.candidates.some((candidate) => candidate.name === name)) revive(name);
  pending.push(file.root);
  for (let scope = pending.pop(); scope !== undefined; scope = pending.pop()) {
    for (const node of namesIn(scope)) if (!isInside(blocks, node)) revive(node.text);
  }
  const dead = [...blocks, ...[...waiting.values()].flat().map((definition) => ({ from: definition.index, to: definition.next }))].sort((a, b) => a.from - b.from);
  deadCode.set(file, dead);
  return dead;
}

/** Identifiers that run with a function or the module itself: class bodies and lambdas belong to it, nested functions do not. */
function* namesIn(scope: SyntaxNode): Generator<SyntaxNode> {
  const nodes = [...scope.descendants('identifier', 'function_definition')];
  let skipUntil = 0;
  for (const node of nodes) {
    if (node.index < skipUntil) continue;
    if (node.type === 'function_definition') skipUntil = node.next;
    else yield node;
  }
}

/** Nodes of the given types in code that the run may reach. */
export function* liveNodes(file: PythonFile, ...types: string[]): Generator<SyntaxNode> {
  const dead = deadIn(file);
  let next = 0;
  let skipUntil = 0;
  for (const node of file.root.descendants(...types)) {
    for (; next < dead.length && dead[next]!.from <= node.index; next += 1) skipUntil = Math.max(skipUntil, dead[next]!.to);
    if (node.index >= skipUntil) yield node;
  }
}
