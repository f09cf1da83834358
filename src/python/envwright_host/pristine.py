"""Whether a module is still as importing it made it, so that it stands for one that is imported anew.

Every run of a plan begins on a fresh module. Where importing takes long, a module that was used is as good as a fresh one when three
things hold: importing the file gives the same module each time, it changes nothing else, and what was done since left no
trace in it. Where that cannot be shown, for whatever reason, the file is imported again.
"""

from __future__ import annotations

import functools
import hashlib
import marshal
import pickle
import random
import sys
import types
from collections import Counter, OrderedDict, defaultdict, deque
from time import perf_counter
from types import CodeType
from typing import Any, Callable, Dict, List, Optional, Tuple

from .effects import GlobalsWatch
from .loader import MODULE_NAME, Loaded, execute
from .snapshot import attributes_of

SLOW_SECONDS = 0.05
"""An import that takes longer is worth the look at the module that spares the next one."""


class Imports:
    """The modules of one file's code in one session: used again while they are provably as fresh ones, else imported anew."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.count = 0
        self.seconds = 0.0
        """How often the file was imported, and what that has taken."""
        self.again = True
        """Whether a used module may yet turn out to be as good as a fresh one."""
        self._first: Optional[bytes] = None
        self._fresh: Optional[bytes] = None
        self._kept: Dict[str, Tuple[Loaded, Origins]] = {}

    @property
    def may_be_slow(self) -> bool:
        """Whether nothing is known of what the import costs, or it is worth telling of."""
        return self.seconds >= self.count * SLOW_SECONDS

    def used(self, thread: str) -> Optional[Loaded]:
        """A module that was imported on this thread and is as it was then; None when there is none."""
        kept = self._kept.pop(thread, None)
        if kept is None or not self.again:
            return None
        loaded, origins = kept
        start = perf_counter()
        same = origins.put_back() and digest(loaded) == self._fresh
        self.again = perf_counter() - start < self.seconds / self.count
        if not same:
            return None
        self._kept[thread] = kept
        sys.modules[MODULE_NAME] = loaded.module
        return loaded

    def fresh(self, thread: str) -> Loaded:
        """Imports the file. Raises whatever the file raises."""
        watch = None
        if self.again and self._first is not None:
            random.random()  # Where the file seeds the shared generator, that must show.
            watch = GlobalsWatch(self.code)
        start = perf_counter()
        try:
            loaded = execute(self.code)
        finally:
            took = perf_counter() - start
            self.count += 1
            self.seconds += took
        if self.again:
            self._look_at(loaded, thread, took, watch)
        return loaded

    def _look_at(self, loaded: Loaded, thread: str, took: float, watch: Optional[GlobalsWatch]) -> None:
        if took < SLOW_SECONDS:
            self.again = False
            return
        now = digest(loaded)
        if now is None or (watch is not None and (now != self._first or watch.changes())):
            self.again = False
        elif watch is None:
            self._first = now
        else:
            self._fresh = now
            self._kept[thread] = loaded, Origins(loaded)


_ATOMS = (type(None), bool, int, float, complex, str, bytes)
_CONTAINERS = (list, dict, set, deque, defaultdict, OrderedDict, Counter)


class Origins:
    """What a file typically changes while it is played, and how to put it back: names bound to plain values, and containers and caches
    that were empty."""

    def __init__(self, loaded: Loaded) -> None:
        self._bound: List[Tuple[Any, str, Any]] = []
        self._empty: List[Callable[[], None]] = []
        own = vars(loaded.module)
        self._note(loaded.module, own)
        for value in list(own.values()):
            if isinstance(value, type) and not _importable(value):
                self._note(value, vars(value))

    def _note(self, owner: Any, names: Any) -> None:
        for name, value in list(names.items()):
            kind = type(value)
            if kind in _ATOMS and not name.startswith("__"):
                self._bound.append((owner, name, value))
            elif kind in _CONTAINERS and not value:
                self._empty.append(value.clear)
            elif kind is _Cached and value.cache_info().currsize == 0:
                self._empty.append(value.cache_clear)

    def put_back(self) -> bool:
        """False when the file does not let it."""
        try:
            for owner, name, value in self._bound:
                if vars(owner).get(name, _MISSING) is not value:
                    setattr(owner, name, value)
            for clear in self._empty:
                clear()
        except BaseException:
            return False
        return True


_MISSING = object()
_Cached = type(functools.lru_cache(None)(len))


def digest(loaded: Loaded) -> Optional[bytes]:
    """The whole state of a module in one hash: equal for equal states; None when part of it cannot be seen."""
    hashed = _Hashed()
    try:
        _StatePickler(hashed).dump({name: value for name, value in vars(loaded.module).items() if name != "__builtins__"})
    except BaseException:
        return None
    return hashed.hash.digest()


class _Hashed:
    """A file that is hashed as it is written."""

    def __init__(self) -> None:
        self.hash = hashlib.blake2b()

    def write(self, data: Any) -> int:
        self.hash.update(data)
        return len(data)


class _Unseen(Exception):
    """A value whose state cannot be seen whole."""


def _mark(*_: Any) -> None:
    """Stands in a pickle for what makes a value: nothing is ever read back."""


class _StatePickler(pickle.Pickler):
    """Writes every part of a graph that could hold state, with none of the file's own ways to be pickled.

    What other modules own counts by its name: importing the file anew would give the same object. State comes after the object
    that has it, so that what is met again on the way is known.
    """

    def __init__(self, file: Any) -> None:
        super().__init__(file, protocol=4)

    def reducer_override(self, value: Any) -> Any:
        kind = type(value)
        if value is _mark or value is Ellipsis or value is NotImplemented:
            return NotImplemented
        if kind is types.ModuleType:
            return _mark, ("module", value.__name__)
        if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType, types.MethodType)):
            name = _importable(value)
            if name is not None:
                return _mark, ("named", *name)
        if isinstance(value, type):
            return _mark, ("class", value.__qualname__), (type(value), value.__bases__, _class_state(value))
        state = _STATES.get(kind)
        if state is not None:
            return _mark, (kind.__name__,), state(value)
        if kind.__module__ == MODULE_NAME:
            return _mark, ("instance",), (kind, _contents(value), attributes_of(value))
        if _importable(kind) is None or kind.__module__ in ("itertools", "weakref", "_weakref"):
            raise _Unseen
        return NotImplemented


def _importable(value: Any) -> Optional[Tuple[str, str]]:
    """Module and name by which another module gives exactly this object; None when it is the file's own."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if isinstance(value, types.MethodType) or getattr(value, "__self__", None) is not None:
        name = value.__name__
    if module is None and isinstance(value, types.BuiltinFunctionType):
        module = getattr(type(value.__self__), "__module__", None)
    if type(module) is not str or type(name) is not str or module == MODULE_NAME:
        return None
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return (module, name) if found is value else None


