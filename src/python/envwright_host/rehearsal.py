"""A session that has served a small file of our own before it serves anybody's.

Python makes much of what it needs at first use: specialised bytecode, caches of methods, tables of other modules. Made
before a native fork or an embedded memory image, it is shared by all sessions and costs none of them time or memory.
"""

from __future__ import annotations

import sys
from typing import Any, Callable, Dict, List

from .executor import Executor
from .loader import MODULE_NAME
from .session import Session

_FILE = "rehearsal.py"
_SOURCE = r'''
import random
import re


class RehearsalEnv:
    """Ask for a number."""

    def __init__(self, max_turns: int = 4) -> None:
        self.max_turns = max_turns
        self.turns = 0
        self.numbers = []

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.numbers = [rng.randint(0, 9) for _ in range(3)]
        return f"Add {' and '.join(str(number) for number in self.numbers)}.", {"suffix": ""}

    def step(self, action: str):
        self.turns += 1
        found = re.search(r"\\boxed\{([^{}]*)\}", action)
        if found is None:
            return "No box.", 0.0, False, self.turns >= self.max_turns, {"turns": self.turns}
        if int(found.group(1)) == sum(self.numbers):
            return "Right.", 1.0, True, False, {}
        return "Wrong.", 0.0, False, self.turns >= self.max_turns, {}

    def solution(self) -> str:
        return str(sum(self.numbers))
'''

_ACTIONS = ("nothing", r"\boxed{1}", r"\boxed{x}", "")
"""Unread, wrong, one that raises, and none."""
_ROUNDS = 2
"""Enough, with the calls in each, for the interpreter to specialise what is called most; more would only scatter memory."""


def rehearsed_session(executor: Executor, observation_chars: int) -> Session:
    """A session that has been through a rehearsal, as :func:`rehearse` leaves it, with the standard streams as they were."""
    streams = sys.stdout, sys.stderr
    session = Session(_drop, executor, observation_chars)
    for _ in range(_ROUNDS):
        rehearse(session, observation_chars, lambda: False)
    sys.stdout, sys.stderr = streams
    return session


def rehearse(session: Session, observation_chars: int, wanted: Callable[[], bool]) -> None:
    """Has a session load, reset, step and carry out a plan, and puts it back to before its first request, with nobody to hear its events;
    less of it when the session is ``wanted`` meanwhile.

    The table of modules is left as it was, and no module-level generator is seeded or drawn from: what an environment draws without a seed
    must differ from one start of the host to the next.
    """
    session.begin(_drop, observation_chars)
    for request in _requests():
        session.handle(request)
        if wanted():
            break
    session.begin(_drop, observation_chars)
    for name in (MODULE_NAME, "tool_use_base_env"):
        sys.modules.pop(name, None)


def _requests() -> List[Dict[str, Any]]:
    text = {"source": _SOURCE, "file": _FILE}
    steps = [{"op": "step", "action": action, "trace": False} for action in _ACTIONS]
    reset = {"op": "reset", "seed": 7}
    run = [
        {"op": "construct"}, reset, {"op": "snapshot"},
        {"op": "steps", "count": 2, "actions": [{"text": "nothing"}, {"text": "<solution()>", "boxed": True}]},
        reset, {"op": "openings", "seed": 7, "actions": list(_ACTIONS)},
    ]
    runs = [{"id": "rehearsal", "ops": run}]
    requests = [
        {"op": "load", **text, "construction": "play", "maxTurns": 3}, reset, *steps, {"op": "solution"}, {"op": "snapshot"},
        {"op": "plan", **text, "plan": {"runs": runs, "batched": True}}, {"op": "plan", **text, "plan": {"runs": runs}},
    ]
    return [{"id": number, **request} for number, request in enumerate(requests)]


def _drop(frame: Dict[str, Any]) -> None:
    """Nobody listens to a rehearsal."""
