"""Carries out a probe plan and reports it as it goes.

Results are sent the moment they exist, with the operation that comes next: when a call never returns, the other side
knows which one it was and has lost nothing that came before. A plan that is ``batched`` is reported some runs at a time, and
what it says again is named by a number: many short calls cost more in reports than in themselves, and whoever loses such a
plan asks for it once more.
"""

from __future__ import annotations

import random
import sys
from time import perf_counter
from typing import Any, Callable, Dict, List, Optional, Set, Union

from . import limits
from .effects import Effects, GlobalsWatch, Recorder
from .errors import HostFault, host_error
from .executor import Executor
from .instance import Instance, Json
from .loader import Loaded
from .pristine import Imports
from .told import Told

_SILENCE_SECONDS = 0.1
_BATCH_SECONDS = 0.03
_RUNS_SECONDS = 0.004
"""Runs of a batched plan that are over are told together, unless nothing was told for this long: they are read while others are made."""


class _StepFault(Exception):
    """A step of a ``steps`` operation failed; carries the error's data and the action."""

    def __init__(self, error: Json, action: str) -> None:
        super().__init__()
        self.error = error
        self.action = action


class PlanRunner:
    """Runs the runs of one plan in turn. ``emit`` sends an event frame without its id.

    ``watched`` has the first run look for what importing the file changes in other modules: that is told of once, since
    looking at every name of every module costs more than most files themselves. Once importing has taken ``import_seconds``, runs that
    would have to import the file again are left out.
    """

    def __init__(
        self, imports: Imports, file: str, text_size: int, executor: Executor, recorder: Recorder, emit: Callable[[Json], None], *, batched: bool, watched: bool, texts: List[Any],
        import_seconds: Optional[float],
    ) -> None:
        self._texts = [text if isinstance(text, str) else f"{text[0]}{text[1] * text[2]}{text[3]}" for text in texts]
        self._watched = watched
        self._told = Told(text_size) if batched else None
        self._importing = False
        self._over: List[Json] = []
        self._said_at = perf_counter()
        self._imports = imports
        self._import_seconds = import_seconds
        self._file = file
        self._text_size = text_size
        self._executor = executor
        self._recorder = recorder
        self._emit = emit

    def run_all(self, runs: List[Json]) -> None:
        for run in runs:
            self._executor.run(run.get("thread", "worker"), _Run(self, run).carry_out)
            self._watched = False
        self._tell_runs()

    def text_of(self, action: Union[int, str]) -> str:
        """An action that may be named by its place among the texts of the plan."""
        return action if isinstance(action, str) else self._texts[action]

    def _add_run(self, run: Json, at_once: bool) -> None:
        self._over.append(run)
        if self._told is None or at_once or perf_counter() - self._said_at > _RUNS_SECONDS:
            self._tell_runs()

    def _tell_runs(self) -> None:
        """Sends the evidence of the runs that are over."""
        if self._over:
            runs, self._over = self._over, []
            self._send({"event": "runs", "runs": runs})

    def _send(self, frame: Json) -> None:
        fresh = [] if self._told is None else self._told.take()
        if fresh:
            frame["told"] = fresh
        self._recorder.flush()
        self._emit(frame)
        self._said_at = perf_counter()


