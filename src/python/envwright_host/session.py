"""One session: requests in, replies out, whatever the environment does in between."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from types import CodeType
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import limits
from .effects import Recorder
from .errors import HostFault, host_error, syntax_error
from .executor import Executor, InlineExecutor
from .instance import Instance, Json
from .loader import compile_source, execute
from .plan import PlanRunner
from .pristine import Imports


class _SourceFault(Exception):
    """The source does not compile; carries the error's data."""

    def __init__(self, error: Json) -> None:
        super().__init__()
        self.error = error


class Session:
    """Handles the requests of the protocol for one environment at a time.

    ``emit`` receives event frames (logs, progress of a plan) while a request is handled; the reply is the value of
    :meth:`handle`. One session to a process: it takes over the process's output and its audit hook.
    """

    def __init__(
        self, emit: Callable[[Json], None], executor: Optional[Executor] = None, observation_chars: int = limits.OBSERVATION_CHARS,
    ) -> None:
        self._recorder = Recorder(lambda text: self._event({"event": "log", "text": text}))
        self._recorder.install()
        self._executor = InlineExecutor() if executor is None else executor
        self.begin(emit, observation_chars)
        self._operations: Dict[str, Callable[[Json], Any]] = {
            "load": self._load, "reset": self._reset, "step": self._step, "tool": self._tool,
            "solution": self._solution, "snapshot": self._snapshot, "plan": self._plan,
            "selftest": self._self_test,
        }

    def begin(self, emit: Callable[[Json], None], observation_chars: int) -> None:
        """Starts anew: nothing of what was handled before is left, and prints arrive here again."""
        self._emit = emit
        self._text_size = observation_chars
        self._id = 0
        self._file = ""
        self._thread = "worker"
        self._instance: Optional[Instance] = None
        self._code: Optional[Tuple[Tuple[str, str], CodeType]] = None
        self._imports: Optional[Imports] = None
        self._recorder.capture()

    def handle(self, request: Json) -> Json:
        """The reply to one request: ``{"id", "ok": true, "result"}`` or ``{"id", "ok": false, "error"}``; never raises."""
        self._id = request.get("id", 0)
        try:
            operation = self._operations.get(request.get("op", ""))
            if operation is None:
                raise HostFault("bad-request", f"there is no operation {request.get('op')!r}")
            reply: Json = {"id": self._id, "ok": True, "result": operation(request)}
        except _SourceFault as fault:
            reply = {"id": self._id, "ok": False, "error": fault.error}
        except BaseException as error:
            reply = {"id": self._id, "ok": False, "error": host_error(error, self._file)}
        self._recorder.flush()
        return reply

    def _event(self, frame: Json) -> None:
        frame["id"] = self._id
        self._emit(frame)

    def _compiled(self, request: Json) -> Any:
        """The code of a request. Kept while the source stays the same: compiling it anew may order the constants of a set otherwise."""
        self._file = request["file"]
        key = (request["source"], self._file)
        if self._code is not None and self._code[0] == key:
            return self._code[1]
        try:
            self._code = (key, compile_source(*key))
            return self._code[1]
        except (SyntaxError, ValueError, OverflowError) as error:
            raise _SourceFault(syntax_error(error)) from None

    def _load(self, request: Json) -> Json:
        self._instance = None
        code = self._compiled(request)
        self._thread = request.get("thread", "worker")
        self._recorder.capture()

        def load() -> Json:
            start = perf_counter()
            loaded = execute(code)
            import_ms = (perf_counter() - start) * 1000
            instance = Instance(loaded, self._file, request.get("construction", "validate"), request.get("maxTurns"), self._text_size)
            result = instance.load_result(import_ms)
            self._instance = instance
            return result

        return self._executor.run(self._thread, load)

    def _loaded(self) -> Instance:
        if self._instance is None:
            raise HostFault("not-loaded", "no environment has been loaded in this session")
        return self._instance

    def _reset(self, request: Json) -> Json:
        instance = self._loaded()
        return self._executor.run(self._thread, lambda: instance.reset(request.get("seed")))

    def _step(self, request: Json) -> Json:
        instance = self._loaded()
        return self._executor.run(self._thread, lambda: instance.step(request["action"], request.get("trace", False), request.get("plain", False)))

    def _tool(self, request: Json) -> Json:
        instance = self._loaded()
        return self._executor.run(self._thread, lambda: instance.tool(request["name"], request["arguments"], request.get("trace", False)))

    def _solution(self, request: Json) -> Json:
        return self._executor.run(self._thread, self._loaded().solution)

    def _snapshot(self, request: Json) -> Json:
        return self._executor.run(self._thread, self._loaded().snapshot)

    def _plan(self, request: Json) -> None:
        code = self._compiled(request)
        plan = request["plan"]
        imports = self._imports
        watched = plan.get("watch", True) and (imports is None or imports.code is not code)
        if imports is None or imports.code is not code:
            imports = self._imports = Imports(code)
        runner = PlanRunner(
            imports, self._file, self._text_size, self._executor, self._recorder, self._event, batched=plan.get("batched", False), watched=watched,
            texts=plan.get("texts", []), import_seconds=plan.get("importSeconds"),
        )
        self._recorder.allow(limits.PLAN_LOG_CHARS)
        try:
            runner.run_all(plan["runs"])
        finally:
            self._recorder.allow(None)

    def _self_test(self, request: Json) -> Json:
        """A ``SelfTestResult``: every attack from every thread. Only a sandbox that has the attacks loaded can be asked."""
        from .attacks import ATTACKS

        def attempt(thread: str) -> List[Json]:
            return [{"group": one.group, "name": one.name, "thread": thread, "reached": one.reached()} for one in ATTACKS]

        return {"attacks": [result for thread in ("worker", "main") for result in self._executor.run(thread, partial(attempt, thread))]}
