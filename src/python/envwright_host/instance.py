"""One instance of an environment, with the calls that the run makes on it and the evidence of each."""

from __future__ import annotations

import inspect
from time import perf_counter
from typing import Any, Callable, Dict, List, Optional

from .errors import HostFault, frames_of, host_error, message_of
from .loader import Loaded, construct, require_methods
from .snapshot import snapshot
from .told import Told
from .tool_use_base_env import ToolUseBaseEnv
from .trace import LineTracer
from .wire import json_number, lenient_json, shape_of, wire_text, wire_value

Json = Dict[str, Any]
SOLUTION_MARK = "<solution()>"


class Instance:
    """A constructed environment. Its methods raise what the environment raises; they never coerce."""

    def __init__(self, loaded: Loaded, file: str, construction: str, max_turns: Optional[int], text_size: int) -> None:
        self.file = file
        self._loaded = loaded
        self._text_size = text_size
        factory = loaded.chosen()
        start = perf_counter()
        try:
            self.env = construct(factory, construction, max_turns)
        except TypeError as error:
            if frames_of(error.__traceback__, file):
                raise
            raise HostFault("bad-constructor", message_of(error)) from error
        self._construct_ms = _ms_since(start)
        require_methods(self.env)

    def built_result(self, told: Optional[Told] = None) -> Any:
        """A ``BuiltResult``; its number where the plan numbers what it has ``told``."""
        max_turns = self._max_turns()
        entry = {"kind": "built", "maxTurns": max_turns}
        return entry if told is None else told.numbered(("built", max_turns), entry)

    def _max_turns(self) -> Optional[int]:
        max_turns = getattr(self.env, "max_turns", None)
        return int(max_turns) if isinstance(max_turns, int) and abs(max_turns) < 2**53 else None

    def load_result(self, import_ms: float) -> Json:
        """A ``LoadResult``."""
        env, candidates = self.env, self._loaded.candidates()
        result: Json = {
            "kind": "load",
            "className": candidates[0],
            "classLine": self._loaded.line_of(candidates[0]),
            "candidates": candidates,
            "toolUse": isinstance(env, ToolUseBaseEnv),
            "multiMessage": bool(getattr(env, "_user_messages", None)) and hasattr(env, "_message_criteria"),
            "hasSolution": self._has_solution(),
            "maxTurns": self._max_turns(),
            "tools": None,
            "importMs": import_ms,
            "constructMs": self._construct_ms,
        }
        methods = tool_methods(env)
        if methods:
            result["toolMethods"] = methods
        if result["toolUse"] or callable(getattr(env, "get_tools", None)):
            try:
                result["tools"] = lenient_json(env.get_tools())
            except BaseException as error:
                result["toolsError"] = host_error(error, self.file)
        return result

    def _has_solution(self) -> bool:
        method = getattr(self.env, "solution", None)
        return callable(method) and getattr(method, "__func__", None) is not ToolUseBaseEnv.solution

    def reset(self, seed: Optional[int], told: Optional[Told] = None) -> Any:
        """A ``ResetResult``; where the plan numbers what it has ``told``, an ordinary one as its number and its microseconds."""
        start = perf_counter()
        value = self.env.reset(seed=seed)
        ms = _ms_since(start)
        shape = None
        if isinstance(value, tuple) and len(value) == 2:
            observation, info = value
        elif isinstance(value, str):
            observation, info = value, {}
        else:
            shape = shape_of(value)
            parts = value if isinstance(value, (tuple, list)) else (value,)
            observation, info = _part(parts, 0), _part(parts, 1)
        if told is not None and shape is None:
            number = told.reset(observation, info)
            if number is not None:
                return [number, int(ms * 1000)]
        return {"kind": "reset", "observation": wire_text(observation, self._text_size), "info": wire_value(info), "shape": shape, "ms": ms}

    def step(self, action: str, trace: bool, plain: bool = False, told: Optional[Told] = None) -> Any:
        """A ``StepResult``; with ``plain``, an ordinary one as a ``PlainStep``, and where the plan numbers what it has ``told``, as its
        number, its microseconds, and whether the episode ended."""
        method, tracer = self.env.step, None
        if trace:
            tracer = LineTracer(self.file, method)
            with tracer:
                start = perf_counter()
                value = method(action)
                ms = _ms_since(start)
        else:
            start = perf_counter()
            value = method(action)
            ms = _ms_since(start)
        shape = None
        if isinstance(value, tuple) and len(value) == 5:
            observation, reward, terminated, truncated, info = value
        else:
            shape = shape_of(value)
            parts = value if isinstance(value, (tuple, list)) else (value,)
            observation, reward, terminated, truncated, info = (_part(parts, index) for index in range(5))
        if told is not None and shape is None and tracer is None:
            end = _END_OF_BOOLS[terminated, truncated] if type(terminated) is bool and type(truncated) is bool else None
            number = told.step(observation, reward, end, info)
            if number is not None:
                return number, int(ms * 1000), end != "-"
        if plain and shape is None and tracer is None:
            short = plain_step(observation, reward, terminated, truncated, self._text_size)
            if short is not None:
                short.append(round(ms, 3))
                if type(info) is not dict or info:
                    short.append(wire_value(info))
                return short
        result: Json = {
            "kind": "step", "action": action, "observation": wire_text(observation, self._text_size), "reward": wire_value(reward),
            "terminated": wire_value(terminated), "truncated": wire_value(truncated), "info": wire_value(info), "shape": shape, "ms": ms,
        }
        if tracer is not None:
            result["trace"] = tracer.report()
        return result

    def openings(self, seed: Optional[int], actions: List[str], tick: Callable[[], None]) -> Json:
        """An ``OpeningsResult``: each action as the first one after ``reset(seed)``. ``tick`` is called before each."""
        ends: List[str] = []
        rewards: List[Any] = []
        for action in actions:
            tick()
            self.env.reset(seed=seed)
            try:
                _, reward, terminated, truncated, _ = self.env.step(action)
                ends.append(_end_of(terminated, truncated))
                rewards.append(json_number(reward) if type(reward) is float else wire_value(reward).get("number"))
            except BaseException:
                ends.append("x")
                rewards.append(None)
        return {"kind": "openings", "ends": "".join(ends), "rewards": rewards}

    def tool(self, name: str, arguments: Json, trace: bool, told: Optional[Told] = None) -> Any:
        """A ``ToolResult``, by ``execute_tool`` as the run calls it for native tool calls; where the plan numbers what it has ``told``,
        an ordinary one as its number and its microseconds."""
        method, tracer = self.env.execute_tool, None
        if trace:
            tracer = LineTracer(self.file, getattr(self.env, f"tool_{name}", method))
            with tracer:
                start = perf_counter()
                value = method(name, arguments)
                ms = _ms_since(start)
        else:
            start = perf_counter()
            value = method(name, arguments)
            ms = _ms_since(start)
        good = isinstance(value, dict) and "output" in value and "returncode" in value
        output, returncode = (value.get("output", ""), value.get("returncode")) if isinstance(value, dict) else (value, None)
        plain = told is not None and good and tracer is None and type(output) is str and type(returncode) is int
        key = ("tool", name, output, returncode) if plain else None
        if told is not None and key is not None:
            number = told.number(key)
            if number is not None:
                return [number, int(ms * 1000)]
        result: Json = {
            "kind": "tool", "name": name, "output": wire_text(output, self._text_size), "returncode": wire_value(returncode),
            "shape": None if good else shape_of(value), "ms": ms,
        }
        if told is not None and key is not None:
            return [told.tell(key, result, len(output)), int(ms * 1000)]
        if tracer is not None:
            result["trace"] = tracer.report()
        return result

    def solution(self, told: Optional[Told] = None) -> Any:
        """A ``SolutionResult``; where the plan numbers what it has ``told``, a text as its number."""
        value = self.env.solution()
        key = ("solution", value) if told is not None and type(value) is str else None
        number = None if told is None or key is None else told.number(key)
        if number is not None:
            return number
        result = {"kind": "solution", "value": wire_value(value), "text": wire_text(value, self._text_size)}
        return result if told is None or key is None else told.tell(key, result, len(value))

    def snapshot(self, told: Optional[Told] = None) -> Any:
        """A ``SnapshotResult``, as its number where the plan numbers what it has ``told``."""
        return snapshot(self.env, told)

    def criteria(self, told: Optional[Told] = None) -> Any:
        """A ``CriteriaResult``: every message criterion on the present state; where the plan numbers what it has ``told``, one without
        an error as its number."""
        current = getattr(self.env, "_current_msg", None)
        results: List[Json] = []
        for criterion in list(getattr(self.env, "_message_criteria", None) or ()):
            line = getattr(getattr(criterion, "__code__", None), "co_firstlineno", None)
            try:
                results.append({"holds": bool(criterion(self.env._state)), "line": line})
            except BaseException as error:
                results.append({"error": host_error(error, self.file), "line": line})
        entry: Json = {"kind": "criteria", "current": current if type(current) is int and abs(current) < 2**53 else None, "results": results}
        if told is None or any("error" in result for result in results):
            return entry
        return told.numbered(("criteria", entry["current"], *((result["holds"], result["line"]) for result in results)), entry)

    def action_text(self, text: str, boxed: bool) -> str:
        """A plan's action for this instance: the solution put in, and a box around it where one is wanted and missing."""
        if SOLUTION_MARK in text:
            text = text.replace(SOLUTION_MARK, str(self.env.solution()))
        return f"\\boxed{{{text}}}" if boxed and "\\boxed" not in text else text


