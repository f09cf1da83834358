/**
 * Names that the run puts into a file's namespace before it runs it, with the import that a file needs to bring them
 * itself (run contract §2.1). `ToolUseBaseEnv` is not among them: a file may rely on it.
 */
const modules = ['itertools', 'math', 'random', 're', 'json', 'collections', 'functools', 'string', 'copy', 'heapq', 'operator', 'statistics', 'numpy'];
const members: Readonly<Record<string, readonly string[]>> = {
  collections: ['deque', 'defaultdict', 'Counter', 'OrderedDict', 'namedtuple'],
  itertools: ['combinations', 'permutations', 'product', 'chain', 'accumulate'],
  functools: ['reduce', 'lru_cache'],
  copy: ['deepcopy'],
  heapq: ['heappush', 'heappop'],
  typing: ['Any', 'Callable', 'Dict', 'FrozenSet', 'Iterable', 'List', 'Mapping', 'Optional', 'Sequence', 'Set', 'Tuple', 'Union'],
};

/** Injected name to its import statement. */
export const INJECTED: ReadonlyMap<string, string> = new Map([
  ...modules.map((name) => [name, `import ${name}`] as const),
  ['np', 'import numpy as np'] as const,
  ...Object.entries(members).flatMap(([module, names]) => names.map((name) => [name, `from ${module} import ${name}`] as const)),
]);
