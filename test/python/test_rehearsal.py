"""The session that serves a file of our own before any other: it works, and leaves nothing behind."""

import random
import sys
import unittest

from host import FILE, GUESS

from envwright_host import rehearsal
from envwright_host.executor import Executor
from envwright_host.loader import MODULE_NAME


class OneThread(Executor):
    def run(self, thread, work):
        return work()


def rehearsed():
    """A rehearsed session that tells its events, and that list."""
    events = []
    session = rehearsal.rehearsed_session(OneThread(), 100_000)
    return session, events


class Rehearsal(unittest.TestCase):
    def setUp(self):
        self.streams = sys.stdout, sys.stderr
        self.addCleanup(lambda: setattr(sys, "stdout", self.streams[0]) or setattr(sys, "stderr", self.streams[1]))

    def test_carries_out_every_request_as_intended(self):
        session, _ = rehearsed()
        replies = [session.handle(request) for request in rehearsal._requests()]
        failed = [reply["error"]["type"] for reply in replies if not reply["ok"]]
        self.assertEqual(failed, ["ValueError"])
        steps = [reply["result"]["reward"] for reply in replies if reply["ok"] and (reply["result"] or {}).get("kind") == "step"]
        self.assertEqual(len(steps), 3)

    def test_its_plans_run_to_their_end(self):
        events = []
        session, _ = rehearsed()
        session.begin(events.append, 100_000)
        for request in rehearsal._requests():
            session.handle(request)
        runs = [run for frame in events if frame["event"] == "runs" for run in frame["runs"]]
        self.assertEqual(len(runs), 2)
        kinds = [result["kind"] if isinstance(result, dict) else "numbered" for run in runs for op in run["ops"] for result in op["results"]]
        self.assertNotIn("error", kinds)

    def test_leaves_streams_modules_and_generators_as_they_were(self):
        modules, drawn = set(sys.modules), random.getstate()
        rehearsed()
        self.assertEqual((sys.stdout, sys.stderr), self.streams)
        self.assertNotIn(MODULE_NAME, sys.modules)
        self.assertNotIn("tool_use_base_env", sys.modules)
        self.assertEqual({name for name in set(sys.modules) - modules if name.startswith(("rehearsal", "envwright"))}, set())
        self.assertEqual(random.getstate(), drawn)

    def test_ends_when_the_session_is_wanted_and_leaves_nothing_behind(self):
        session, _ = rehearsed()
        asked = []
        handle = session.handle
        session.handle = lambda request: asked.append(request["op"]) or handle(request)
        rehearsal.rehearse(session, 100_000, lambda: len(asked) == 2)
        self.assertEqual(asked, ["load", "reset"])
        self.assertNotIn(MODULE_NAME, sys.modules)
        self.assertEqual(handle({"id": 1, "op": "reset", "seed": 0})["error"]["code"], "not-loaded")

    def test_knows_no_environment_until_one_is_loaded_and_then_serves_it(self):
        events = []
        session, _ = rehearsed()
        session.begin(events.append, 100_000)
        early = session.handle({"id": 1, "op": "reset", "seed": 0})
        self.assertEqual(early["error"]["code"], "not-loaded")
        loaded = session.handle({"id": 2, "op": "load", "source": GUESS, "file": FILE, "construction": "play", "maxTurns": 5})
        self.assertEqual(loaded["result"]["className"], "GuessEnv")
        self.assertEqual(events, [])


if __name__ == "__main__":
    unittest.main()
