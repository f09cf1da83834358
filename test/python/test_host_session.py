"""Requests of a session on one environment."""

import unittest

from host import GUESS, HOST

ODD = '''class OddEnv:
    def reset(self, seed=None):
        return {reset}
    def step(self, action):
        return {step}
'''


def odd(reset="'x', {}", step="'x', 0.0, False, False, {}"):
    return ODD.replace("{reset}", reset).replace("{step}", step)


class Steps(unittest.TestCase):
    def test_an_episode_is_reported_uncoerced(self):
        HOST.load()
        reset = HOST.get("reset", seed=42)
        self.assertEqual(("Guess from 1 to 9.", {}, None), (reset["observation"]["text"], reset["info"]["json"], reset["shape"]))
        right = HOST.get("solution")["text"]["text"]
        step = HOST.get("step", action=f"\\boxed{{{right}}}")
        self.assertEqual((1.0, True, False), (step["reward"]["json"], step["terminated"]["json"], step["truncated"]["json"]))

    def test_types_that_the_loader_refuses_are_seen(self):
        HOST.load(odd(step="'x', None, 1, 0, []"))
        HOST.get("reset", seed=1)
        step = HOST.get("step", action="a")
        self.assertEqual(["NoneType", "int", "int", "list"], [step[part]["type"] for part in ("reward", "terminated", "truncated", "info")])

    def test_an_ordinary_step_is_told_in_short_where_that_is_asked_for(self):
        for step, short in (
            ("'x', 0.5, False, False, {}", ["x", "0.5", "-"]),
            ("'', -2, True, False, {}", ["", "-2", "t"]),
            ("'x', 0.0, True, True, {'k': (1,)}", ["x", "0.0", "b", {"type": "dict", "repr": "{'k': (1,)}"}]),
            ("'x', 0.0, False, True, None", ["x", "0.0", "u", {"type": "NoneType", "repr": "None", "json": None}]),
        ):
            HOST.load(odd(step=step))
            told = HOST.get("step", action="a", plain=True)
            self.assertEqual(short, told[:3] + told[4:])
            self.assertEqual("step", HOST.get("step", action="a")["kind"])
            self.assertEqual("step", HOST.get("step", action="a", plain=True, trace=True)["kind"])

    def test_a_step_that_is_not_ordinary_is_told_in_full(self):
        for step in (
            "'é', 0.0, False, False, {}", "b'x', 0.0, False, False, {}", "'x' * 10**6, 0.0, False, False, {}", "'x', True, False, False, {}",
            "'x', float('nan'), False, False, {}", "'x', 10**15, False, False, {}", "'x', 0.0, 0, False, {}", "'x', 0.0, False, None, {}", "'x', 0.0, False, False",
        ):
            HOST.load(odd(step=step))
            self.assertEqual(HOST.get("step", action="a")["kind"], HOST.get("step", action="a", plain=True)["kind"], step)

    def test_wrong_shapes_are_told_and_what_can_be_read_is_read(self):
        HOST.load(odd(reset="'x'"))
        self.assertIsNone(HOST.get("reset", seed=1)["shape"])
        for value, shape in (("['x', {}]", ("list", 2)), ("('x', {}, 1)", ("tuple", 3)), ("None", ("NoneType", None)), ("7", ("int", None))):
            HOST.load(odd(reset=value))
            told = HOST.get("reset", seed=1)["shape"]
            self.assertEqual(shape, (told["type"], told["length"]))
        HOST.load(odd(step="'x', 1.0, True, {}"))
        step = HOST.get("step", action="a")
        self.assertEqual((4, "x", 1.0, True), (step["shape"]["length"], step["observation"]["text"], step["reward"]["json"], step["terminated"]["json"]))

    def test_an_exception_leaves_the_session_alive(self):
        HOST.load(odd(step="1 / 0"))
        error = HOST.fail("step", action="a")
        self.assertEqual(("ZeroDivisionError", 5, True), (error["type"], error["traceback"][-1]["line"], error["traceback"][-1]["inFile"]))
        self.assertTrue(HOST.ask("reset", seed=1)["ok"])

    def test_a_seed_is_given_by_name_also_when_it_is_none(self):
        HOST.load("class AEnv:\n    def reset(self, *, seed): return repr(seed), {}\n    def step(self, action): pass")
        self.assertEqual("None", HOST.get("reset", seed=None)["observation"]["text"])

    def test_what_no_operation_is_asked_for_is_refused(self):
        self.assertEqual("bad-request", HOST.fail("dance")["code"])


