"""A session in this process for the tests of the host, and the environments they use."""

import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "src", "python"))

from envwright_host.frames import encode_frame  # noqa: E402
from envwright_host.session import Session  # noqa: E402

FILE = "game.py"

GUESS = '''import random
import re


class GuessEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.reset()

    def reset(self, seed=None):
        self.number = random.Random(seed).randint(1, 9)
        self.turns = 0
        return "Guess from 1 to 9.", {}

    def step(self, action):
        self.turns += 1
        found = re.search(r"boxed{(\\d+)}", action)
        if found and int(found.group(1)) == self.number:
            return "Yes.", 1.0, True, False, {}
        return "No.", 0.0, False, self.turns >= self.max_turns, {}

    def solution(self):
        return str(self.number)
'''


NO_EFFECTS = {"printed": 0, "printLines": [], "audits": [], "globalChanges": []}


class Host:
    """Asks a session as Node does; every reply and event must be fit to travel."""

    def __init__(self):
        self.events = []
        self._streams = sys.stdout, sys.stderr
        self._session = Session(self.events.append)
        sys.stdout, sys.stderr = self._streams
        self._next = 1

    def ask(self, op, **fields):
        """The reply to a request, whatever it is."""
        streams = sys.stdout, sys.stderr
        self._session._recorder.capture()
        try:
            reply = self._session.handle({"id": self._next, "op": op, **fields})
        finally:
            sys.stdout, sys.stderr = streams
        self._next += 1
        for frame in [reply, *self.events]:
            encode_frame(frame)
        return reply

    def get(self, op, **fields):
        """The result of a request that must succeed."""
        reply = self.ask(op, **fields)
        assert reply["ok"], reply
        return reply["result"]

    def fail(self, op, **fields):
        """The error of a request that must fail."""
        reply = self.ask(op, **fields)
        assert not reply["ok"], reply
        return reply["error"]

    def load(self, source=GUESS, construction="validate", max_turns=None, thread="worker"):
        return self.get("load", source=source, file=FILE, construction=construction, maxTurns=max_turns, thread=thread)

    def plan(self, source, *runs):
        """Evidence of each run, put together from its events as Node does."""
        self.events.clear()
        self.get("plan", source=source, file=FILE, plan={"runs": list(runs)})
        evidence, ops = {}, {}
        for event in self.events:
            if event["event"] == "progress":
                ops.setdefault(event["run"], []).extend(event["ops"])
            elif event["event"] == "runs":
                for run in event["runs"]:
                    merged = {}
                    for entry in ops.get(run["id"], []) + run["ops"]:
                        merged.setdefault(entry["index"], []).extend(entry["results"])
                    evidence[run["id"]] = {"effects": NO_EFFECTS, **run, "ops": merged}
        return evidence

    def logged(self):
        return "".join(event["text"] for event in self.events if event["event"] == "log")


HOST = Host()
"""One session serves all tests of a process, as the audit hook it adds can never be taken away."""
