"""The loader's behaviour, run contract §2."""

import sys
import unittest
import unittest.mock

from host import FILE, GUESS, HOST

EMPTY_ENV = "class AEnv:\n    def reset(self, seed=None): return 'x', {}\n    def step(self, action): return 'x', 0.0, False, False, {}\n"


class Choice(unittest.TestCase):
    def test_the_first_callable_that_ends_in_env_wins_also_a_helper_or_a_factory(self):
        loaded = HOST.load("def makeEnv(max_turns=1):\n    return RealEnv()\n" + EMPTY_ENV.replace("AEnv", "RealEnv"))
        self.assertEqual(("makeEnv", ["makeEnv", "RealEnv"], 1), (loaded["className"], loaded["candidates"], loaded["classLine"]))

    def test_the_injected_base_and_a_class_named_env_are_passed_over(self):
        loaded = HOST.load("from tool_use_base_env import ToolUseBaseEnv\nclass Env: pass\nzEnv = 3\n" + EMPTY_ENV)
        self.assertEqual(["AEnv"], loaded["candidates"])

    def test_a_name_that_is_bound_again_keeps_its_place(self):
        loaded = HOST.load("class BEnv: pass\n" + EMPTY_ENV + EMPTY_ENV.replace("AEnv", "BEnv"))
        self.assertEqual(("BEnv", 5), (loaded["className"], loaded["classLine"]))

    def test_a_file_without_a_class_says_so(self):
        self.assertEqual("no-class", HOST.fail("load", source="x = 1", file=FILE, construction="validate", maxTurns=None, thread="worker")["code"])

    def test_a_class_without_step_says_which_method_is_missing(self):
        error = HOST.fail("load", source="class AEnv:\n    def reset(self, seed=None): return ''", file=FILE, construction="play", maxTurns=None, thread="worker")
        self.assertEqual(("missing-method", True), (error["code"], "step" in error["message"]))


class InjectedNames(unittest.TestCase):
    NAMES = (
        "itertools math random re json collections functools string copy heapq operator statistics deque defaultdict Counter OrderedDict namedtuple "
        "combinations permutations product chain accumulate reduce lru_cache deepcopy heappush heappop Any Callable Dict FrozenSet Iterable List "
        "Mapping Optional Sequence Set Tuple Union ToolUseBaseEnv"
    )

    def test_all_names_of_the_contract_are_there_and_no_others(self):
        source = "import sys\nfound = sorted(n for n in globals() if not n.startswith('__') and n != 'sys')\n" + EMPTY_ENV.replace("'x', {}", "' '.join(found), {}")
        HOST.load(source)
        there = HOST.get("reset", seed=1)["observation"]["text"].split()
        self.assertEqual(sorted(self.NAMES.split()), [name for name in there if name not in ("np", "numpy")])

    def test_the_module_has_the_runs_name(self):
        HOST.load(EMPTY_ENV.replace("'x', {}", "__name__, {}"))
        self.assertEqual("dynamic_game", HOST.get("reset", seed=None)["observation"]["text"])


