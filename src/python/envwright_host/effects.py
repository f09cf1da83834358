"""What an environment does besides answering: prints, audited events, names bound in modules that are not its own."""

from __future__ import annotations

import builtins
import io
import random
import sys
from operator import is_
from time import perf_counter
from types import CodeType, FrameType, ModuleType
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from . import limits
from .errors import is_host_file
from .loader import injected_names
from .wire import short_repr

_LOG_CHUNK = 4096
_LOG_SECONDS = 0.01
"""A line is held back for the next ones only when another was sent this short a time ago."""

_EXACT_EVENTS = frozenset({
    "open", "builtins.input", "cpython.run_command", "fcntl.fcntl", "fcntl.flock", "fcntl.ioctl", "glob.glob", "marshal.loads", "pickle.find_class",
    "pty.spawn", "resource.setrlimit", "signal.pthread_kill", "sqlite3.connect", "sys.addaudithook", "sys.settrace", "sys.setprofile",
    "_thread.start_new_thread", "_thread.start_joinable_thread", "urllib.Request", "webbrowser.open",
})
_EVENT_FAMILIES = frozenset({"ctypes", "ftplib", "http", "imaplib", "mmap", "os", "poplib", "shutil", "smtplib", "socket", "subprocess", "tempfile"})
_EVALUATION = frozenset({"exec", "compile"})
"""Counted only when the file itself evaluates: the standard library evaluates on its behalf, for dataclasses and the like."""


def of_interest(event: str) -> bool:
    """True for the audited events that may be kept."""
    return event in _EVALUATION or event in _EXACT_EVENTS or event.partition(".")[0] in _EVENT_FAMILIES


class Effects:
    """What was seen since :meth:`start`. One object serves a session; a run of a plan begins it anew."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.changed = False
        self._printed = 0
        self._print_lines: Dict[int, None] = {}
        self._audits: Dict[Tuple[str, str, Optional[int]], None] = {}
        self._global_changes: List[str] = []

    def add_print(self, length: int, frame: Optional[FrameType]) -> None:
        self._printed += length
        self.changed = True
        while frame is not None and frame.f_code.co_filename != self.file:
            frame = frame.f_back
        if frame is not None and len(self._print_lines) < limits.EFFECTS:
            self._print_lines[frame.f_lineno] = None

    def add_audit(self, event: str, arguments: Tuple[Any, ...], frame: Optional[FrameType]) -> None:
        """Keeps the event when the file caused it: its own frame, or library code that it called, but not an import."""
        if event in _EVALUATION:
            if frame is None or frame.f_code.co_filename != self.file:
                return
        elif not of_interest(event):
            return
        while frame is not None:
            name = frame.f_code.co_filename
            if name == self.file:
                break
            if name.startswith("<frozen importlib") or is_host_file(name):
                return
            frame = frame.f_back
        if frame is None or len(self._audits) >= limits.EFFECTS:
            return
        self._audits[event, _detail(event, arguments), frame.f_lineno] = None
        self.changed = True

    def set_global_changes(self, names: List[str]) -> None:
        self._global_changes = names[: limits.EFFECTS]
        self.changed = self.changed or bool(names)

    def any(self) -> bool:
        """Whether there is anything to report."""
        return bool(self._printed or self._audits or self._global_changes)

    def report(self) -> Dict[str, Any]:
        """A ``SideEffects``."""
        self.changed = False
        return {
            "printed": self._printed,
            "printLines": list(self._print_lines),
            "audits": [{"event": event, "detail": detail, "line": line} for event, detail, line in list(self._audits)],
            "globalChanges": self._global_changes,
        }


def _detail(event: str, arguments: Tuple[Any, ...]) -> str:
    """The first argument, as text: a path, an address, a command; never a source that was evaluated."""
    if event in _EVALUATION or not arguments:
        return ""
    first = arguments[0]
    if event.startswith("socket.") and len(arguments) > 1:
        first = arguments[1]
    if isinstance(first, (str, int, bytes)):
        text = first if type(first) is str else short_repr(first)
    elif isinstance(first, tuple) and all(type(part) in (str, int) for part in first):
        text = repr(first)
    else:
        text = type(first).__name__
    return text[:200]


class Recorder:
    """Joins the process-wide hooks, which can be set once, to the effects of the moment."""

    def __init__(self, send_log: Callable[[str], None]) -> None:
        self.effects: Optional[Effects] = None
        self._send_log = send_log
        self._pending: List[str] = []
        self._pending_length = 0
        self._flushed_at = 0.0
        self._allowance: Optional[int] = None
        self.stream = _LogStream(self)

    def install(self) -> None:
        """Adds the audit hook, which stays for the life of the process."""
        sys.addaudithook(self._audit)

    def capture(self) -> None:
        """Makes prints arrive here, also after environment code has put something else in their place."""
        sys.stdout = self.stream
        sys.stderr = self.stream

    def write(self, text: str, frame: Optional[FrameType]) -> None:
        if self.effects is not None:
            self.effects.add_print(len(text), frame)
        self._pending.append(text)
        self._pending_length += len(text)
        if self._pending_length >= _LOG_CHUNK or (text[-1] == "\n" and perf_counter() - self._flushed_at > _LOG_SECONDS):
            self.flush()

    def allow(self, characters: Optional[int]) -> None:
        """Sends at most so many characters from now on, None for all; what is over is counted and dropped."""
        self.flush()
        self._allowance = characters

    def flush(self) -> None:
        """Sends what was printed and not yet sent, in pieces of a bounded size."""
        if not self._pending:
            return
        text = "".join(self._pending)
        if self._allowance is not None:
            text = text[: self._allowance]
            self._allowance -= len(text)
        self._pending.clear()
        self._pending_length = 0
        self._flushed_at = perf_counter()
        for start in range(0, len(text), 64 * 1024):
            self._send_log(text[start : start + 64 * 1024])

    def _audit(self, event: str, arguments: Tuple[Any, ...]) -> None:
        effects = self.effects
        # Looking at a frame is audited too: what is of no interest must leave before that, or the hook calls itself to the recursion limit.
        if effects is None or not of_interest(event):
            return
        try:
            effects.add_audit(event, arguments, sys._getframe(1))
        except Exception:
            return


class _LogStream(io.TextIOBase):
    """Where prints go."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self._recorder = recorder

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text:
            self._recorder.write(str.__str__(text), sys._getframe(1))
        return len(text)


