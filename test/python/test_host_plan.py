"""Plans: what is sent and when, and what an exception ends."""

import json
import sys
import types
import unittest

from host import GUESS, HOST, NO_EFFECTS


def run(*ops, name="r", **fields):
    return {"id": name, "ops": list(ops), **fields}


CONSTRUCT = {"op": "construct"}


def steps(*texts, count=None, boxed=False, **fields):
    return {"op": "steps", "actions": [{"text": text, "boxed": boxed} for text in texts], "count": count or len(texts), **fields}


class Results(unittest.TestCase):
    def kinds(self, evidence):
        return {index: [result["kind"] for result in results] for index, results in evidence["ops"].items()}

    def test_each_operation_gives_its_results_and_steps_one_each(self):
        evidence = HOST.plan(GUESS, run(CONSTRUCT, {"op": "reset", "seed": 1}, steps("a", "b"), {"op": "snapshot"}, {"op": "disturb", "seed": 3}))["r"]
        self.assertEqual({0: ["load"], 1: ["reset"], 2: ["step", "step"], 3: ["snapshot"], 4: ["disturb"]}, self.kinds(evidence))

    def test_actions_are_repeated_boxed_and_given_the_solution(self):
        evidence = HOST.plan(GUESS, run(CONSTRUCT, {"op": "reset", "seed": 1}, steps("0", "\\boxed{0}", "<solution()>", count=5, boxed=True)))["r"]
        actions = [result["action"] for result in evidence["ops"][2]]
        self.assertEqual(3, len(actions))
        self.assertEqual(["\\boxed{0}", "\\boxed{0}"], actions[:2])
        self.assertRegex(actions[2], r"^\\boxed\{[1-9]\}$")
        self.assertTrue(evidence["ops"][2][2]["terminated"]["json"])

    def test_steps_go_on_after_the_end_where_that_is_asked(self):
        evidence = HOST.plan(GUESS, run({**CONSTRUCT, "maxTurns": 1}, {"op": "reset", "seed": 1}, steps("x", count=3, stopAtEnd=False)))["r"]
        self.assertEqual(3, len(evidence["ops"][2]))

    def test_instances_of_a_run_share_the_module_and_runs_do_not(self):
        source = "shared = []\n" + GUESS.replace("self.turns = 0\n        return", "shared.append(1)\n        self.seen = len(shared)\n        return")
        two = run(CONSTRUCT, {"op": "construct", "on": 1}, {"op": "snapshot", "on": 1}, name="a")
        one = run(CONSTRUCT, {"op": "snapshot"}, name="b")
        evidence = HOST.plan(source, two, one)
        self.assertEqual(("2", "1"), (evidence["a"]["ops"][2][0]["values"]["seen"], evidence["b"]["ops"][1][0]["values"]["seen"]))

    def test_criteria_tell_line_outcome_and_error(self):
        source = '''class PEnv(ToolUseBaseEnv):
    def reset(self, seed=None):
        self._state = {"a": 1}
        self._current_msg = 0
        self._message_criteria = [
            lambda s: s["a"] == 1,
            lambda s: s["b"],
        ]
        return "x", {}
'''
        result = HOST.plan(source, run(CONSTRUCT, {"op": "criteria"}))["r"]["ops"][1][0]
        self.assertEqual((0, True, 6), (result["current"], result["results"][0]["holds"], result["results"][0]["line"]))
        self.assertEqual(("KeyError", 7), (result["results"][1]["error"]["type"], result["results"][1]["line"]))

    def test_a_criterion_and_an_opening_that_leave_the_process_count_as_raised(self):
        source = """class GameEnv:
    def reset(self, seed=None):
        self._state, self._current_msg = {}, 0
        self._message_criteria = [lambda state: exit(), lambda state: True]
        return "x", {}
    def step(self, action):
        if action == "stop":
            raise SystemExit
        return "x", 1.0, True, False, {}
"""
        ops = HOST.plan(source, run(CONSTRUCT, {"op": "reset", "seed": 1}, {"op": "criteria"}, {"op": "openings", "seed": 1, "actions": ["stop", "go"]}))["r"]["ops"]
        broken, fine = ops[2][0]["results"]
        self.assertEqual(("SystemExit", True), (broken["error"]["type"], fine["holds"]))
        self.assertEqual(("xt", [None, 1.0]), (ops[3][0]["ends"], ops[3][0]["rewards"]))

    def test_openings_try_each_action_on_a_fresh_reset(self):
        evidence = HOST.plan(GUESS, run(CONSTRUCT, {"op": "openings", "seed": 3, "actions": [f"\\boxed{{{n}}}" for n in range(1, 10)]}))["r"]
        result = evidence["ops"][1][0]
        self.assertEqual((1, 8), (result["ends"].count("t"), result["ends"].count("-")))
        self.assertEqual(1.0, sum(result["rewards"]))


    def test_actions_may_be_named_by_their_place_among_the_texts_of_the_plan(self):
        source = GUESS.replace('"No."', "action")
        ops = [{"op": "reset", "seed": 1}, {"op": "steps", "actions": [0, {"text": "x", "boxed": True}, 1], "count": 3}, {"op": "openings", "seed": 3, "actions": [2, 0]}]
        HOST.events.clear()
        HOST.get("plan", source=source, file="game.py", plan={"texts": ["a", ["<", "b", 3, ">"], "\\boxed{0}"], "runs": [run(CONSTRUCT, *ops)]})
        results = [result for event in HOST.events for entry in (event["runs"][0]["ops"] if "runs" in event else event["ops"]) for result in entry["results"]]
        self.assertEqual(["a", "\\boxed{x}", "<bbb>"], [result["observation"]["text"] for result in results if result["kind"] == "step"])
        self.assertEqual(["--"], [result["ends"] for result in results if result["kind"] == "openings"])


