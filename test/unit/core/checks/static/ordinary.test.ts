import { describe, expect, it } from 'vitest';
import { environment, findings } from './harness';

const oneAnswer = String.raw`"""A single-turn game in the usual style."""
from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Dict, List, Optional, Tuple

from math_verify import parse, verify

BOX = re.compile(r"\\boxed\{([^}]+)\}")
KINDS: List[str] = ["sum", "product"]


class Shape(Enum):
    ROUND = "round"
    SQUARE = "square"


@dataclass
class Task:
    a: int
    b: int
    notes: List[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return self.a + self.b


def equal(left: str, right: str) -> bool:
    if left.strip() == right.strip():
        return True
    try:
        return bool(verify(parse(left), parse(right)))
    except Exception:
        return False


class SumEnv:
    """Replies come as \boxed{n}; see step()."""

    metadata: Dict[str, Any] = {"render_modes": []}

    def __init__(self, max_turns: int = 4, **kwargs: Any) -> None:
        self.max_turns = max_turns
        self.turn_count = 0
        self.task: Optional[Task] = None
        self.done = False
        self.reset()

    def reset(self, seed: Optional[int] = None) -> Tuple[str, Dict[str, Any]]:
        if seed is not None:
            random.seed(seed)
        self.turn_count = 0
        self.done = False
        self.task = Task(random.randint(1, 99), random.randint(1, 99))
        kind, *rest = KINDS
        return self._describe(kind), {"message": "a text is fine here", "rest": rest}

    def _describe(self, kind: str) -> str:
        return (
            f"What is the {kind} of {self.task.a!r} and {self.task.b:>3d}?\n"
            f"Options: {', '.join(str(self.task.total + d) for d in (-1, 0, 1))}.\n"
            "Reply with \\boxed{number}, for example \\boxed{7}."
        )

    @staticmethod
    def _extract(action: str) -> Optional[str]:
        found = BOX.search(action or "")
        return found.group(1).strip() if found else None

    def step(self, action: str) -> Tuple[str, float, bool, bool, Dict[str, Any]]:
        self.turn_count += 1
        terminated = truncated = False
        reward = 0.0
        answer = self._extract(action)
        if answer is None:
            return "No box in that reply.", -0.1, True, False, {"error": "no box"}
        if equal(answer, self.solution()):
            reward, terminated = 1.0, True
            self.done = True
            text = "Right."
        else:
            truncated = self.turn_count >= self.max_turns
            text = f"{answer or 'That'} is not it." if not truncated else f"It was {self.task.total}."
        return text, reward, terminated, truncated, {"answer": answer}

    def solution(self) -> str:
        return str(self.task.total)

    def render(self) -> None:
        print(self.task)

    def close(self):
        pass


if __name__ == "__main__":
    env = SumEnv()
    print(env.reset(seed=1))
    while True:
        print(env.step(input("> ")))
`;

