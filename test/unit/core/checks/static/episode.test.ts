import { describe, expect, it } from 'vitest';
import { environment, expectMended, findings, firesOn, toolEnvironment } from './harness';

const step = (body: string, more = ''): string => environment({ step: `    def step(self, action):\n        self.turns += 1\n${body.replace(/^/gm, '        ')}\n        return "No.", 0.0, False, self.turns >= self.max_turns, {}\n${more}` });
const lineOf = (text: string, part: string): number => text.split('\n').findIndex((line) => line.includes(part)) + 1;

describe('step-uses-global-rng', () => {
  const id = 'step-uses-global-rng';
  it.each([
    ['random', 'x = random.choice("ab")', ''],
    ['a renamed module', 'x = rnd.random()', 'import random as rnd\n'],
    ['a plain function', 'x = choice("ab")', 'from random import choice\n'],
    ['numpy', 'x = np.random.rand()', 'import numpy as np\n'],
    ['numpy\'s module by name', 'x = nr.randint(3)', 'import numpy.random as nr\n'],
    ['a generator of the module', 'x = RNG.random()', 'RNG = random.Random(7)\n'],
  ])('fires on %s', (_name, line, imports) => {
    const text = step(line).replace('import re\n', `import re\n${imports}`);
    expect(firesOn(text, id)).toEqual([lineOf(text, line)]);
  });
  it('fires in a helper that step calls', () => {
    const text = step('self._roll()', '\n    def _roll(self):\n        return random.random()\n');
    expect(firesOn(text, id)).toEqual([lineOf(text, 'return random.random()')]);
  });
  it.each([
    ['a generator of the instance', 'x = self.rng.choice("ab")'],
    ['a generator made from the seed', 'x = random.Random(self.a).random()'],
    ['a local generator of the same name', 'random = self.rng\nx = random.choice("ab")'],
    ['a seeded numpy generator', 'x = np.random.default_rng(self.a).random()'],
    ['a new task by reset, which is another check\'s', 'self.reset()'],
  ])('is silent on %s', (_name, lines) => expect(firesOn(step(lines), id)).toEqual([]));
  it('is silent on the global generator in reset, which is ordinary', () => {
    expect(findings(environment({ reset: '    def reset(self, seed=None):\n        random.seed(seed)\n        self.a = self.b = random.randint(1, 9)\n        self.turns = 0\n        return f"{self.a} + {self.b}?", {}' }))).toEqual([]);
  });
});

describe('format-branch-ignores-max-turns', () => {
  const id = 'format-branch-ignores-max-turns';
  const search = 'm = re.search(r"\\\\boxed\\{(\\d)\\}", action)\n';
  const goOn = 'return "Box it.", 0.0, False, False, {}';
  it.each([
    ['no match', `${search}if not m:\n    ${goOn}`],
    ['a match that is None', `${search}if m is None:\n    ${goOn}`],
    ['no box in the text', `if "\\\\boxed" not in action:\n    ${goOn}`],
    ['a helper that finds none', `answer = self.extract(action)\nif answer is None:\n    ${goOn}`],
    ['a compiled pattern', `m = BOX_PATTERN.search(action)\nif not m:\n    ${goOn}`],
  ])('fires on %s', (_name, lines) => {
    const text = step(lines);
    expect(firesOn(text, id)).toEqual([lineOf(text, goOn)]);
  });
  it.each([
    ['a branch that minds the limit', `${search}if not m:\n    return "Box it.", 0.0, False, self.turns >= self.max_turns, {}`],
    ['a branch that ends the episode, which is ordinary', `${search}if not m:\n    return "Box it.", 0.0, True, False, {}`],
    ['a limit tested before', `if self.turns >= self.max_turns:\n    return "Over.", 0.0, False, True, {}\n${search}if not m:\n    ${goOn}`],
    ['a limit tested inside', `${search}if not m:\n    if self.turns >= self.max_turns:\n        return "Over.", 0.0, False, True, {}\n    ${goOn}`],
    ['a branch for a bad move, which has a box', `${search}move = m.group(1) if m else ""\nif move not in "123":\n    ${goOn}`],
    ['a flag that is computed', `${search}over = self.turns >= 9\nif not m:\n    return "Box it.", 0.0, False, over, {}`],
  ])('is silent on %s', (_name, lines) => expect(firesOn(step(lines), id)).toEqual([]));
});

