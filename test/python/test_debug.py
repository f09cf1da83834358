"""The program that a debugger runs replays a saved episode, and stops before the chosen step."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from host import ROOT

ENVIRONMENT = """
class CountEnv:
    def __init__(self, max_turns=5):
        self.max_turns = max_turns
        self.resets = []

    def reset(self, seed=None):
        self.resets.append(seed)
        self.turns = 0
        return f"resets {self.resets}", {}

    def step(self, action):
        self.turns += 1
        return f"{action} of turn {self.turns}", float(self.turns), self.turns == 2, False, {}

    def execute_tool(self, name, arguments):
        return {"output": f"{name} {arguments}", "returncode": 0}
"""


def replay(steps, stop_at=0, warm=False):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "count_env.py")
        with open(file, "w", encoding="utf-8") as text:
            text.write(ENVIRONMENT)
        episode = os.path.join(folder, "episode.json")
        with open(episode, "w", encoding="utf-8") as text:
            json.dump({"file": file, "seed": 7, "maxTurns": 25, "warmReset": warm, "stopAt": stop_at, "steps": steps}, text)
        environment = {**os.environ, "PYTHONPATH": os.path.join(ROOT, "src", "python"), "PYTHONBREAKPOINT": "stopped.here"}
        with open(os.path.join(folder, "stopped.py"), "w", encoding="utf-8") as text:
            text.write("def here():\n    print('stopped')\n")
        environment["PYTHONPATH"] += os.pathsep + folder
        done = subprocess.run([sys.executable, "-m", "envwright_debug", episode], capture_output=True, text=True, env=environment, check=True, timeout=60)
        return done.stdout.splitlines()


class Debug(unittest.TestCase):
    def test_actions_are_played_again_and_it_stops_before_the_chosen_step(self):
        lines = replay([{"action": "a", "calls": None}, {"action": "b", "calls": None}], stop_at=2)
        self.assertIn("resets [7]", lines[0])
        self.assertIn("a of turn 1", lines[1])
        self.assertEqual("stopped", lines[2])
        self.assertIn("b of turn 2", lines[3])

    def test_tool_calls_are_no_turns(self):
        lines = replay([{"action": "", "calls": [{"name": "look", "arguments": {"n": 1}}]}, {"action": "a", "calls": None}])
        self.assertIn("look {'n': 1}", lines[1])
        self.assertIn("a of turn 1", lines[2])

    def test_as_the_run_plays_a_load_has_been_reset_before(self):
        self.assertIn("[123, 7]", replay([], warm=True)[0])


if __name__ == "__main__":
    unittest.main()