class Failures(unittest.TestCase):
    BROKEN = GUESS.replace("self.turns += 1", "self.turns += 1\n        if action == 'crash': raise ValueError('boom')")

    def test_an_exception_ends_the_operations_of_its_instance_only(self):
        ops = [CONSTRUCT, {"op": "construct", "on": 1}, steps("crash", "b"), {"op": "snapshot"}, {"op": "snapshot", "on": 1}]
        evidence = HOST.plan(self.BROKEN, run(*ops))["r"]
        self.assertEqual([0, 1, 2, 4], sorted(evidence["ops"]))
        error = evidence["ops"][2][0]
        self.assertEqual(("error", "crash", "ValueError"), (error["kind"], error["action"], error["error"]["type"]))

    def test_going_on_skips_only_what_failed(self):
        evidence = HOST.plan(self.BROKEN, run(CONSTRUCT, steps("crash"), steps("b"), goOn=True))["r"]
        self.assertEqual(["error", "step"], [evidence["ops"][index][0]["kind"] for index in (1, 2)])

    def test_a_file_that_does_not_load_fails_every_construction(self):
        evidence = HOST.plan("raise KeyError('k')", run(CONSTRUCT, {"op": "construct", "on": 1}, {"op": "reset", "seed": 1}))["r"]
        self.assertEqual([0, 1], sorted(evidence["ops"]))
        self.assertEqual("KeyError", evidence["ops"][1][0]["error"]["type"])

    def test_an_instance_that_was_not_constructed_is_not_loaded(self):
        evidence = HOST.plan(GUESS, run({"op": "reset", "seed": 1}))["r"]
        self.assertEqual("not-loaded", evidence["ops"][0][0]["error"]["code"])


class Progress(unittest.TestCase):
    def test_every_call_is_announced_before_it_is_made(self):
        HOST.plan(GUESS, run(CONSTRUCT, {"op": "reset", "seed": 1}, steps("a", "b", "c")))
        announced = [event["next"] for event in HOST.events if event["event"] == "progress"]
        self.assertEqual([0, 1, 2, 2, 2], announced)

    def test_results_arrive_with_the_announcement_of_the_next_call(self):
        HOST.plan(GUESS, run(CONSTRUCT, {"op": "reset", "seed": 1}, steps("a", "b")))
        carried = [[entry["index"] for entry in event["ops"]] for event in HOST.events if event["event"] == "progress"]
        self.assertEqual([[], [0], [1], [2]], carried)


def told_step(entry):
    """A step as it was told, in either form."""
    if entry["kind"] == "step":
        return {**entry, "kind": "full", "text": entry["observation"]["text"]}
    text, reward, end, _, *info = entry["step"]
    return {"kind": "plain", "text": text, "reward": reward, "end": end, "info": info[0] if info else None}