class Construction(unittest.TestCase):
    def test_validation_builds_with_a_thousand_turns(self):
        self.assertEqual(1000, HOST.load()["maxTurns"])

    def test_validation_falls_back_to_nothing_and_sets_the_attribute_where_it_exists(self):
        source = EMPTY_ENV.replace("class AEnv:\n", "class AEnv:\n    def __init__(self): self.max_turns = 3\n")
        self.assertEqual(1000, HOST.load(source)["maxTurns"])
        self.assertIsNone(HOST.load(EMPTY_ENV)["maxTurns"])

    def test_play_keeps_the_classs_own_turns_capped_by_the_budget(self):
        self.assertEqual(4, HOST.load(construction="play", max_turns=25)["maxTurns"])
        self.assertEqual(2, HOST.load(construction="play", max_turns=2)["maxTurns"])
        self.assertEqual(25, HOST.load(GUESS.replace("self.max_turns = max_turns", "self.max_turns = None"), "play", 25)["maxTurns"])

    def test_play_gives_the_budget_to_a_constructor_that_demands_turns(self):
        self.assertEqual(25, HOST.load(GUESS.replace("max_turns=4", "max_turns"), "play", 25)["maxTurns"])

    def test_a_constructor_that_wants_more_is_a_bad_constructor_and_one_that_fails_inside_raised(self):
        for source, code in ((GUESS.replace("max_turns=4", "a, b"), "bad-constructor"), (GUESS.replace("self.reset()", "None + 1"), "raised")):
            error = HOST.fail("load", source=source, file=FILE, construction="validate", maxTurns=None, thread="worker")
            self.assertEqual(code, error["code"])

    def test_kinds_are_told(self):
        tool = "class TEnv(ToolUseBaseEnv):\n    def reset(self, seed=None):\n        self._tools = {'a': {}}\n        return 'x', {}\n    def tool_a(self, n): return n\n"
        loaded = HOST.load(tool)
        self.assertEqual((True, False, False), (loaded["toolUse"], loaded["multiMessage"], loaded["hasSolution"]))
        self.assertEqual("a", loaded["tools"][0]["function"]["name"])
        messages = tool.replace("return 'x', {}", "self._user_messages = ['a']; self._message_criteria = []; return 'x', {}") + "    def solution(self): return ''\n"
        loaded = HOST.load(messages)
        self.assertEqual((True, True), (loaded["multiMessage"], loaded["hasSolution"]))

    def test_tools_that_cannot_be_told_do_not_hide_the_environment(self):
        loaded = HOST.load(EMPTY_ENV + "    def get_tools(self): raise KeyError('k')\n")
        self.assertIsNone(loaded["tools"])
        self.assertEqual("KeyError", loaded["toolsError"]["type"])


class Faults(unittest.TestCase):
    def fail(self, source):  # type: ignore[override]
        return HOST.fail("load", source=source, file=FILE, construction="validate", maxTurns=None, thread="worker")

    def test_a_syntax_error_has_its_place(self):
        error = HOST.fail("plan", source="x = 1\ny = (2\n", file=FILE, plan={"runs": []})
        self.assertEqual(("syntax", 2), (error["code"], error["line"]))
        self.assertEqual("syntax", self.fail("x = '\0'")["code"])
        self.assertEqual("syntax", self.fail("x = '\ud800'")["code"])

    def test_a_failed_load_leaves_nothing_of_the_load_before(self):
        HOST.load()
        self.fail("x = ")
        self.assertEqual("not-loaded", HOST.fail("reset", seed=1)["code"])

    def test_a_missing_package_is_no_fault_of_the_file(self):
        error = self.fail("import no_such_package.part\n" + EMPTY_ENV)
        self.assertEqual(("import", "no_such_package"), (error["code"], error["package"]))
        self.assertEqual("raised", self.fail("from random import no_such_name\n" + EMPTY_ENV)["code"])

    @unittest.mock.patch.dict(sys.modules, {"numpy": None})
    def test_numpy_is_injected_only_where_it_was_imported_and_else_a_missing_package(self):
        for name in ("np", "numpy"):
            error = self.fail(f"{name}.zeros(3)\n" + EMPTY_ENV)
            self.assertEqual(("import", "numpy"), (error["code"], error["package"]))
        self.assertEqual("raised", self.fail("pn.zeros(3)\n" + EMPTY_ENV)["code"])

    def test_tracebacks_hold_the_files_frames_and_none_of_the_hosts(self):
        error = self.fail("def f():\n    return 1 / 0\nf()\n")
        self.assertEqual([("<module>", 3, True), ("f", 2, True)], [(f["function"], f["line"], f["inFile"]) for f in error["traceback"]])

    def test_exits_memory_and_recursion_are_told_apart(self):
        self.assertEqual("SystemExit", self.fail("raise SystemExit(3)")["type"])
        self.assertEqual("memory", self.fail("raise MemoryError")["code"])
        self.assertEqual("recursion", self.fail("def f(): f()\nf()")["code"])

    def test_an_exception_whose_text_raises_is_still_reported(self):
        error = self.fail("class E(Exception):\n    def __str__(self): raise ValueError\nraise E")
        self.assertIn("ValueError", error["message"])


if __name__ == "__main__":
    unittest.main()