def plain_step(observation: Any, reward: Any, terminated: Any, truncated: Any, text_size: int) -> Optional[List[Any]]:
    """The start of a ``PlainStep``; None when the step holds anything that it cannot tell without loss."""
    if type(observation) is not str or len(observation) > text_size or not observation.isascii():
        return None
    if type(terminated) is not bool or type(truncated) is not bool or type(reward) not in (int, float) or not -1e15 < reward < 1e15:
        return None
    return [observation, repr(reward), _end_of(terminated, truncated)]


_END_OF_BOOLS = {(False, False): "-", (True, False): "t", (False, True): "u", (True, True): "b"}


def _end_of(terminated: Any, truncated: Any) -> str:
    """How a step ended the episode, in one letter."""
    return _END_OF_BOOLS[bool(terminated), bool(truncated)]


def tool_methods(env: Any) -> Dict[str, List[Json]]:
    """The parameters of each ``tool_<name>`` method that an instance has; a method whose signature Python does not tell is left out."""
    found: Dict[str, List[Json]] = {}
    for name in sorted({name for cls in type(env).__mro__ for name in vars(cls) if name.startswith("tool_")}):
        try:
            parameters = inspect.signature(getattr(env, name)).parameters.values()
        except BaseException:
            continue
        found[name[5:]] = [
            {
                "name": parameter.name,
                "required": parameter.default is parameter.empty and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD),
                "variadic": parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD),
            }
            for parameter in parameters
        ]
    return found


def _ms_since(start: float) -> float:
    return (perf_counter() - start) * 1000


def _part(parts: Any, index: int) -> Any:
    return parts[index] if index < len(parts) else None