_OF_THE_CLASS = (types.GetSetDescriptorType, types.MemberDescriptorType)


def _class_state(cls: type) -> List[Tuple[str, Any]]:
    return [(name, value) for name, value in list(vars(cls).items()) if name != "_abc_impl" and type(value) not in _OF_THE_CLASS]


def _function_state(function: Any) -> Any:
    cells = [cell.cell_contents if _is_set(cell) else _MISSING_TEXT for cell in function.__closure__ or ()]
    return marshal.dumps(function.__code__, 2), function.__defaults__, function.__kwdefaults__, cells, function.__dict__


_MISSING_TEXT = "(not set)"


def _is_set(cell: Any) -> bool:
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True


_STATES: Dict[type, Callable[[Any], Any]] = {
    types.FunctionType: _function_state,
    types.MethodType: lambda value: (value.__func__, value.__self__),
    types.BuiltinFunctionType: lambda value: (value.__name__, value.__self__),
    types.CodeType: lambda value: marshal.dumps(value, 2),
    types.MappingProxyType: dict,
    staticmethod: lambda value: value.__func__,
    classmethod: lambda value: value.__func__,
    property: lambda value: (value.fget, value.fset, value.fdel),
    functools.partial: lambda value: (value.func, value.args, value.keywords, value.__dict__),
    _Cached: lambda value: (value.__wrapped__, value.cache_info()[1:], value.__dict__),
    type(str.join): lambda value: (value.__objclass__, value.__name__),
    type(object.__init__): lambda value: (value.__objclass__, value.__name__),
}

_CONTENTS: Tuple[Tuple[type, Callable[[Any], Any]], ...] = (
    (list, lambda value: list(list.__iter__(value))),
    (dict, lambda value: list(dict.items(value))),
    (tuple, lambda value: list(tuple.__iter__(value))),
    (set, lambda value: list(set.__iter__(value))),
    (frozenset, lambda value: list(frozenset.__iter__(value))),
    (str, str.__str__),
    (int, int.__int__),
    (float, float.__float__),
)
_WITHOUT_CONTENTS = frozenset({MODULE_NAME, "abc", "enum", "typing", "envwright_host.tool_use_base_env"})
"""Modules whose classes keep everything in attributes."""


def _contents(value: Any) -> Any:
    """What an instance of one of the file's classes holds besides its attributes; raises when that cannot be seen."""
    found = [read(value) for base, read in _CONTENTS if isinstance(value, base)]
    known = {object, *(base for base, _ in _CONTENTS)}
    for cls in type(value).__mro__:
        if cls not in known and cls.__module__ not in _WITHOUT_CONTENTS:
            raise _Unseen
    return found