class Batched(unittest.TestCase):
    def plan(self, source, *ops):
        HOST.events.clear()
        HOST.ask("plan", source=source, file="game.py", plan={"batched": True, "runs": [run(CONSTRUCT, *ops)]})

    def results(self, index):
        return self.results_of(index, "r")

    def results_of(self, index, name):
        """The results of an operation of a run, what is told by number put in: with its microseconds where it has some."""
        told = [entry for event in HOST.events for entry in event.get("told", [])]
        parts = []
        for event in HOST.events:
            if event["event"] == "progress" and event["run"] == name:
                parts.append(event)
            elif event["event"] == "runs":
                parts += [run for run in event["runs"] if run["id"] == name]
        results = []
        for sent in [result for part in parts for entry in part["ops"] if entry["index"] == index for result in entry["results"]]:
            if isinstance(sent, int):
                results.append(told[sent])
            elif isinstance(sent, list):
                results.append({**told[sent[0]], "us": sent[1]})
            elif sent["kind"] == "steps":
                results += [{**told_step(told[number]), "us": us} for number, us in zip(sent["told"], sent["us"])]
            else:
                results.append(sent)
        return results

    def test_short_calls_are_reported_with_their_run(self):
        self.plan(GUESS, {"op": "reset", "seed": 1}, steps("a", "b", "c"))
        self.assertEqual("runs", HOST.events[-1]["event"])
        self.assertLess(len(HOST.events), 4)

    def test_short_runs_are_reported_together_and_a_long_one_at_its_end(self):
        def reports(source):
            HOST.events.clear()
            HOST.ask("plan", source=source, file="game.py", plan={"batched": True, "runs": [run(CONSTRUCT, name=name) for name in "abc"]})
            return [[done["id"] for done in event["runs"]] for event in HOST.events if event["event"] == "runs"]

        self.assertEqual([["a"], ["b"], ["c"]], reports("__import__('time').sleep(0.01)\n" + GUESS))
        self.assertEqual(list("abc"), [name for names in reports(GUESS) for name in names])

    def test_a_run_that_is_wanted_at_once_is_not_kept_back(self):
        HOST.events.clear()
        runs = [run(CONSTRUCT, name="a"), run(CONSTRUCT, name="b", atOnce=True), run(CONSTRUCT, name="c")]
        HOST.ask("plan", source=GUESS, file="game.py", plan={"batched": True, "runs": runs})
        self.assertIn("b", [event["runs"][-1]["id"] for event in HOST.events if event["event"] == "runs"])

    def test_a_long_call_is_announced_before_what_follows_it(self):
        slow = GUESS.replace("self.turns += 1", "self.turns += 1; __import__('time').sleep(0.05)")
        self.assertNotEqual(slow, GUESS)
        self.plan(slow, {"op": "reset", "seed": 1}, steps("a", "b"))
        self.assertIn(2, [event["next"] for event in HOST.events if event["event"] == "progress"])

    def test_an_ordinary_step_crosses_in_short_and_any_other_in_full(self):
        self.plan(GUESS, {"op": "reset", "seed": 1}, steps("a"))
        step = self.results(2)[0]
        self.assertEqual(("plain", str, "-"), (step["kind"], type(step["text"]), step["end"]))
        float(step["reward"])
        self.assertGreaterEqual(step["us"], 0)
        for odd in (
            "reward = None", "reward = True", "observation = b'x'", "info = {'a': object()}", "info = {1: 1}", "info = {'a': 'x' * 3000}", "info = None",
            "terminated = 0", "reward = float('nan')", "reward = 1e300",
        ):
            source = (
                "class OddEnv:\n    def __init__(self, max_turns=5): pass\n    def reset(self, seed=None): return 'task', {}\n    def step(self, action):\n"
                f"        observation, reward, terminated, truncated, info = 'x', 0.5, False, False, {{}}\n        {odd}\n"
                "        return observation, reward, terminated, truncated, info\n"
            )
            self.plan(source, {"op": "reset", "seed": 1}, steps("a"))
            self.assertEqual("step", self.results(2)[0]["kind"], odd)

    def test_what_is_said_again_is_told_once_and_named_by_its_number(self):
        ops = [{"op": "reset", "seed": 1}, {"op": "snapshot"}, {"op": "solution"}, {"op": "criteria"}, steps("a", "b"), {"op": "disturb", "seed": 1}]
        HOST.events.clear()
        HOST.ask("plan", source=GUESS, file="game.py", plan={"batched": True, "runs": [run({**CONSTRUCT, "brief": True}, *ops, name=name) for name in "ab"]})
        told = [entry["kind"] for event in HOST.events for entry in event.get("told", [])]
        self.assertEqual(["built", "reset", "snapshot", "solution", "criteria", "plain", "disturb"], told)
        untimed = [[{**result, "us": None} for result in self.results_of(index, name)] for name in "ab" for index in range(7)]
        self.assertEqual(untimed[:7], untimed[7:])
        self.assertEqual([1, 1, 1, 1, 1, 2, 1], [len(results) for results in untimed[:7]])

    def test_a_state_that_changed_is_told_anew(self):
        self.plan(GUESS, {"op": "reset", "seed": 1}, {"op": "snapshot"}, steps("a"), {"op": "snapshot"})
        self.assertNotEqual(self.results(2)[0]["digest"], self.results(4)[0]["digest"])

    def test_tools_are_numbered_by_what_they_give(self):
        source = '''class PEnv(ToolUseBaseEnv):
    def reset(self, seed=None):
        return "x", {}

    def execute_tool(self, name, arguments):
        return {"output": arguments["what"], "returncode": 0}
'''
        calls = [{"op": "tool", "name": "say", "arguments": {"what": what}} for what in ("a", "a", "b", True)]
        self.plan(source, {"op": "reset", "seed": 1}, *calls)
        self.assertEqual(["a", "a", "b"], [self.results(index)[0]["output"]["text"] for index in (2, 3, 4)])
        self.assertEqual("bool", self.results(5)[0]["output"]["type"])
        self.assertEqual(2, len([entry for event in HOST.events for entry in event.get("told", []) if entry["kind"] == "tool"]))

    def test_whatever_differs_on_the_wire_is_told_apart(self):
        values = ("0.0", "-0.0", "0", "1", "1.0", "True")
        source = (
            "class OddEnv:\n    def __init__(self, max_turns=5): pass\n    def reset(self, seed=None): return 'task', {'n': [" + ", ".join(values) + "][seed]}\n"
            "    def step(self, action):\n        value = {'0.0': 0.0, '-0.0': -0.0, '0': 0, '1': 1, '1.0': 1.0}[action]\n        return 'x', value, False, False, {'n': value}\n"
        )
        resets = [{"op": "reset", "seed": seed} for seed in range(len(values))]
        self.plan(source, *resets, steps(*values[:-1]))
        self.assertEqual(list(values), [self.results(index)[0]["info"]["repr"][6:-1] for index in range(1, 1 + len(values))])
        made = self.results(1 + len(values))
        self.assertEqual([(value, f"{{'n': {value}}}") for value in values[:-1]], [(step["reward"], step["info"]["repr"]) for step in made])

    def test_a_plan_that_has_told_much_forgets_and_tells_again(self):
        long = GUESS.replace('"No."', "action * 400_000")
        self.assertNotEqual(long, GUESS)
        self.plan(long, {"op": "reset", "seed": 1}, steps("a", "b", "c", count=9, stopAtEnd=False))
        told = [entry for event in HOST.events for entry in event.get("told", []) if entry["kind"] == "step"]
        self.assertEqual(9, len(told))
        self.assertEqual([c for c in "abcabcabc"], [step["text"][0] for step in self.results(2)])

    def test_a_construction_in_short_tells_the_turns_only(self):
        HOST.events.clear()
        HOST.plan(GUESS, run({**CONSTRUCT, "brief": True, "maxTurns": 7}))
        self.assertEqual([{"kind": "built", "maxTurns": 7}], self.results(0))

    def test_nobody_looks_for_changes_where_that_is_not_asked(self):
        HOST.events.clear()
        HOST.ask("plan", source="random.seed(32)\n" + GUESS, file="game.py", plan={"watch": False, "runs": [run(CONSTRUCT)]})
        self.assertNotIn("effects", HOST.events[-1]["runs"][0])

    def test_what_importing_changes_is_looked_for_once(self):
        source = "random.seed(31)\n" + GUESS
        reports = []
        for _ in range(2):
            self.plan(source, {"op": "reset", "seed": 1})
            reports.append(HOST.events[-1]["runs"][0].get("effects", {}).get("globalChanges"))
        self.assertEqual([["random (state)"], None], reports)


