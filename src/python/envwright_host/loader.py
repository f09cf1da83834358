"""Loading a file the way the run does: injected names, choice of class, construction (run contract §2)."""

from __future__ import annotations

import collections
import copy
import functools
import heapq
import importlib.machinery
import itertools
import json
import math
import operator
import random
import re
import statistics
import string
import sys
import types
import typing
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional

from . import tool_use_base_env
from .errors import HostFault

MODULE_NAME = "dynamic_game"
"""The one module slot in which the run executes every file."""
VALIDATION_MAX_TURNS = 1000
"""``max_turns`` for validation, so that a probe never meets a turn limit."""

_BASE_NAMES = frozenset({"Env", "ToolUseBaseEnv"})
_TYPING_NAMES = (
    "Any", "Callable", "Dict", "FrozenSet", "Iterable", "List", "Mapping", "Optional", "Sequence", "Set", "Tuple", "Union",
)


_MODULES = tuple((module.__name__, module) for module in (itertools, math, random, re, json, collections, functools, string, copy, heapq, operator, statistics))
_PICKED = tuple(
    (name, source)
    for source, picked in (
        (collections, ("deque", "defaultdict", "Counter", "OrderedDict", "namedtuple")),
        (itertools, ("combinations", "permutations", "product", "chain", "accumulate")),
        (functools, ("reduce", "lru_cache")),
        (copy, ("deepcopy",)),
        (heapq, ("heappush", "heappop")),
        (typing, _TYPING_NAMES),
    )
    for name in picked
)


def injected_names() -> Dict[str, Any]:
    """The names that a file finds without importing them; numpy's only where numpy has been imported. Looked up anew each time, as the run does."""
    names: Dict[str, Any] = dict(_MODULES)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        names.update(np=numpy, numpy=numpy)
    names.update([(name, getattr(source, name)) for name, source in _PICKED])
    names["ToolUseBaseEnv"] = tool_use_base_env.ToolUseBaseEnv
    return names


@dataclass
class Loaded:
    """A file that has been executed."""

    module: types.ModuleType
    code: types.CodeType
    _candidates: Optional[List[str]] = field(default=None, init=False)

    def candidates(self) -> List[str]:
        """Names of all callables that end in ``Env`` when first asked, in the order of the namespace, the injected base left out."""
        if self._candidates is None:
            self._candidates = [
                name for name, value in list(vars(self.module).items())
                if isinstance(name, str) and name.endswith("Env") and name not in _BASE_NAMES and callable(value)
            ]
        return self._candidates

    def chosen(self) -> Callable[..., Any]:
        """What the run constructs: the first candidate. Raises ``no-class`` when there is none."""
        names = self.candidates()
        if not names:
            raise HostFault("no-class", "nothing callable in the file has a name that ends in Env")
        return vars(self.module)[names[0]]

    def line_of(self, name: str) -> Optional[int]:
        """First line of the last class or function of that name at the top of the file, None when it is imported."""
        # What has type parameters stands in a function of theirs.
        names = (name, f"<generic parameters of {name}>")
        lines = [const.co_firstlineno for const in self.code.co_consts if isinstance(const, types.CodeType) and const.co_name in names]
        return lines[-1] if lines else None


def compile_source(source: str, file: str) -> types.CodeType:
    """Compiles as this interpreter does, with nothing inherited from the host."""
    return compile(source, file, "exec", dont_inherit=True)


def execute(code: types.CodeType) -> Loaded:
    """Runs compiled source in a fresh module in the run's slot. Raises whatever the source raises."""
    module = types.ModuleType(MODULE_NAME)
    module.__spec__ = importlib.machinery.ModuleSpec(MODULE_NAME, None)
    vars(module).update(injected_names())
    sys.modules[MODULE_NAME] = module
    sys.modules["tool_use_base_env"] = tool_use_base_env
    exec(code, vars(module))
    return Loaded(module, code)


def construct(factory: Callable[..., Any], construction: str, max_turns: Optional[int]) -> Any:
    """Builds an instance for ``validate`` (``max_turns`` first) or for ``play`` (nothing first); run contract §2.3."""
    if construction == "validate":
        turns = VALIDATION_MAX_TURNS if max_turns is None else max_turns
        try:
            return factory(max_turns=turns)
        except TypeError:
            instance = factory()
            if hasattr(instance, "max_turns"):
                instance.max_turns = turns
            return instance
    try:
        instance = factory()
    except TypeError:
        if max_turns is None:
            raise
        instance = factory(max_turns=max_turns)
    if max_turns is not None:
        designed = getattr(instance, "max_turns", None)
        if isinstance(designed, int) and designed > 0:
            instance.max_turns = min(designed, max_turns)
        elif hasattr(instance, "max_turns"):
            instance.max_turns = max_turns
    return instance


def require_methods(instance: Any) -> None:
    """Raises ``missing-method`` unless the instance has what the run demands."""
    missing = [name for name in ("reset", "step") if not hasattr(instance, name)]
    if missing:
        raise HostFault("missing-method", f"{type(instance).__name__} has no method {' and no method '.join(missing)}")