const severalTurns = String.raw`import random
import re
from collections import deque
import numpy as np


class GridBase:
    SIZE = 5

    def neighbours(self, cell):
        r, c = cell
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            if 0 <= r + dr < self.SIZE and 0 <= c + dc < self.SIZE:
                yield r + dr, c + dc

    def path(self, start, goal):
        queue, seen = deque([(start, [])]), {start}
        while queue:
            cell, moves = queue.popleft()
            if cell == goal:
                return moves
            for nxt in self.neighbours(cell):
                if nxt not in seen and nxt not in self.walls:
                    seen.add(nxt)
                    queue.append((nxt, moves + [nxt]))
        return None


class MazeEnv(GridBase):
    MOVES = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}

    def __init__(self, max_turns=20, **kwargs):
        super().__init__()
        self.max_turns = max_turns
        self.rng = np.random.default_rng(0)
        self.reset()

    def reset(self, seed=None):
        self.rng = np.random.default_rng(seed)
        while True:
            self.walls = {tuple(int(x) for x in self.rng.integers(0, self.SIZE, 2)) for _ in range(4)}
            self.pos, self.goal = (0, 0), (4, 4)
            if self.pos not in self.walls and self.goal not in self.walls and self.path(self.pos, self.goal):
                break
        self.turns = 0
        self.visited = [self.pos]
        return self._look(), {}

    def _look(self):
        rows = []
        for r in range(self.SIZE):
            rows.append("".join("#" if (r, c) in self.walls else "." for c in range(self.SIZE)))
        grid = "\n".join(rows)
        return f"{grid}\nYou are at {self.pos}, the goal is {self.goal}. Moves: {', '.join(self.MOVES)}. Use \\boxed{{move}}."

    def _finish(self, text, reward, won):
        return text, float(reward), won, (not won) and self.turns >= self.max_turns, {"turns": self.turns}

    def step(self, action):
        self.turns += 1
        over = self.turns >= self.max_turns
        m = re.search(r"\\boxed\{(.+?)\}", action)
        if not m:
            return "Box your move.", 0.0, False, over, {}
        move = m.group(1).strip().lower()
        if move not in self.MOVES:
            return self._finish(f"Unknown move {move!r}.", 0, False)
        dr, dc = self.MOVES[move]
        nxt = (self.pos[0] + dr, self.pos[1] + dc)
        if nxt in self.walls or not (0 <= nxt[0] < self.SIZE and 0 <= nxt[1] < self.SIZE):
            return self._finish("A wall.", 0, False)
        self.pos = nxt
        self.visited.append(nxt)
        won = bool(np.array_equal(np.array(self.pos), np.array(self.goal)))
        return self._finish(self._look(), won, won)

    def solution(self):
        names = {v: k for k, v in self.MOVES.items()}
        here, moves = (0, 0), []
        for cell in self.path(here, self.goal):
            moves.append(names[(cell[0] - here[0], cell[1] - here[1])])
            here = cell
        return ", ".join(moves)
`;

const grounded = String.raw`import random
import re


class ArchiveEnv:
    """Hidden state that questions uncover."""

    def __init__(self, max_turns=8, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.facts = {name: rng.choice(["open", "shut", "lost"]) for name in ("river", "mill", "ford")}
        self.asked: set[str] = set()
        self.turns = 0
        self.finished = False
        return "Ask about river, mill or ford with \\boxed{ask NAME}; conclude with \\boxed{route NAME}.", {}

    def step(self, action):
        if self.finished:
            return "It is over.", 0.0, True, False, {}
        self.turns += 1
        over = self.turns >= self.max_turns
        boxes = re.findall(r"\\boxed\{([^{}]*)\}", action)
        words = boxes[-1].lower().split() if boxes else []
        match words:
            case ["ask", name] if name in self.facts:
                self.asked.add(name)
                return f"The {name} is {self.facts[name]}.", 0.0, False, over, {}
            case ["route", name]:
                self.finished = True
                won = self.facts.get(name) == "open" and len(self.asked) >= 2
                return ("A good route." if won else "A poor route."), float(won), True, False, {}
            case _:
                return "I do not follow.", 0.0, False, over, {"words": words}

    def solution(self):
        return "Ask about two places first, then take the route by one that is open; when none is open, any route is poor."
`;

const tools = String.raw`import copy
import json
import random
from tool_use_base_env import ToolUseBaseEnv

TOOLS = {
    "find": {
        "description": "Find orders of a customer",
        "parameters": {"type": "object", "properties": {"name": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["name"]},
    },
    "cancel": {
        "description": "Cancel an order",
        "parameters": {"type": "object", "properties": {"order_id": {"type": "integer", "description": "Number"}}, "required": ["order_id"]},
    },
}


class OrdersEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=10, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        self._tools = copy.deepcopy(TOOLS)
        self._state = {"orders": [{"id": rng.randint(100, 999), "name": "Ana", "open": True}]}
        self._expected_answer = str(self._state["orders"][0]["id"])
        self._flaky = rng.random() < 0.5
        return "Cancel Ana's order and tell me its number.", {}

    def tool_find(self, name, limit: int = 5, **_ignored):
        hits = [order for order in self._state["orders"] if order["name"] == name][:limit]
        return json.dumps(hits)

    def tool_cancel(self, order_id):
        for order in self._state["orders"]:
            if order["id"] == int(order_id):
                order["open"] = False
                return f"Cancelled {order_id}"
        raise ValueError(f"no order {order_id}")

    def solution(self):
        order = self._state["orders"][0]
        return f"1. find(name='Ana') -> {order['id']}\n2. cancel(order_id={order['id']})\nANSWER: {order['id']}"
`;

