"""The way into the embedded interpreter: text to text, called from outside after the import lock has closed.

``prepare`` runs once before the memory snapshot is made, ``boot`` once after it is loaded, and ``handle`` for every
request of a session. Before each session the whole memory goes back to what it was after ``boot``.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import random
import signal
import sys
from typing import Any, Dict, List, Optional, Sequence

from . import limits
from .executor import InlineExecutor
from .frames import from_json, to_json
from .greeting import greeting
from .rehearsal import rehearsed_session
from .session import Session

_PRELOADED = (
    "abc", "ast", "base64", "bisect", "calendar", "cmath", "collections.abc", "contextlib", "copy", "csv", "dataclasses", "datetime", "decimal",
    "difflib", "enum", "fractions", "functools", "hashlib", "heapq", "inspect", "io", "itertools", "linecache", "logging", "math", "numbers",
    "mmap", "multiprocessing", "operator", "pathlib", "pickle", "pprint", "random", "re", "secrets", "shlex", "sqlite3", "statistics", "string", "struct",
    "tempfile", "textwrap", "threading", "time", "traceback", "types", "typing", "unicodedata", "urllib.request", "uuid", "warnings", "weakref", "zlib",
)
"""What environments, and the attacks of the self-test, import; in the image, so that no session and no start pays for it."""

_BRIDGES = frozenset({"js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core", "pyodide_core", "ctypes", "_ctypes", "micropip"})
"""Top-level modules that lead out of the interpreter, or need foreign functions; to an environment they do not exist."""

_ENVIRONMENT = frozenset({"HOME", "LANG", "PATH", "PWD", "USER", "LOGNAME", "PYTHONHASHSEED"})
"""Variables of the environment that sessions see; none of them is the host's."""

_events = -1
_packages: Dict[str, Optional[str]] = {}
_rehearsed: Session
_session: Optional[Session] = None


class _NoBridges:
    """Finds nothing by those names, before anybody else can."""

    def find_spec(self, name: str, path: Optional[Sequence[str]] = None, target: Any = None) -> None:
        if name.partition(".")[0] in _BRIDGES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def prepare(preload: Sequence[str]) -> None:
    """Imports what sessions will need, and rehearses one. ``preload`` names further modules; math-verify's parser is run once, as it builds its tables then."""
    global _rehearsed
    _complete_signal_module()
    for name in (*_PRELOADED, *preload):
        importlib.import_module(name)
    if "math_verify" in preload:
        sys.modules["math_verify"].parse("$1$", parsing_timeout=None)
    _rehearsed = rehearsed_session(InlineExecutor(), limits.OBSERVATION_CHARS)
    # Python works out what it is called the first time that it is asked.
    to_json(greeting([], {}))


def boot(events: int) -> None:
    """Takes the descriptor for event frames, and takes the bridges to JavaScript away."""
    global _events
    _events = events
    _packages.update(_find_packages())
    _undo_bridging()
    for name in [name for name in sys.modules if name.partition(".")[0] in _BRIDGES]:
        del sys.modules[name]
    sys.meta_path[:] = [_NoBridges(), *(finder for finder in sys.meta_path if not type(finder).__module__.startswith("_pyodide"))]


def _undo_bridging() -> None:
    """Gives back what was replaced by functions of the event loop of JavaScript, and forgets what tells of the host."""
    import asyncio
    import time

    time.sleep = getattr(time.sleep, "__wrapped__", time.sleep)
    asyncio.run = asyncio.runners.run
    asyncio.events._set_running_loop(None)
    setattr(asyncio.events, "_event_loop_policy", None)
    for name in set(os.environ) - _ENVIRONMENT:
        del os.environ[name]


def handle(text: str) -> str:
    """Answers one request; ``start`` begins a session and answers its greeting."""
    global _session
    request = from_json(text)
    if request["op"] == "start":
        random.seed()
        _session = _rehearsed
        _session.begin(_emit, request["observationChars"])
        return to_json(greeting(request["layers"], _packages))
    if _session is None:
        raise RuntimeError("a request before its session was started")
    return to_json(_session.handle(request))


def _emit(frame: Dict[str, Any]) -> None:
    os.write(_events, to_json(frame).encode("ascii"))


def _find_packages() -> Dict[str, Optional[str]]:
    """Versions of the packages of interest; those that are not there are None."""
    versions: Dict[str, Optional[str]] = {"numpy": None, "math-verify": None}
    if importlib.util.find_spec("math_verify") is not None:
        from importlib import metadata

        versions["math-verify"] = metadata.version("math-verify")
    return versions


def _complete_signal_module() -> None:
    """Gives the timers that this interpreter leaves out: they can be set and never go off; the limit on a call's time stands in for them."""
    def alarm(seconds: int) -> int:
        return 0

    def setitimer(which: int, seconds: float, interval: float = 0.0) -> List[float]:
        return [0.0, 0.0]

    def getitimer(which: int) -> List[float]:
        return [0.0, 0.0]

    for name, value in (
        ("alarm", alarm), ("setitimer", setitimer), ("getitimer", getitimer), ("ITIMER_REAL", 0), ("ITIMER_VIRTUAL", 1), ("ITIMER_PROF", 2),
    ):
        if not hasattr(signal, name):
            setattr(signal, name, value)
