/**
 * Near-duplicates by structure. A file becomes a bag of shingles (short runs of syntax) in which names, texts and numbers
 * count by their kind alone, each statement by itself, so that renaming, reformatting, another skin of words and another
 * order of members change little. What many files share is boilerplate and weighs little.
 */
import { groupBy } from '../collections';
import type { SyntaxNode, SyntaxTree } from '../environment/syntaxTree';

/** Shingles of a file, each by the digest of its text, with how often each occurs. */
export type Fingerprint = ReadonlyMap<string, number>;

const SHINGLE = 5;

/** Kinds of leaf that differ between skins of one environment. */
const folded = new Map([
  ['identifier', 'n'], ['string_content', 's'], ['string_start', ''], ['string_end', ''], ['escape_sequence', ''], ['integer', '0'], ['float', '0'],
  ['interpolation', '{}'],
]);

/** Words whose name is meaning, not skin: calls of the language and of the generator decide what a task is. */
const kept = new Set([
  'abs', 'min', 'max', 'sum', 'sorted', 'len', 'range', 'zip', 'enumerate', 'divmod', 'pow', 'round', 'any', 'all', 'set', 'dict', 'tuple', 'list', 'reversed',
  'randint', 'randrange', 'choice', 'choices', 'sample', 'shuffle', 'uniform', 'gauss', 'gcd', 'lcm', 'sqrt', 'comb', 'factorial', 'deque', 'heappush', 'heappop',
  'permutations', 'combinations', 'product', 'count', 'index', 'split', 'join', 'replace',
]);

const statements = new Set([
  'expression_statement', 'return_statement', 'if_statement', 'elif_clause', 'while_statement', 'for_statement', 'assert_statement', 'raise_statement',
  'augmented_assignment', 'with_statement', 'list_comprehension', 'generator_expression', 'lambda',
]);

/** The fingerprint of a parsed file: docstrings and imports do not count. */
export function fingerprint(tree: SyntaxTree): Fingerprint {
  const shingles = new Map<string, number>();
  for (const statement of tree.root.descendants(...statements)) {
    if (isDocstring(statement)) continue;
    const tokens = [statement.type, ...tokensOf(statement)];
    for (let at = 0; at === 0 || at + SHINGLE <= tokens.length; at += 1) {
      const shingle = shortDigest(tokens.slice(at, at + SHINGLE).join(' '));
      shingles.set(shingle, (shingles.get(shingle) ?? 0) + 1);
    }
  }
  return shingles;
}

/** 53 bits of a text, as a short word: thousands of files with hundreds of shingles each are kept. */
function shortDigest(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}

function isDocstring(node: SyntaxNode): boolean {
  return node.type === 'expression_statement' && node.namedChildren.length === 1 && node.namedChildren[0]?.type === 'string';
}

function* tokensOf(statement: SyntaxNode): Generator<string> {
  for (const node of statement.descendants()) {
    if (node.children.length > 0) continue;
    // Nested statements count by themselves.
    if (nearestStatement(node) !== statement) continue;
    const token = tokenOf(node);
    if (token !== '') yield token;
  }
}

function nearestStatement(node: SyntaxNode): SyntaxNode | null {
  return node.ancestor(...statements);
}

function tokenOf(node: SyntaxNode): string {
  if (!node.named) {
    // Brackets around a tuple are a matter of taste; those in a formula are told by the operators they hold apart.
    if (node.type === '(' || node.type === ')') return node.parent?.type === 'tuple' ? '' : node.type;
    return node.field === 'operator' ? `${node.type}${enclosingOperator(node)}` : node.type;
  }
  if (node.type === 'identifier' && kept.has(node.text)) return node.text;
  return folded.get(node.type) ?? node.type;
}

/** The operator around the one that `node` is of, through brackets: `(a - b) * c` and `a - b * c` compute different things. */
function enclosingOperator(node: SyntaxNode): string {
  const outer = node.parent?.ancestor('binary_operator', 'comparison_operator', 'call', ...statements);
  return outer?.type === 'binary_operator' ? `<${outer.child('operator')?.text ?? ''}` : '';
}

