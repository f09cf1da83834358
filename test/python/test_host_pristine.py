"""When a used module stands for a fresh one, and when a file is imported again or no more."""

import time
import unittest
from unittest import mock

from host import FILE, GUESS, HOST
from envwright_host import pristine
from envwright_host.loader import compile_source, execute

RICH = '''import collections, functools, random, re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import Enum
from random import randint
from typing import NamedTuple

class Colour(Enum):
    RED = 1
    BLUE = 2

class Point(NamedTuple):
    x: int
    y: int

@dataclass
class Item:
    worth: int = 1
    parts: list = field(default_factory=list)

class Words(list):
    pass

ITEMS = [Item(1), Item(2)]
TABLE = {n: n * n for n in range(50)}
WORDS = Words(["a"])
POINT = Point(1, 2)
PATTERN = re.compile("a+")
RNG = random.Random(1)
QUEUE = collections.deque([1], maxlen=3)
memo = {}
seen = collections.defaultdict(list)
count = 0

@functools.lru_cache(None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def counter():
    held = [0]
    def tick():
        held[0] += 1
        return held[0]
    return tick

tick = counter()
later = functools.partial(fib, 3)

class Base(ABC):
    shared = []
    made = 0
    @staticmethod
    def plain():
        return 1
    @property
    def half(self):
        return 2
    @abstractmethod
    def reset(self, seed=None):
        ...

class RichEnv(Base):
    def __init__(self):
        super().__init__()
    def reset(self, seed=None):
        return "x", {}
'''

LEAVES_NO_TRACE = [
    "RichEnv().reset(3)", "isinstance(RichEnv(), Base)", "randint(1, 2); random.seed(3)", "fib(20)", "memo[1] = 2", "seen['a'].append(1)", "count += 1",
    "RichEnv.shared.append(1)", "Base.made = 4", "PATTERN.search('aa')", "sorted(TABLE)",
]
LEAVES_A_TRACE = [
    "RNG.random()", "tick()", "ITEMS[0].parts.append(1)", "TABLE[3] = 0", "WORDS.append('b')", "QUEUE.append(2)", "RichEnv.reset = lambda self, seed=None: 1",
    "del fib", "new = 1", "Item.more = []", "Colour.RED.note = 1", "fib.calls = 1", "later.keywords['n'] = 2", "POINT = Point(2, 1)", "RichEnv.half = property(len)",
]
NOT_TO_BE_SEEN = [
    "import itertools\nX = itertools.count()", "X = (n for n in [1])", "import threading\nX = threading.Lock()", "import weakref\nclass A: pass\nB = A()\nX = weakref.ref(B)",
    "import array\nclass X(array.array): pass\nY = X('i', [1])", "X = iter(map(str, [1]))",
]


def imported(source):
    return execute(compile_source(source, FILE))


class Digests(unittest.TestCase):
    def test_two_imports_of_one_code_are_alike(self):
        code = compile_source(RICH, FILE)
        self.assertIsNotNone(pristine.digest(execute(code)))
        self.assertEqual(pristine.digest(execute(code)), pristine.digest(execute(code)))

    def test_what_can_be_put_back_leaves_no_trace(self):
        for doing in LEAVES_NO_TRACE:
            with self.subTest(doing):
                loaded = imported(RICH)
                before, origins = pristine.digest(loaded), pristine.Origins(loaded)
                exec(doing, vars(loaded.module))
                self.assertTrue(origins.put_back())
                self.assertEqual(before, pristine.digest(loaded))

    def test_what_cannot_be_put_back_shows(self):
        for doing in LEAVES_A_TRACE:
            with self.subTest(doing):
                loaded = imported(RICH)
                before, origins = pristine.digest(loaded), pristine.Origins(loaded)
                exec(doing, vars(loaded.module))
                origins.put_back()
                self.assertNotEqual(before, pristine.digest(loaded))

    def test_state_that_cannot_be_seen_is_never_taken_for_fresh(self):
        for source in NOT_TO_BE_SEEN:
            with self.subTest(source):
                self.assertIsNone(pristine.digest(imported(source)))

    def test_ways_of_the_file_to_be_pickled_are_not_asked(self):
        source = "class Sly:\n    def __reduce__(self): return (str, ('same',))\n    def __getstate__(self): return {}\nX = Sly()\nX.hidden = [1]\n"
        loaded = imported(source)
        before = pristine.digest(loaded)
        vars(loaded.module)["X"].hidden.append(2)
        self.assertNotEqual(before, pristine.digest(loaded))


