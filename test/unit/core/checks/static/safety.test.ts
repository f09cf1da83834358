import { describe, expect, it } from 'vitest';
import { environment, findings, firesOn } from './harness';

/** A sound file with lines put at the head of `step`, and imports before. */
const stepping = (lines: string, imports = ''): string => environment({
  before: `import random\nimport re\n${imports}`,
  step: `    def step(self, action):\n${lines.replace(/^/gm, '        ')}\n        return "No.", 0.0, False, self.turns >= self.max_turns, {}`,
});
const inMain = (line: string, imports = ''): string => environment({ before: `import random\nimport re\n${imports}`, after: `if __name__ == "__main__":\n    ${line}\n` });
const unused = (line: string, imports = ''): string => environment({ before: `import random\nimport re\n${imports}`, after: `def play_by_hand():\n    ${line}\n` });

/** Check, severity, a line that must fire, its imports, and lines that must not: what they are, the line, its imports. */
type Case = [id: string, severity: string, line: string, imports: string, quiet: [name: string, line: string, imports: string][]];

const cases: Case[] = [
  ['calls-input', 'error', 'x = input("? ")', '', [
    ['input as a method', 'x = self.input("? ")', ''], ['a name of its own', 'input = str\nx = input("a")', ''], ['the word in a text', 'x = "input()"', ''],
  ]],
  ['calls-input', 'error', 'x = sys.stdin.readline()', 'import sys\n', [['another stream', 'x = self.stdin.readline()', '']]],
  ['prints-to-stdout', 'info', 'print(action)', '', [
    ['standard error', 'print(action, file=sys.stderr)', 'import sys\n'], ['a method', 'self.printer.print(action)', ''], ['a text', 'x = "print(1)"', ''],
  ]],
  ['prints-to-stdout', 'info', 'sys.stdout.write(action)', 'import sys\n', [['a buffer', 'x = io.StringIO(); x.write(action)', 'import io\n']]],
  ['reads-file-or-env', 'warning', 'x = open("words.txt").read()', '', [
    ['a method named open', 'x = self.open("door")', ''], ['paths that are only joined', 'x = os.path.join("a", "b")', 'import os\n'], ['a parameter named open', 'f = lambda open: open("x")', ''],
  ]],
  ['reads-file-or-env', 'warning', 'x = os.environ["HOME"]', 'import os\n', [['an attribute of its own', 'x = self.environ["HOME"]', '']]],
  ['reads-file-or-env', 'warning', 'x = getenv("HOME")', 'from os import getenv\n', [['a function of the file', 'x = self.getenv("HOME")', '']]],
  ['reads-file-or-env', 'warning', 'x = Path("words.txt").read_text()', 'from pathlib import Path\n', [['a pure path', 'x = Path("a") / "b"', 'from pathlib import Path\n']]],
  ['reads-file-or-env', 'warning', 'x = __file__', '', [['the name of the module', 'x = __name__', '']]],
  ['network-or-process', 'error', 'x = subprocess.run(["ls"])', 'import subprocess\n', [['an unused import', 'x = 1', 'import subprocess\n']]],
  ['network-or-process', 'error', 'x = sp.Popen("ls")', 'import subprocess as sp\n', [['a method of that name', 'x = self.sp.Popen("ls")', '']]],
  ['network-or-process', 'error', 'os.system("ls")', 'import os\n', [['the number of processors', 'x = os.cpu_count()', 'import os\n']]],
  ['network-or-process', 'error', '__import__("os").system("ls")', '', [['an import that does nothing', '__import__("math").floor(1.5)', '']]],
  ['network-or-process', 'error', 'Thread(target=self.reset).start()', 'from threading import Thread\n', [['a lock', 'x = threading.Lock()', 'import threading\n'], ['a class of its own', 'Thread = object\nx = Thread()', '']]],
  ['network-or-process', 'error', 'x = urllib.request.urlopen("http://a")', 'import urllib.request\n', [['parsing an address', 'x = urllib.parse.quote("a b")', 'import urllib.parse\n']]],
  ['network-or-process', 'error', 'x = ctypes.CDLL(None)', 'import ctypes\n', [['a word', 'x = "ctypes.CDLL"', '']]],
  ['network-or-process', 'error', 'x = requests.get("http://a")', 'import requests\n', [['a list of requests', 'x = self.requests.get("a")', '']]],
];