/** In how many files of a set each shingle occurs. */
export class Commonness {
  private readonly files = new Map<string, number>();
  private count = 0;

  add(print: Fingerprint): void {
    this.count += 1;
    for (const shingle of print.keys()) this.files.set(shingle, (this.files.get(shingle) ?? 0) + 1);
  }

  /** Weight of a shingle: near 1 when few files have it, near 0 when all do. A set of fewer than four files tells nothing of boilerplate. */
  weight(shingle: string): number {
    if (this.count < 4) return 1;
    // Two clones must not make each other's content common: one occurrence is forgiven.
    const others = Math.max(0, (this.files.get(shingle) ?? 0) - 2);
    return Math.log((this.count + 1) / (others + 1)) / Math.log(this.count + 1);
  }
}

/** Weighted Jaccard similarity of two fingerprints: 0 nothing in common, 1 the same. */
export function similarity(a: Fingerprint, b: Fingerprint, commonness: Commonness): number {
  let shared = 0;
  let total = 0;
  for (const [shingle, count] of a) {
    const other = b.get(shingle) ?? 0;
    const weight = commonness.weight(shingle);
    shared += weight * Math.min(count, other);
    total += weight * Math.max(count, other);
  }
  for (const [shingle, count] of b) if (!a.has(shingle)) total += commonness.weight(shingle) * count;
  return total === 0 ? 1 : shared / total;
}

/** Similarity from which two files count as copies of one another; see the test for clones and strangers it was set by. */
export const CLONE_SIMILARITY = 0.7;

/** A group of copies: indices into the given list, the first of them first, and the least similarity that links it. */
export interface CloneGroup {
  readonly members: readonly number[];
  readonly similarity: number;
}

/**
 * Groups the copies among some files. Pairs are only compared when they share rare shingles, so that thousands of files need
 * no comparison of all with all.
 */
export function cloneGroups(prints: readonly Fingerprint[], commonness: Commonness, threshold = CLONE_SIMILARITY): CloneGroup[] {
  const parent = prints.map((_, index) => index);
  const find = (index: number): number => (parent[index] === index ? index : (parent[index] = find(parent[index]!)));
  const weakest = prints.map(() => 1);
  for (const [a, b] of likelyPairs(prints, commonness)) {
    if (find(a) === find(b)) continue;
    const value = similarity(prints[a]!, prints[b]!, commonness);
    if (value < threshold) continue;
    const [from, to] = [find(a), find(b)].sort((x, y) => x - y) as [number, number];
    weakest[from] = Math.min(weakest[from]!, weakest[to]!, value);
    parent[to] = from;
  }
  const groups = groupBy(prints.keys(), find);
  return [...groups.entries()].filter(([, members]) => members.length > 1).map(([root, members]) => ({ members, similarity: weakest[root]! }));
}

/** Rarest shingles of a file that are looked up for partners. */
const RARE = 48;

function rarest(print: Fingerprint, commonness: Commonness): string[] {
  const ranked = [...print.keys()].map((shingle) => [shingle, commonness.weight(shingle)] as const);
  return ranked.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, RARE).map(([shingle]) => shingle);
}

function* likelyPairs(prints: readonly Fingerprint[], commonness: Commonness): Generator<[number, number]> {
  const holders = new Map<string, number[]>();
  for (const [index, print] of prints.entries()) {
    const partners = new Set<number>();
    for (const shingle of rarest(print, commonness)) {
      const known = holders.get(shingle) ?? [];
      for (const partner of known) partners.add(partner);
      known.push(index);
      holders.set(shingle, known);
    }
    for (const partner of partners) yield [partner, index];
  }
}

/** Gives for a fingerprint the indices of those that share a rare shingle with it. */
export function likelyPartners(prints: readonly Fingerprint[], commonness: Commonness): (print: Fingerprint) => ReadonlySet<number> {
  const holders = new Map<string, number[]>();
  for (const [index, print] of prints.entries()) {
    for (const shingle of rarest(print, commonness)) {
      const known = holders.get(shingle);
      if (known) known.push(index);
      else holders.set(shingle, [index]);
    }
  }
  return (print) => new Set(rarest(print, commonness).flatMap((shingle) => holders.get(shingle) ?? []));
}