describe('new-task-inside-step', () => {
  const id = 'new-task-inside-step';
  const helper = '\n    def _new(self):\n        self.a = random.randint(1, 9)\n';
  const withHelper = (body: string): string => step(body, helper).replace('        self.turns = 0\n        return f"', '        self.turns = 0\n        self._new()\n        return f"');
  it('fires on reset and on what draws the task', () => {
    expect(firesOn(step('self.reset()'), id, { profile: 's' })).toHaveLength(1);
    expect(firesOn(withHelper('self._new()'), id, { profile: 's' })).toHaveLength(1);
  });
  it.each([
    ['a reset after the end', step('if self.done:\n    return self.reset(), 0.0, True, False, {}')],
    ['a helper that draws nothing', step('self._look()', '\n    def _look(self):\n        return self.a\n')],
    ['a helper of reset that is not called', withHelper('pass')],
  ])('is silent on %s', (_name, text) => expect(firesOn(text, id, { profile: 's' })).toEqual([]));
  it('is for single-turn files only', () => expect(firesOn(step('self.reset()'), id, { profile: 'm' })).toEqual([]));
});

describe('solution-missing', () => {
  const id = 'solution-missing';
  it('is a note in a game and an error in tool use', () => {
    expect(findings(environment({ solution: '' }), id).map(({ severity, line }) => [severity, line])).toEqual([['info', 5]]);
    expect(findings('class ShopEnv(ToolUseBaseEnv):\n    def reset(self, seed=None):\n        return "x", {}\n', id).map(({ severity }) => severity)).toEqual(['error']);
  });
  it.each([
    ['an inherited one', `class Base:\n    def solution(self):\n        return "1"\n${environment({ classLine: 'class SumEnv(Base):', solution: '' })}`],
    ['one given in the class body', environment({ solution: '    solution = lambda self: "1"' })],
    ['a base from elsewhere', environment({ before: 'import random\nimport re\nfrom games import Base\n', classLine: 'class SumEnv(Base):', solution: '' })],
  ])('is silent on %s', (_name, text) => expect(firesOn(text, id)).toEqual([]));
});

describe('solution-shadowed', () => {
  const id = 'solution-shadowed';
  const storing = (line: string, more = ''): string => environment({
    reset: `    def reset(self, seed=None):\n        self.a = self.b = random.Random(seed).randint(1, 9)\n        ${line}\n        return f"{self.a} + {self.b}?", {}`, after: more,
  });
  it.each(['self.solution = str(self.a)', 'self.solution: str = "7"', 'self.solution, self.c = "7", 1', 'self.solution = None'])('fires on %s', (line) => expect(firesOn(storing(line), id)).toHaveLength(1));
  it('fires on the inherited method of tool use', () => expect(firesOn('class ShopEnv(ToolUseBaseEnv):\n    def reset(self, seed=None):\n        self.solution = "1"\n        return "x", {}\n', id)).toEqual([3]));
  it.each([
    ['another name', 'self._solution = "7"'], ['a longer name', 'self.solution_text = "7"'], ['a function', 'self.solution = lambda: "7"'],
    ['another object', 'other = self.a; other_solution = 1'], ['a call of it', 'self.c = self.solution()'], ['a subscript', 'self.c = {"solution": 1}; self.c["solution"] = 2'],
  ])('is silent on %s', (_name, line) => expect(firesOn(storing(line), id)).toEqual([]));
  it('renames the data and leaves the calls', () => {
    const text = storing('self.solution = str(self.a); self.c = self.solution + "!"; self.d = self.solution()');
    const mended = expectMended(text, id);
    expect(mended).toContain('self._solution = str(self.a); self.c = self._solution + "!"; self.d = self.solution()');
    expect(mended).toContain('def solution(self)');
  });
});