const messages = String.raw`class PantryEnv(ToolUseBaseEnv):
    def reset(self, seed=None):
        self.turn_count = 0
        self._state = {"beans": 2, "orders": []}
        self._tools = {}
        self._tools["stock"] = {"description": "List stock", "parameters": {"type": "object", "properties": {}}}
        self._tools["order"] = {"description": "Order", "parameters": {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]}}
        self._user_messages = ["What is there?", "Order oats."]
        self._message_criteria = [lambda s: s.get("looked"), lambda s: "oats" in s["orders"]]
        self._current_msg = 0
        self._expected_answer = "done"
        return self._user_messages[0], {}

    def tool_stock(self):
        self._state["looked"] = True
        return str(self._state["beans"])

    def tool_order(self, item):
        self._state["orders"].append(item)
        return "ordered"

    def _check_answer(self, answer):
        return answer == "done" and all(c(self._state) for c in self._message_criteria)

    def solution(self):
        return "1. stock()\n2. order(item='oats')\nANSWER: done"
`;

describe('ordinary things do not alarm', () => {
  it.each([
    ['a single-turn file', oneAnswer, 's'], ['a file of several turns', severalTurns, 'm'], ['a grounded file', grounded, null], ['tool use', tools, 't'], ['several messages', messages, 'u'],
  ] as const)('%s in the usual style has no finding', (_name, text, profile) => {
    expect(findings(text, null, profile === null ? {} : { profile })).toEqual([]);
    expect(findings(text)).toEqual([]);
  });

  it.each([
    ['the global generator seeded in reset', { reset: '    def reset(self, seed=None):\n        random.seed(seed)\n        self.a, self.b = random.randint(1, 9), random.randint(1, 9)\n        self.turns = 0\n        return f"{self.a} + {self.b}?", {}' }],
    ['numpy\'s generator seeded in reset', { before: 'import random\nimport re\nimport numpy as np\n', reset: '    def reset(self, seed=None):\n        np.random.seed(seed)\n        self.a = self.b = int(np.random.randint(1, 9))\n        return f"{self.a}?", {}' }],
    ['a lazy box pattern', { step: '    def step(self, action):\n        m = re.search(r"\\\\boxed\\{(.+?)\\}", action)\n        return "No.", 0.0, m is None, False, {}' }],
    ['math_verify', { before: 'import random\nimport re\nfrom math_verify import parse, verify\n' }],
    ['a reply without a box that ends the episode', { step: '    def step(self, action):\n        m = re.search(r"\\\\boxed\\{(.+?)\\}", action)\n        if not m:\n            return "No box.", -1.0, True, False, {}\n        return "No.", 0.0, True, False, {}' }],
    ['info with text', { step: '    def step(self, action):\n        return "No.", 0.0, True, False, {"feedback": "Read it again."}' }],
    ['a solution in prose', { solution: '    def solution(self):\n        return "Add the two numbers and put the sum in a box."' }],
    ['a list of moves as solution', { solution: '    def solution(self):\n        return ["left", "right"]' }],
    ['a main block that plays by hand', { after: 'if __name__ == "__main__":\n    env = SumEnv()\n    print(env.reset())\n    print(env.step(input()))\n' }],
    ['a guarded import of what is missing', { before: 'import random\nimport re\ntry:\n    import sympy\nexcept ImportError:\n    sympy = None\n' }],
  ])('%s', (_name, parts) => expect(findings(environment(parts), null, { interpreter: { python: '3.11.7', packages: { 'math-verify': '0.8.0', numpy: '2.1.0', sympy: null } } })).toEqual([]));
});
