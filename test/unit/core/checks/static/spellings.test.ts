import { describe, expect, it } from 'vitest';
import { environment, findings, firesOn } from './harness';

const IMPORTS = 'import random\nimport re\n';
const SOUND_STEP = '    def step(self, action):\n        self.turns += 1\n        return "No.", 0.0, False, self.turns >= self.max_turns, {}';
const stepping = (lines: string, before = ''): string => environment({
  before: `${IMPORTS}${before}`,
  step: `    def step(self, action):\n${lines.replace(/^/gm, '        ')}\n        return "No.", 0.0, False, self.turns >= self.max_turns, {}`,
});
const asking = (text: string): string => environment({ reset: `    def reset(self, seed=None):\n        self.a = self.b = 1\n        self.turns = 0\n        return ${text}, {}` });

/** Check, what is unusual, a file that must fire, and near misses that must not. */
const cases: [id: string, name: string, fires: string, quiet: Record<string, string>][] = [
  ['action-is-evaluated', 'an evaluator under another name', stepping('run(action)', 'run = eval\n'), {
    'a name of another thing': stepping('run(action)', 'run = str.strip\n'),
    'a name that the module binds twice': stepping('run(action)', 'run = eval\nrun = len\n'),
    'a parameter of that name': stepping('(lambda run: run(action))(len)', 'run = eval\n'),
    'names that go in a circle': stepping('one(action)', 'one = other\nother = one\n'),
  }],
  ['action-is-evaluated', 'an evaluator that is handed on', stepping('x = list(map(eval, action.split(",")))'), {
    'a reader that is handed on': stepping('x = list(map(int, action.split(",")))'),
    'an evaluator of the file\'s own texts': stepping('x = list(map(eval, ["1", "2"]))'),
  }],
  ['action-is-evaluated', 'an evaluator in a table', stepping('read = READERS["number"]\nx = read(action)', 'READERS = {"text": str, "number": eval}\n'), {
    'a table without one': stepping('read = READERS["number"]\nx = read(action)', 'READERS = {"text": str, "number": int}\nrun = eval\n'),
    'a table of what an evaluator gave': stepping('x = READERS["number"](action)', 'READERS = {"number": eval("int")}\nrun = eval\n'),
    'another name of the function': stepping('read = int\nx = read(action)', 'READERS = {"text": str, "number": eval}\n'),
    'the file\'s own text': stepping('x = READERS["number"]("1 + 1")', 'READERS = {"text": str, "number": eval}\n'),
  }],
  ['action-is-evaluated', 'an evaluator that a table is asked for', stepping('x = self.readers.get("number", str)(action)', 'class Shared:\n    readers = {"number": eval}\n'), {
    'a table of another name': stepping('x = self.readers.get("number", str)(action)', 'class Shared:\n    others = {"number": eval}\n'),
    'a table that is no attribute': stepping('x = self.readers.get("number", str)(action)', 'readers = {"number": eval}\n'),
  }],
  ['action-is-evaluated', 'an evaluator under a name of the function', stepping('read = eval\nx = read(action)'), {
    'one that is bound anew before': stepping('read = eval\nread = float\nx = read(action)'),
  }],
  ['action-is-evaluated', 'an evaluator in an attribute', stepping('self.read = eval\nx = self.read(action)'), {
    'a local name of another function': stepping('x = self.read(action)', 'def other():\n    read = eval\n'),
  }],
  ['calls-input', 'input of builtins', stepping('builtins.input()', 'import builtins\n'), { 'another member': stepping('builtins.len("")', 'import builtins\n') }],
  ['reads-file-or-env', 'a path under another name', stepping('x = P("words.txt").exists()', 'from pathlib import Path as P\n'), {
    'a pure path': stepping('x = P("words.txt").exists()', 'from pathlib import PurePath as P\n'), 'a class of the file': stepping('x = P("door").exists()', 'class P(str):\n    pass\n'),
  }],
  ['reads-file-or-env', 'a path that a name holds', stepping('p = Path("data") / "words.txt"\nif p.is_file():\n    pass', 'from pathlib import Path\n'), {
    'a name that holds a room': stepping('p = self.rooms["hall"]\nif p.exists():\n    pass', 'from pathlib import Path\n'),
  }],
  ['fstring-unescaped-brace', 'a set of names that nobody binds', asking('f"Choose from the set {x, y, z}."'), {
    'a pair of bound names': asking('f"Choose from the pair {self.a, self.b}."'), 'one name of the pair is bound': asking('f"Choose {seed, x}."'),
  }],
  ['loader-picks-first-env-class', 'a tuple type', environment({ before: `${IMPORTS}from collections import namedtuple\nGridEnv = namedtuple("GridEnv", "width height")\n` }), {
    'a tuple type by another name': environment({ before: `${IMPORTS}from collections import namedtuple\nGrid = namedtuple("Grid", "width height")\n` }),
    'a type variable, which nobody can call': environment({ before: `${IMPORTS}from typing import TypeVar\nTEnv = TypeVar("TEnv", bound="SumEnv")\n` }),
  }],
  ['loader-picks-first-env-class', 'a type hint', environment({ before: `${IMPORTS}from typing import Dict\nStateEnv = Dict[str, int]\n` }), {
    'a type hint by another name': environment({ before: `${IMPORTS}from typing import Dict\nState = Dict[str, int]\n` }),
  }],
  ['missing-method', 'a step that only another name gets', environment({ step: '', after: 'setattr(SumEnv, "steps", lambda self, action: None)\n' }), {
    'a step that setattr gives': environment({ step: '', after: 'setattr(SumEnv, "step", lambda self, action: ("x", 0.0, True, False, {}))\n' }),
  }],
  ['step-uses-global-rng', 'a draw in a property', environment({ step: `${SOUND_STEP.replace('"No."', 'f"{self.luck}"')}\n\n    @property\n    def luck(self):\n        return random.random()` }), {
    'a property that step does not read': environment({ step: `${SOUND_STEP}\n\n    @property\n    def luck(self):\n        return random.random()` }),
    'a property of the instance\'s own generator': environment({ step: `${SOUND_STEP.replace('"No."', 'f"{self.luck}"')}\n\n    @property\n    def luck(self):\n        return self.rng.random()` }),
  }],
  ['bad-return-shape', 'a step that the class above it ends wrongly', environment({
    before: `${IMPORTS}class Core:\n    def step(self, action):\n        return "x", 0.0, True, {}\n`, classLine: 'class SumEnv(Core):', step: '    def step(self, action):\n        return super().step(action)',
  }), {
    'a step that the class above it makes': environment({
      before: `${IMPORTS}class Core:\n    def step(self, action):\n        return "x", 0.0, True, False, {}\n`, classLine: 'class SumEnv(Core):', step: '    def step(self, action):\n        return super().step(action)',
    }),
    'a chain of three': environment({
      before: `${IMPORTS}class Root:\n    def step(self, action):\n        return "x", 0.0, True, False, {}\nclass Core(Root):\n    def step(self, action):\n        return super().step(action)\n`,
      classLine: 'class SumEnv(Core):', step: '    def step(self, action):\n        result = super().step(action)\n        return result',
    }),
  }],
  ['terminated-not-bool', 'a number that a branch leaves in the flag', stepping('over = 0\nif action:\n    over = True\nreturn "x", 0.0, over, False, {}'), {
    'a counter whose name becomes the flag': stepping('over = 0\nfor letter in action:\n    over += 1\nover = over > 3\nreturn "x", 0.0, over, False, {}'),
    'a number of another turn of the loop that is replaced': stepping('for letter in action:\n    over = 0\n    over = bool(letter)\n    return "x", 0.0, over, False, {}'),
  }],
  ['format-branch-ignores-max-turns', 'a branch after a test of something else', stepping('m = re.search(r"boxed", action)\nlong = len(action) > 9\nif long:\n    return "Short!", 0.0, True, False, {}\nif not m:\n    return "Box!", 0.0, False, False, {}'), {
    'a limit that a name holds': stepping('m = re.search(r"boxed", action)\nover = self.turns >= self.max_turns\nif over and not m:\n    return "Over.", 0.0, False, True, {}\nif not m:\n    return "Box!", 0.0, False, False, {}'),
    'a branch that ends after three such replies': stepping('m = re.search(r"boxed", action)\nif not m:\n    self.bad += 1\n    if self.bad > 2:\n        return "Enough.", 0.0, True, False, {}\n    return "Box!", 0.0, False, False, {}'),
  }],
  ['solution-shadowed', 'data that setattr stores', environment({ init: '    def __init__(self, max_turns=5):\n        self.max_turns = max_turns\n        setattr(self, "solution", "4")\n        self.reset()' }), {
    'data that setattr stores elsewhere': environment({ init: '    def __init__(self, max_turns=5):\n        self.max_turns = max_turns\n        setattr(self, "answer", "4")\n        self.reset()' }),
    'a function that setattr stores': environment({ init: '    def __init__(self, max_turns=5):\n        self.max_turns = max_turns\n        setattr(self, "solution", lambda: "4")\n        self.reset()' }),
  }],
];

describe.each(cases)('%s: %s', (id, _name, fires, quiet) => {
  it('fires', () => expect(firesOn(fires, id), JSON.stringify(findings(fires))).toHaveLength(1));
  it.each(Object.entries(quiet))('is silent on %s', (_what, text) => expect(firesOn(text, id)).toEqual([]));
});