describe('tools', () => {
  const look = '    def tool_look(self):\n        return "1"';
  const declare = (properties: string, required = ''): string => `        self._tools = {"look": {"description": "Look", "parameters": {"type": "object", "properties": {${properties}}${required === '' ? '' : `, "required": [${required}]`}}}}`;
  const sound = toolEnvironment({ reset: declare(''), methods: look });

  it('a sound tool-use file has no static finding', () => expect(findings(sound)).toEqual([]));

  describe('tool-not-implemented', () => {
    const id = 'tool-not-implemented';
    it('fires on the declaration', () => expect(firesOn(toolEnvironment({ reset: declare(''), methods: '    def tool_see(self):\n        return "1"' }), id)).toEqual([5]));
    it('fires on a declaration that is added', () => expect(firesOn(toolEnvironment({ reset: `${declare('')}\n        self._tools["take"] = {"description": "Take", "parameters": {}}`, methods: look }), id)).toEqual([6]));
    it.each([
      ['an inherited tool', `class Base(ToolUseBaseEnv):\n${look}\n${toolEnvironment({ reset: declare(''), methods: '' }).replace('(ToolUseBaseEnv)', '(Base)')}`],
      ['a dispatch of its own', toolEnvironment({ reset: declare(''), methods: '    def execute_tool(self, name, arguments):\n        return {"output": "1", "returncode": 0}' })],
      ['a method set later', `${toolEnvironment({ reset: declare(''), methods: '' })}ShopEnv.tool_look = lambda self: "1"\n`],
      ['a file that is no tool use', environment({ reset: '    def reset(self, seed=None):\n        self._tools = {"look": {}}\n        return "x", {}' })],
    ])('is silent on %s', (_name, text) => expect(firesOn(text, id)).toEqual([]));
  });

  describe('undeclared-tool-callable', () => {
    const id = 'undeclared-tool-callable';
    const secret = `${look}\n    def tool_secret(self):\n        return "42"`;
    it('fires on the method', () => expect(firesOn(toolEnvironment({ reset: declare(''), methods: secret }), id)).toHaveLength(1));
    it('reads a constant of the module', () => expect(firesOn(toolEnvironment({ before: 'TOOLS = {"look": {"description": "Look", "parameters": {"type": "object", "properties": {}}}}\n', reset: '        self._tools = dict(TOOLS)', methods: secret }), id)).toHaveLength(1));
    it.each([
      ['all declared', sound],
      ['a helper with an underscore', toolEnvironment({ reset: declare(''), methods: `${look}\n    def _tool_secret(self):\n        return "42"` })],
      ['declarations that the text does not show', toolEnvironment({ reset: '        self._tools = build_tools()', methods: secret })],
      ['a loop that declares', toolEnvironment({ reset: `${declare('')}\n        for n in NAMES:\n            self._tools[n] = {}`, methods: secret })],
      ['get_tools of its own', toolEnvironment({ reset: declare(''), methods: `${secret}\n    def get_tools(self):\n        return []` })],
    ])('is silent on %s', (_name, text) => expect(firesOn(text, id)).toEqual([]));
  });

  describe('tool-schema-mismatch', () => {
    const id = 'tool-schema-mismatch';
    const tool = (signature: string, properties: string, required = ''): string => toolEnvironment({ reset: declare(properties, required), methods: `    def tool_look(self${signature}):\n        return "1"` });
    const item = '"item": {"type": "string"}';
    it.each([
      ['a parameter that the method does not take', tool('', item)],
      ['a parameter under another name', tool(', name=""', item)],
      ['a parameter that is not declared', tool(', item, count', item, '"item"')],
      ['a required one that nobody declares', tool(', item=""', item, '"item", "count"')],
    ])('fires on %s', (_name, text) => expect(findings(text, id).map(({ severity, line }) => [severity, line])).toEqual([['error', 5]]));
    it('warns when a needed parameter is declared as optional', () => expect(findings(tool(', item, count', `${item}, "count": {"type": "integer"}`, '"item"'), id).map(({ severity }) => severity)).toEqual(['warning']));
    it.each([
      ['the same', tool(', item', item, '"item"')],
      ['a default that is not declared', tool(', item, count=1', item, '"item"')],
      ['any keyword', tool(', **kwargs', item)],
      ['no list of the required', tool(', item', item)],
      ['keyword-only parameters', tool(', *, item', item, '"item"')],
      ['a schema made by a call', toolEnvironment({ reset: '        self._tools = {"look": {"description": "Look", "parameters": schema("item")}}', methods: look })],
    ])('is silent on %s', (_name, text) => expect(firesOn(text, id)).toEqual([]));
    it('declares what the method takes, and keeps what was described', () => {
      const described = '"item": {"type": "string", "description": "What"}';
      const mended = expectMended(tool(', item, count: int, loud=False', `${described}, "shop": {"type": "string"}`), id);
      expect(mended).toContain(`"parameters": {"type": "object", "properties": {${described}, "count": {"type": "integer"}, "loud": {"type": "boolean"}}, "required": ["item", "count"]}`);
    });
  });

  describe('tool-result-random', () => {
    const id = 'tool-result-random';
    const tool = (line: string, before = 'import random, uuid, time\n'): string => toolEnvironment({ before, reset: declare(''), methods: `    def tool_look(self):\n        return ${line}` });
    it.each(['str(random.random())', 'str(uuid.uuid4())', 'str(time.time())', 'str(random.Random().random())'])('fires on %s', (line) => expect(firesOn(tool(line), id)).toHaveLength(1));
    it.each(['str(self.rng.random())', 'str(random.Random(self._state["n"]).random())', 'str(self._state["n"])', 'str(uuid.UUID(int=3))'])('is silent on %s', (line) => expect(firesOn(tool(line), id)).toEqual([]));
    it('is silent on what reset draws', () => expect(firesOn(toolEnvironment({ before: 'import random\n', reset: `${declare('')}\n        random.seed(seed)\n        self._state["n"] = random.randint(1, 9)`, methods: look }), id)).toEqual([]));
  });
});
