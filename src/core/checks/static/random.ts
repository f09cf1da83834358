import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';

/** Functions of the `random` module that draw from its one global generator. */
const DRAWS = new Set([
  'random', 'randint', 'randrange', 'uniform', 'choice', 'choices', 'sample', 'shuffle', 'gauss', 'normalvariate', 'triangular', 'betavariate', 'expovariate',
  'gammavariate', 'lognormvariate', 'paretovariate', 'vonmisesvariate', 'weibullvariate', 'getrandbits', 'randbytes', 'binomialvariate',
]);
/** Names of `numpy.random` that are no draw from the global generator. */
const NUMPY_OWN = new Set(['default_rng', 'RandomState', 'Generator', 'SeedSequence', 'PCG64', 'MT19937', 'Philox', 'seed', 'get_state', 'set_state']);

/** What the file's imports call the global generators. */
interface RandomNames {
  readonly modules: ReadonlySet<string>;
  readonly numpy: ReadonlySet<string>;
  /** Plain functions: `from random import choice`. */
  readonly functions: ReadonlySet<string>;
  /** Generators that the module itself holds, which all instances share: `RNG = random.Random(0)`. */
  readonly shared: ReadonlySet<string>;
}

function randomNames(file: PythonFile): RandomNames {
  // The run injects `random`, `numpy` and `np` whether or not the file imports them.
  const modules = new Set(['random']);
  const numpy = new Set(['np.random', 'numpy.random']);
  const functions = new Set<string>();
  for (const statement of file.root.descendants('import_statement', 'import_from_statement')) {
    const from = statement.child('module_name')?.text;
    for (const part of statement.childrenIn('name')) {
      const name = part.child('name')?.text ?? part.text;
      const alias = part.child('alias')?.text ?? name;
      if (from === undefined) {
        if (name === 'random') modules.add(alias);
        if (name === 'numpy') numpy.add(`${alias}.random`);
        if (name === 'numpy.random') numpy.add(alias);
      } else if (from === 'random' && DRAWS.has(name)) functions.add(alias);
      else if (from === 'numpy' && name === 'random') numpy.add(alias);
      else if (from === 'numpy.random' && !NUMPY_OWN.has(name)) functions.add(alias);
    }
  }
  const shared = new Set<string>();
  for (const assignment of file.root.inScope('assignment')) {
    const made = assignment.child('right')?.child('function')?.text ?? '';
    if (/(^|\.)(Random|default_rng|RandomState)$/.test(made)) shared.add(assignment.child('left')?.text ?? '');
  }
  return { modules, numpy, functions, shared };
}

/** Names that a function binds itself, as parameters or by assignment. */
function boundIn(definition: SyntaxNode): Set<string> {
  const names = new Set<string>();
  for (const node of definition.child('parameters')?.descendants('identifier') ?? []) names.add(node.text);
  for (const node of definition.child('body')?.inScope('assignment') ?? []) {
    const left = node.child('left');
    if (left?.type === 'identifier') names.add(left.text);
  }
  return names;
}

/** Finds draws from generators that the process shares: those of `random` and `numpy.random`, and what the module holds. */
export function globalDraws(file: PythonFile): (definition: SyntaxNode) => SyntaxNode[] {
  const { modules, numpy, functions, shared } = randomNames(file);
  return (definition) => {
    const own = boundIn(definition);
    const draws: SyntaxNode[] = [];
    for (const call of definition.descendants('call')) {
      const target = call.child('function');
      if (target?.type === 'identifier' && functions.has(target.text) && !own.has(target.text)) draws.push(call);
      if (target?.type !== 'attribute') continue;
      const object = target.child('object')?.text ?? '';
      const name = target.child('attribute')?.text ?? '';
      if (modules.has(object) && !own.has(object) && DRAWS.has(name)) draws.push(call);
      if (shared.has(object) && !own.has(object) && !NUMPY_OWN.has(name)) draws.push(call);
      if (numpy.has(object) && !own.has(object) && !NUMPY_OWN.has(name)) draws.push(call);
    }
    return draws;
  };
}

/** Calls that cannot be replayed whatever the seed: entropy of the machine, clocks, generators made without a seed. */
export function unseededSources(definition: SyntaxNode): SyntaxNode[] {
  const sources: SyntaxNode[] = [];
  for (const call of definition.descendants('call')) {
    const target = call.child('function')?.text.replace(/\s/g, '') ?? '';
    const bare = (call.child('arguments')?.namedChildren.length ?? 0) === 0;
    if (/^(os\.urandom|uuid\.uuid[14]|uuid[14]|secrets\.\w+|random\.SystemRandom|SystemRandom)$/.test(target)) sources.push(call);
    if (/^(time\.(time|time_ns|monotonic|perf_counter)|datetime\.(datetime\.)?(now|utcnow|today)|date\.today|datetime\.date\.today)$/.test(target)) sources.push(call);
    if (bare && /^((np|numpy)\.random\.(default_rng|RandomState)|random\.Random|Random|default_rng)$/.test(target)) sources.push(call);
  }
  return sources;
}

/** Every draw of a function: global, from a generator it holds, or from an unseeded source. */
export function allDraws(definition: SyntaxNode): SyntaxNode[] {
  const draws: SyntaxNode[] = [];
  for (const call of definition.descendants('call')) {
    const target = call.child('function');
    const name = target?.type === 'attribute' ? (target.child('attribute')?.text ?? '') : (target?.text ?? '');
    const object = target?.type === 'attribute' ? (target.child('object')?.text ?? '') : '';
    const generator = /(^|[._])(random|rng|rand|rnd|generator|gen|prng|Random)\b|\bRandom\(|default_rng\(|RandomState\(/i.test(object);
    if ((DRAWS.has(name) && (generator || object === '')) || (generator && /^(integers|permutation|normal|standard_normal|permuted)$/.test(name))) draws.push(call);
  }
  return [...draws, ...unseededSources(definition)].sort((a, b) => a.start - b.start);
}