describe.each(cases)('%s', (id, severity, line, imports, quiet) => {
  it(`fires on ${line}`, () => {
    const text = stepping(line, imports);
    const at = text.split('\n').findIndex((candidate) => candidate.includes(line)) + 1;
    expect(findings(text, id).map((finding) => [finding.severity, finding.line])).toEqual([[severity, at]]);
  });
  it.each(quiet)('is silent on %s', (_name, near, nearImports) => expect(firesOn(stepping(near, nearImports), id)).toEqual([]));
  it('is silent in the main block and in what only it calls', () => {
    expect(firesOn(inMain(line.split('\n')[0]!, imports), id)).toEqual([]);
    expect(firesOn(unused(line.split('\n')[0]!, imports), id)).toEqual([]);
  });
});

it('code is followed through helpers, at import and in nested functions', () => {
  expect(firesOn('print("hello")\n' + environment(), 'prints-to-stdout')).toEqual([1]);
  expect(firesOn(environment({ before: 'import random\nimport re\ndef log(x):\n    print(x)\n', step: '    def step(self, action):\n        log(action)\n        return "x", 0.0, True, False, {}' }), 'prints-to-stdout')).toEqual([4]);
  expect(firesOn(stepping('def f():\n    print(1)\nf()'), 'prints-to-stdout')).toHaveLength(1);
});