class _Run:
    """One run: a fresh module, or one that is as good, then its operations."""

    def __init__(self, owner: PlanRunner, run: Json) -> None:
        self._owner = owner
        self._id: str = run["id"]
        self._thread: str = run.get("thread", "worker")
        self._go_on: bool = run.get("goOn", False)
        self._at_once: bool = run.get("atOnce", False)
        self._ops: List[Json] = run["ops"]
        self._instances: Dict[int, Instance] = {}
        self._ended: Set[int] = set()
        self._over: Set[int] = set()
        """Instances whose episode has ended since their last reset."""
        self._unsent: List[Json] = []
        self._effects = Effects(owner._file)
        self._loaded: Optional[Loaded] = None
        self._load_error: Optional[Json] = None
        self._import_ms = 0.0

    def carry_out(self) -> None:
        recorder = self._owner._recorder
        recorder.capture()
        recorder.effects = self._effects
        try:
            self._begin(0)
            self._load()
            for index, op in enumerate(self._ops):
                if op.get("on", 0) not in self._ended or op["op"] == "disturb":
                    if index > 0:
                        self._begin(index)
                    self._operate(index, op)
        finally:
            recorder.effects = None
        run: Json = {"id": self._id, "ops": self._unsent}
        if self._effects.any():
            run["effects"] = self._effects.report()
        self._owner._add_run(run, self._at_once)

    def _begin(self, index: int) -> None:
        """Says which operation begins, and hands over what has not been sent; not every time when the plan is batched.

        An import that may take long is always told of, and what comes after it: importing has a limit of its own.
        """
        owner = self._owner
        told = owner._told
        importing = index == 0 and owner._imports.may_be_slow
        if told is None or importing or owner._importing or told.waiting > limits.FRAME_CHARS or perf_counter() - owner._said_at > _BATCH_SECONDS:
            self._announce(index)
            owner._importing = importing

    def _announce(self, index: int) -> None:
        self._owner._tell_runs()
        frame: Json = {"event": "progress", "run": self._id, "next": index, "ops": self._unsent}
        if self._effects.changed:
            frame["effects"] = self._effects.report()
        self._unsent = []
        self._owner._send(frame)

    def _still_at(self, index: int) -> None:
        """Says that a long operation goes on, now and then: the time limit is for one call of the environment, not for many."""
        if perf_counter() - self._owner._said_at > _SILENCE_SECONDS:
            self._announce(index)

    def _load(self) -> None:
        owner, imports = self._owner, self._owner._imports
        self._loaded = imports.used(self._thread)
        if self._loaded is None:
            self._import(imports)
        owner._recorder.capture()

    def _import(self, imports: Imports) -> None:
        owner = self._owner
        if owner._import_seconds is not None and imports.seconds >= owner._import_seconds:
            fault = HostFault("import-budget", f"importing the file {imports.count} times took {imports.seconds:.1f} s")
            self._load_error = host_error(fault, owner._file)
            return
        watch = GlobalsWatch(imports.code) if owner._watched else None
        before = imports.seconds
        try:
            self._loaded = imports.fresh(self._thread)
        except BaseException as error:
            self._load_error = host_error(error, owner._file)
        self._import_ms = (imports.seconds - before) * 1000
        if watch is not None:
            changes = watch.changes()
            self._effects.set_global_changes(changes)
            imports.again = imports.again and not changes

    def _operate(self, index: int, op: Json) -> None:
        try:
            if op["op"] == "steps":
                self._steps(index, op)
            else:
                self._add(index, self._single(index, op))
        except _StepFault as fault:
            self._fail(index, op, {"kind": "error", "error": fault.error, "action": fault.action})
        except BaseException as error:
            self._fail(index, op, {"kind": "error", "error": host_error(error, self._owner._file)})

    def _fail(self, index: int, op: Json, result: Json) -> None:
        self._add(index, result)
        if not self._go_on or op["op"] == "construct":
            self._ended.add(op.get("on", 0))

    def _add(self, index: int, result: Any) -> None:
        if self._unsent and self._unsent[-1]["index"] == index:
            self._unsent[-1]["results"].append(result)
        else:
            self._unsent.append({"index": index, "results": [result]})

    def _add_told_step(self, index: int, number: int, us: int) -> None:
        """Adds an ordinary step to those that came just before it."""
        results = self._unsent[-1]["results"] if self._unsent and self._unsent[-1]["index"] == index else None
        last = results[-1] if results else None
        if type(last) is dict and last["kind"] == "steps":
            last["told"].append(number)
            last["us"].append(us)
        else:
            self._add(index, {"kind": "steps", "told": [number], "us": [us]})

    def _single(self, index: int, op: Json) -> Any:
        name, on, told = op["op"], op.get("on", 0), self._owner._told
        if name == "disturb":
            return disturb(op["seed"], told)
        if name == "construct":
            return self._construct(on, op)
        instance = self._instance(on)
        if name == "reset":
            self._over.discard(on)
            return instance.reset(op.get("seed"), told)
        if name == "tool":
            return instance.tool(op["name"], op["arguments"], False, told)
        if name == "openings":
            return instance.openings(op.get("seed"), list(map(self._owner.text_of, op["actions"])), lambda: self._still_at(index))
        if name in ("snapshot", "solution", "criteria"):
            return getattr(instance, name)(told)
        raise HostFault("bad-request", f"there is no operation {name!r}")

    def _construct(self, on: int, op: Json) -> Any:
        if self._loaded is None:
            return self._load_failure(on)
        instance = Instance(self._loaded, self._owner._file, op.get("construction", "validate"), op.get("maxTurns"), self._owner._text_size)
        self._instances[on] = instance
        self._over.discard(on)
        return instance.built_result(self._owner._told) if op.get("brief", False) else instance.load_result(self._import_ms)

    def _load_failure(self, on: int) -> Json:
        self._ended.add(on)
        return {"kind": "error", "error": self._load_error}

    def _instance(self, on: int) -> Instance:
        instance = self._instances.get(on)
        if instance is None:
            raise HostFault("not-loaded", f"instance {on} was not constructed")
        return instance

    def _steps(self, index: int, op: Json) -> None:
        on = op.get("on", 0)
        instance = self._instance(on)
        actions, stop_at_end, trace = op["actions"], op.get("stopAtEnd", True), op.get("trace", False)
        if stop_at_end and on in self._over:
            return
        for count in range(op["count"]):
            planned = actions[count % len(actions)]
            text, boxed = (self._owner.text_of(planned), False) if isinstance(planned, int) else (planned["text"], planned.get("boxed", False))
            action = text
            try:
                action = instance.action_text(text, boxed)
                result = instance.step(action, trace, told=self._owner._told if action == text else None)
            except BaseException as error:
                raise _StepFault(host_error(error, self._owner._file), action) from None
            if isinstance(result, tuple):
                self._add_told_step(index, result[0], result[1])
            else:
                self._add(index, result)
            if stop_at_end and _has_ended(result):
                self._over.add(on)
                return
            if count + 1 < op["count"]:
                self._begin(index)


def _has_ended(result: Any) -> bool:
    """Whether a step, in either of its forms, ended the episode."""
    if isinstance(result, tuple):
        return result[2]
    return _holds(result["terminated"]) or _holds(result["truncated"])


def _holds(flag: Json) -> bool:
    """Truth of a flag as it crossed, also one that is no bool."""
    if "json" in flag:
        return bool(flag["json"])
    return flag.get("number", 0) != 0


def disturb(seed: int, told: Optional[Told]) -> Any:
    """Seeds the module-level generators and draws from them. The result is a number where the plan numbers what it has ``told``."""
    random.seed(seed)
    random.random()
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        try:
            numpy.random.seed(seed % 2**32)
            numpy.random.random()
        except Exception:  # The file has put something else in its place.
            pass
    entry = {"kind": "disturb"}
    return entry if told is None else told.numbered(("disturb",), entry)