class Endings(unittest.TestCase):
    def test_no_step_is_made_after_the_end_that_the_plan_stops_at(self):
        source = GUESS.replace("def step(self, action):", "def step(self, action):\n        if getattr(self, 'shut', False): raise RuntimeError('after the end')\n        self.shut = True\n        return 'x', 0.0, True, False, {}\n\n    def other(self, action):")
        once = {"op": "steps", "actions": [{"text": "a"}], "count": 1}
        reset = {"op": "reset", "seed": 1}
        ops = HOST.plan(source, run(CONSTRUCT, reset, once, once, {**once, "stopAtEnd": False}))["r"]["ops"]
        self.assertEqual({0: ["load"], 1: ["reset"], 2: ["step"], 4: ["error"]}, {index: [result["kind"] for result in results] for index, results in ops.items()})
        self.assertEqual(5, len(HOST.plan(source.replace("self.turns = 0", "self.turns = 0; self.shut = False"), run(CONSTRUCT, reset, once, reset, once))["r"]["ops"]))


class Effects(unittest.TestCase):
    def test_of_a_flood_a_part_is_sent_and_all_is_counted(self):
        source = GUESS.replace("self.turns = 0\n        return", "print('y' * 1_000_000)\n        return")
        effects = HOST.plan(source, run(CONSTRUCT, {"op": "reset", "seed": 1}, {"op": "reset", "seed": 2}))["r"]["effects"]
        self.assertEqual(3 * 1_000_001, effects["printed"])
        self.assertEqual(65_536, sum(len(event["text"]) for event in HOST.events if event["event"] == "log"))

    def effects(self, source, *ops):
        return HOST.plan(source, run(CONSTRUCT, *ops))["r"]["effects"]

    def test_prints_are_counted_with_their_lines(self):
        effects = self.effects(GUESS.replace("self.turns = 0\n        return", "print('abc')\n        return"))
        self.assertEqual((4, [13]), (effects["printed"], effects["printLines"]))

    def test_what_the_file_touches_is_audited_also_through_the_library_with_its_line(self):
        source = "import os, subprocess, tempfile\ntry:\n    open('/nowhere')\nexcept OSError: pass\ntry:\n    subprocess.run(['/nowhere'])\nexcept OSError: pass\n" + GUESS
        audits = [(audit["event"], audit["line"]) for audit in self.effects(source)["audits"]]
        self.assertIn(("open", 3), audits)
        self.assertIn(("subprocess.Popen", 6), audits)

    def test_a_path_that_lies_about_its_text_is_audited_all_the_same(self):
        source = '''class Path(str):
    def __repr__(self):
        raise RuntimeError
class GameEnv:
    def reset(self, seed=None):
        try:
            open(Path("/nowhere/at/all"))
        except OSError:
            pass
        return "x", {}
    def step(self, action):
        return "x", 0.0, True, False, {}
'''
        audits = HOST.plan(source, {"id": "a", "ops": [{"op": "construct"}, {"op": "reset", "seed": 1}]})["a"]["effects"]["audits"]
        self.assertEqual([("open", 7)], [(audit["event"], audit["line"]) for audit in audits])

    def test_an_error_that_lies_about_what_is_missing_is_an_error_like_any(self):
        source = '''class Odd(ImportError):
    @property
    def name(self):
        raise SystemExit
class GameEnv:
    def reset(self, seed=None):
        raise Odd("no")
    def step(self, action):
        return "x", 0.0, True, False, {}
'''
        error = HOST.plan(source, {"id": "a", "ops": [{"op": "construct"}, {"op": "reset", "seed": 1}]})["a"]["ops"][1][0]["error"]
        self.assertEqual(("raised", "no"), (error["code"], error["message"]))

    def test_what_raises_when_it_is_looked_at_does_not_end_the_look_for_changes(self):
        source = '''import json
class Shy:
    @property
    def __class__(self):
        raise RuntimeError
    def __getattribute__(self, name):
        raise RuntimeError
json.shy = Shy()
class GameEnv:
    def reset(self, seed=None):
        return "x", {}
    def step(self, action):
        return "x", 0.0, True, False, {}
'''
        try:
            self.assertEqual(["json.shy"], HOST.plan(source, {"id": "a", "ops": [{"op": "construct"}]})["a"]["effects"]["globalChanges"])
        finally:
            del json.shy

    def test_imports_are_not_the_files_own_doing(self):
        self.assertEqual([], self.effects("import wave\nimport dataclasses\n" + GUESS)["audits"])

    def test_dataclasses_evaluate_on_the_files_behalf_and_eval_is_its_own(self):
        plain = "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n" + GUESS
        self.assertEqual([], self.effects(plain)["audits"])
        self.assertEqual([("exec", 1)], [(a["event"], a["line"]) for a in self.effects("eval('1+1')\n" + GUESS)["audits"] if a["event"] == "exec"])

    def test_names_bound_elsewhere_while_importing_are_told(self):
        source = "import builtins, math\nbuiltins.hello = 1\nmath.tau2 = 2\nrandom.seed(3)\n" + GUESS
        try:
            self.assertEqual({"builtins.hello", "math.tau2", "random (state)"}, set(self.effects(source)["globalChanges"]))
        finally:
            import builtins
            import math

            del builtins.hello, math.tau2

    def test_a_module_that_the_file_comes_to_by_a_detour_is_watched_too(self):
        import statistics

        for detour in (
            "import sys\nsys.modules['stat' + 'istics'].odd = 1", "__import__('stat' + 'istics').odd = 1", "exec('import statis' 'tics as s; s.odd = 1')",
            "import statistics as s\ns.odd = 1", "setattr(statistics, 'odd', 1)", "class Early:\n    def __init__(self): statistics.odd = 1\nEarly()",
        ):
            try:
                self.assertEqual(["statistics.odd"], self.effects(detour + "\n" + GUESS)["globalChanges"], detour)
            finally:
                del statistics.odd

    def test_a_module_that_is_given_under_another_name_is_watched_too(self):
        known = sys.modules.get("numpy")
        self.addCleanup(lambda: sys.modules.pop("numpy") if known is None else sys.modules.__setitem__("numpy", known))
        sys.modules["numpy"] = types.ModuleType("numpy")
        self.assertEqual(["numpy.odd"], self.effects("np.odd = 1\n" + GUESS)["globalChanges"])

    def test_states_of_the_process_and_of_numpy_are_watched_where_the_file_may_reach_them(self):
        limit, known, state = sys.getrecursionlimit(), sys.modules.get("numpy"), {"at": 0}
        self.addCleanup(lambda: sys.modules.pop("numpy") if known is None else sys.modules.__setitem__("numpy", known))
        self.addCleanup(sys.setrecursionlimit, limit)
        numpy = sys.modules["numpy"] = types.ModuleType("numpy")
        numpy.random = types.SimpleNamespace(get_state=lambda: ("MT19937", state["at"]), seed=lambda seed: state.update(at=seed), random=lambda: 0.5)
        self.assertEqual(["numpy.random (state)"], self.effects("np.random.seed(3)\n" + GUESS)["globalChanges"])
        self.assertEqual(["sys.setrecursionlimit"], self.effects(f"import sys\nsys.setrecursionlimit({limit + 7})\n" + GUESS)["globalChanges"])
        self.assertEqual([], self.effects("import sys\nx = np.random.random(), sys.getrecursionlimit()\n" + GUESS)["globalChanges"])

    def test_a_library_that_loads_its_own_parts_is_not_the_files_doing(self):
        library = types.ModuleType("statistics_of_late")
        library.__getattr__ = lambda name: library.__dict__.setdefault(name, type(name, (), {"__module__": "statistics_of_late.parts"}))
        sys.modules["statistics_of_late"] = library
        self.addCleanup(sys.modules.pop, "statistics_of_late")
        self.assertEqual([], self.effects("import statistics_of_late\nstatistics_of_late.Part\n" + GUESS)["globalChanges"])
        self.assertEqual(["statistics_of_late.Mine"], self.effects("import statistics_of_late\nclass Mine: pass\nstatistics_of_late.Mine = Mine\n" + GUESS)["globalChanges"])

    def test_an_ordinary_file_has_none(self):
        self.assertEqual(NO_EFFECTS, self.effects(GUESS, {"op": "reset", "seed": 1}, steps("a")))


if __name__ == "__main__":
    unittest.main()