_WAYS_TO_ANY_MODULE = frozenset({
    "__builtins__", "__globals__", "__import__", "__loader__", "__subclasses__", "eval", "exec", "f_builtins", "f_globals", "get_objects",
    "get_referents", "get_referrers", "getmodule", "globals", "import_module", "modules", "resolve_name", "run_module", "run_path",
})
"""Names by which code comes to modules that it does not name."""


def _names_in(code: CodeType) -> Set[str]:
    """Every name and every part of a text between dots in a file's code: whatever the file calls by its name is among them."""
    names: Set[str] = set()
    left: List[Any] = [code]
    while left:
        part = left.pop()
        if isinstance(part, CodeType):
            names.update(part.co_names)
            left.extend(part.co_consts)
        elif isinstance(part, (tuple, frozenset)):
            left.extend(part)
        elif isinstance(part, str):
            names.update(part.split("."))
    names.update([name for dotted in list(names) if "." in dotted for name in dotted.split(".")])
    return names


class GlobalsWatch:
    """Compares the public names of the modules that a file can reach, and builtins wholly, before and after it is imported.

    A module that the code neither names nor can come to otherwise is left out: looking at a value touches the memory that a
    session shares with the process it was forked from, so looking at all of them costs more than most files do themselves.
    """

    def __init__(self, code: CodeType) -> None:
        names = _names_in(code)
        everything = not names.isdisjoint(_WAYS_TO_ANY_MODULE)
        given = {id(value) for name, value in injected_names().items() if name in names}
        self._before: Dict[str, Tuple[ModuleType, Dict[str, Any]]] = {
            name: (module, dict(vars(module)))
            for name, module in list(sys.modules.items())
            if type(module) is ModuleType and isinstance(name, str) and not name.startswith(("envwright_host", "dynamic_game"))
            and (everything or module is builtins or id(module) in given or not names.isdisjoint(_called(name)))
        }
        self._states = _states_of(names)

    def changes(self) -> List[str]:
        """Names bound anew, as ``module.name``; ``random (state)`` and the like when a state of the process is another one."""
        found: List[str] = []
        for name, (module, before) in self._before.items():
            after = vars(module)
            if len(after) == len(before) and all(map(is_, after, before)) and all(map(is_, after.values(), before.values())):
                continue
            for key, value in list(after.items()):
                if before.get(key, _MISSING) is value or issubclass(type(value), ModuleType) or not isinstance(key, str):
                    continue
                if key not in before and _is_own(value, name):
                    continue
                if module is builtins or not key.startswith("_"):
                    found.append(f"{name}.{key}")
            found += [f"{name}.{key}" for key in before if key not in after and isinstance(key, str) and not key.startswith("_")]
        found += [name for name, (read, before) in self._states.items() if read() != before]
        return found


def _states_of(names: Set[str]) -> Dict[str, Tuple[Callable[[], Any], Any]]:
    """States of the process that code with these names may change without binding a name: how each is read, and as it is now."""
    readers: Dict[str, Callable[[], Any]] = {"random (state)": random.getstate}
    numpy_state = getattr(getattr(sys.modules.get("numpy"), "random", None), "get_state", None)
    if numpy_state is not None and not names.isdisjoint(("numpy", "np", "seed")):
        readers["numpy.random (state)"] = lambda: [repr(part) if not hasattr(part, "tobytes") else part.tobytes() for part in numpy_state()]
    if "setrecursionlimit" in names:
        readers["sys.setrecursionlimit"] = sys.getrecursionlimit
    return {name: (read, read()) for name, read in readers.items()}


def _is_own(value: object, module: str) -> bool:
    """Whether a name that came up in a module holds something of its own package: a library that loads its parts when they are asked for."""
    try:
        home = getattr(value, "__module__", None)
    except BaseException:
        return False
    return isinstance(home, str) and (home == module or home.startswith(f"{module}."))


def _called(name: str) -> Tuple[str, ...]:
    """What a module may be called where it is used: its last name, also where another module holds it as its own affair."""
    last = name.rpartition(".")[2]
    return last, f"_{last}", last.lstrip("_")


_MISSING = object()