def runs(count, **more):
    return [{"id": str(at), "ops": [{"op": "construct"}, {"op": "reset", "seed": at}, {"op": "solution"}], **more} for at in range(count)]


class Reuse(unittest.TestCase):
    def imports_of(self, source, *planned, seconds=0.0):
        """How often a plan imports a file whose import counts as slow."""
        with mock.patch.object(pristine, "SLOW_SECONDS", seconds):
            self.evidence = HOST.plan(source, *planned)
        return HOST._session._imports.count

    def kinds(self):
        return {tuple(ops[index][0]["kind"] for index in sorted(ops)) for ops in (run["ops"] for run in self.evidence.values())}

    SLOW = "import time\ntime.sleep(0.02)\n" + GUESS

    def test_two_imports_are_enough_for_a_file_that_leaves_no_trace(self):
        self.assertEqual(2, self.imports_of(self.SLOW, *runs(12)))
        self.assertEqual({("load", "reset", "solution")}, self.kinds())

    def test_each_thread_has_an_import_of_its_own(self):
        self.assertEqual(3, self.imports_of(self.SLOW + "# threads\n", *runs(4), *[{**run, "id": f"m{run['id']}", "thread": "main"} for run in runs(4)]))

    def test_a_quick_import_is_made_for_every_run(self):
        self.assertEqual(6, self.imports_of(GUESS + "# quick\n", *runs(6), seconds=60.0))

    def test_what_a_play_leaves_behind_asks_for_a_fresh_import(self):
        source = self.SLOW.replace("self.number = random", "KEPT.append(1)\n        self.number = random").replace("class Guess", "KEPT = [0]\n\n\nclass Guess")
        self.assertEqual(6, self.imports_of(source, *runs(6)))

    def test_what_a_play_leaves_in_an_empty_list_is_taken_away_again(self):
        source = self.SLOW.replace("self.number = random", "KEPT.append(1)\n        self.seen = len(KEPT)\n        self.number = random").replace("class Guess", "KEPT = []\n\n\nclass Guess")
        planned = [{"id": str(at), "ops": [{"op": "construct"}, {"op": "snapshot"}]} for at in range(6)]
        self.assertEqual(2, self.imports_of(source, *planned))
        self.assertEqual({"1"}, {run["ops"][1][0]["values"]["seen"] for run in self.evidence.values()})

    def test_an_import_that_differs_each_time_is_made_each_time(self):
        for line in ("DRAWN = random.random()", "random.seed(3)", "import math; math.oddity = object()"):
            with self.subTest(line):
                self.assertEqual(5, self.imports_of(self.SLOW.replace("class Guess", line + "\n\n\nclass Guess"), *runs(5)))

    def test_what_takes_too_long_together_is_left_out_and_said(self):
        source = self.SLOW.replace("class Guess", "WHEN = time.perf_counter()\n\n\nclass Guess")
        HOST.events.clear()
        HOST.get("plan", source=source, file=FILE, plan={"runs": runs(6), "importSeconds": 0.03})
        results = [run["ops"][0]["results"][0] for event in HOST.events if event["event"] == "runs" for run in event["runs"]]
        codes = [result["error"]["code"] for result in results if result["kind"] == "error"]
        self.assertIn("import-budget", codes)
        self.assertEqual({"import-budget"}, set(codes))

    def test_an_import_that_raises_is_told_of_as_such_until_the_time_is_over(self):
        evidence = HOST.plan("import time\ntime.sleep(0.001)\n1 / 0\n", *runs(3))
        self.assertEqual({"ZeroDivisionError"}, {run["ops"][0][0]["error"]["type"] for run in evidence.values()})

    def test_the_file_is_not_asked_twice_for_what_takes_longer_to_see_than_to_import(self):
        def slow_digest(loaded):
            time.sleep(0.06)
            return b"same"

        with mock.patch.object(pristine, "digest", slow_digest):
            self.assertEqual(4, self.imports_of(self.SLOW + "# large\n", *runs(5)))


if __name__ == "__main__":
    unittest.main()