describe('action-is-evaluated', () => {
  const id = 'action-is-evaluated';
  const severities = (lines: string, imports = ''): string[] => findings(stepping(lines, imports), id).map(({ severity }) => severity);
  const box = 'm = re.search(r"\\\\boxed\\{([^}]*)\\}", action)\n';
  it.each([
    ['eval of the action', 'x = eval(action)', ''],
    ['exec of the action', 'exec(action)', ''],
    ['the boxed part', `${box}x = eval(m.group(1))`, ''],
    ['a cleaned part', `${box}text = m.group(1).strip().replace("^", "**")\nx = eval(text)`, ''],
    ['an f-string of it', 'x = eval(f"1 + {action}")', ''],
    ['emptied builtins, which are no guard', 'x = eval(action, {"__builtins__": {}}, {})', ''],
    ['a loop over its lines', 'for part in action.split(";"):\n    x = eval(part)', ''],
    ['an attribute', 'self.last = action\nx = eval(self.last)', ''],
    ['compile and eval', 'x = eval(compile(action, "a", "eval"))', ''],
    ['pickle', 'x = pickle.loads(action.encode())', 'import pickle\n'],
    ['the builtins module', 'x = builtins.eval(action)', 'import builtins\n'],
    ['a length test, which is no guard', 'if len(action) < 20:\n    x = eval(action)', ''],
    ['a denylist, which is no guard', 'if "import" not in action:\n    x = eval(action)', ''],
    ['an unpacked walrus', 'if (text := action.strip()):\n    x = eval(text)', ''],
  ])('fires on %s', (_name, lines, imports) => expect(new Set(severities(lines, imports))).toEqual(new Set(['error'])));

  it('fires through a helper method and a function of the module', () => {
    expect(firesOn(environment({ step: '    def step(self, action):\n        self._run(action)\n        return "x", 0.0, True, False, {}\n\n    def _run(self, text):\n        return eval(text)' }), id)).toHaveLength(1);
    expect(firesOn(environment({ before: 'import random\nimport re\ndef value(text):\n    return eval(text)\n', step: '    def step(self, action):\n        x = value(action)\n        return "x", 0.0, True, False, {}' }), id)).toEqual([4]);
  });
  const module = (before: string, lines: string, init = ''): string => stepping(`${lines}`).replace('import random\nimport re\n', `import random\nimport re\n${before}`).replace('        self.reset()', `${init}        self.reset()`);
  it('fires in a function inside step, and in one that another inside step calls', () => {
    expect(severities('def run(source):\n    return eval(source)\nx = run(action)')).toEqual(['error']);
    expect(severities('def outer(term):\n    return run(term)\ndef run(source):\n    code = compile(source, "a", "eval")\n    return eval(code)\nx = outer(action)')).toEqual(['error', 'error']);
    expect(severities('def outer(term):\n    if not re.fullmatch(r"[0-9+]+", term):\n        return 0\n    return run(term)\ndef run(source):\n    return eval(source)\nx = outer(action)')).toEqual(['warning']);
    expect(severities('def run(source):\n    return eval(source)\nx = run("1 + 2")')).toEqual([]);
  });
  it('fires in a method of a helper object, held by the instance, by a name, or made on the spot', () => {
    const helper = 'class Calc:\n    def __init__(self, text=""):\n        self.text = text\n    def run(self, text):\n        return eval(text)\n    def value(self):\n        return eval(self.text)\n';
    const fires = (lines: string, init = ''): string[] => findings(module(helper, lines, init), id).map(({ severity }) => severity);
    expect(fires('x = self.calc.run(action)', '        self.calc = Calc()\n')).toEqual(['error']);
    expect(fires('calc = Calc()\nx = calc.run(action)')).toEqual(['error']);
    expect(fires('x = Calc().run(action)')).toEqual(['error']);
    expect(fires('x = Calc(action).value()')).toEqual(['error']);
    expect(fires('x = Calc().run("1")')).toEqual([]);
  });
  it('fires in a lambda that is called by name or handed on', () => {
    expect(severities('run = lambda text: eval(text)\nx = run(action)')).toEqual(['error']);
    expect(severities('x = list(map(lambda part: eval(part), action.split(",")))')).toEqual(['error']);
    expect(severities('run = lambda text: eval(text)\nx = run("1 + 1")')).toEqual([]);
  });
  it('fires on what a tool is given', () => {
    expect(firesOn('class CalcEnv(ToolUseBaseEnv):\n    def reset(self, seed=None):\n        return "x", {}\n    def tool_calc(self, expression):\n        return str(eval(expression))\n', id)).toEqual([5]);
  });

  it.each([
    ['a full match', 'if re.fullmatch(r"[0-9+*/() -]+", action):\n    x = eval(action)'],
    ['a match to the end', 'if not re.match(r"^[\\d+*]+$", action):\n    return "x", 0.0, False, False, {}\nx = eval(action)'],
    ['a character whitelist', 'if all(c in "0123456789+-" for c in action):\n    x = eval(action)'],
    ['a set of characters', 'if set(action) <= set("0123456789"):\n    x = eval(action)'],
    ['a search for anything else', 'if re.search(r"[^0-9+]", action):\n    return "x", 0.0, False, False, {}\nx = eval(action)'],
    ['anything else removed', 'text = re.sub(r"[^0-9+*]", "", action)\nx = eval(text)'],
    ['digits only', 'if action.isdigit():\n    x = eval(action)'],
    ['a group of known characters', 'm = re.search(r"\\\\boxed\\{([0-9+* ]+)\\}", action)\nx = eval(m.group(1))'],
    ['a known set of words', 'if action in ("1+1", "2+2"):\n    x = eval(action)'],
  ])('only warns behind %s', (_name, lines) => expect(severities(lines)).toEqual(['warning']));

  it.each([
    ['re.compile of the action', 'x = re.compile(action)', ''],
    ['ast.literal_eval', 'x = ast.literal_eval(action)', 'import ast\n'],
    ['literal_eval by name', 'x = literal_eval(action)', 'from ast import literal_eval\n'],
    ['eval of the file\'s own text', 'x = eval("1 + 2")', ''],
    ['eval of its own expression', 'x = eval(f"{self.a} + {self.b}")', ''],
    ['a number read from the action', 'x = eval(f"{int(action)} + 1")', ''],
    ['json', 'x = json.loads(action)', 'import json\n'],
    ['a method named eval', 'x = self.model.eval(action)', ''],
    ['a function of its own', 'def eval(text):\n    return int(text)\nx = eval(action)', ''],
  ])('is silent on %s', (_name, lines, imports) => expect(severities(lines, imports)).toEqual([]));
});