class Tools(unittest.TestCase):
    SOURCE = "class TEnv(ToolUseBaseEnv):\n    def reset(self, seed=None): return 'x', {}\n    def tool_add(self, a, b=2):\n        return a + b\n"

    def test_results_have_output_and_return_code(self):
        loaded = HOST.load(self.SOURCE)
        self.assertEqual([("a", True), ("b", False)], [(p["name"], p["required"]) for p in loaded["toolMethods"]["add"]])
        result = HOST.get("tool", name="add", arguments={"a": 1}, trace=True)
        self.assertEqual(("3", 0, None, [4], 4), (
            result["output"]["text"], result["returncode"]["json"], result["shape"], result["trace"]["lines"], result["trace"]["returnLine"]))

    def test_another_shape_is_told(self):
        HOST.load(self.SOURCE + "    def execute_tool(self, name, arguments): return 'plain'\n")
        result = HOST.get("tool", name="add", arguments={})
        self.assertEqual(("str", "plain"), (result["shape"]["type"], result["output"]["text"]))

    def test_a_game_has_no_tools(self):
        HOST.load()
        self.assertEqual("AttributeError", HOST.fail("tool", name="add", arguments={})["type"])


class Prints(unittest.TestCase):
    def test_they_are_logged_and_cannot_pass_for_replies(self):
        HOST.events.clear()
        HOST.load('print(\'{"id": 1, "ok": true}\')\n' + GUESS)
        self.assertEqual('{"id": 1, "ok": true}\n', HOST.logged())
        self.assertEqual({"log"}, {event["event"] for event in HOST.events})

    def test_standard_error_and_replaced_streams_do_no_harm(self):
        HOST.events.clear()
        HOST.load("import sys\nprint('one', file=sys.stderr)\nsys.stdout = None\n" + GUESS)
        HOST.load("print('two')\n" + GUESS)
        self.assertEqual("one\ntwo\n", HOST.logged())

    def test_a_flood_is_sent_in_pieces(self):
        HOST.events.clear()
        HOST.load("print('x' * 1_000_000)\n" + GUESS)
        self.assertEqual(1_000_001, len(HOST.logged()))
        self.assertLessEqual(max(len(event["text"]) for event in HOST.events), 64 * 1024)


class Traces(unittest.TestCase):
    def test_lines_in_order_of_first_running_and_the_line_that_returned(self):
        HOST.load()
        HOST.get("reset", seed=1)
        step = HOST.get("step", action="none", trace=True)
        self.assertEqual(([17, 18, 19, 21], 21), (step["trace"]["lines"], step["trace"]["returnLine"]))
        self.assertNotIn("trace", HOST.get("step", action="none"))

    def test_lines_of_helpers_count_and_their_returns_do_not(self):
        HOST.load("def helper():\n    return 1.0\n" + odd(step="'x', helper(), False, False, {}"))
        trace = HOST.get("step", action="a", trace=True)["trace"]
        self.assertEqual(([7, 2], 7), (trace["lines"], trace["returnLine"]))


class Threads(unittest.TestCase):
    SOURCE = '''import signal
class SEnv:
    def reset(self, seed=None):
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            return "set", {}
        except ValueError as error:
            return str(error), {}
    def step(self, action): pass
'''

    def test_handlers_cannot_be_set_on_the_worker_and_can_on_the_main_thread(self):
        HOST.load(self.SOURCE)
        self.assertIn("main thread", HOST.get("reset", seed=1)["observation"]["text"])
        HOST.load(self.SOURCE, thread="main")
        self.assertEqual("set", HOST.get("reset", seed=1)["observation"]["text"])


if __name__ == "__main__":
    unittest.main()
