"""An instance's state by value: equal states give equal digests, in any process and in any order of creation.

No address, object id or byte code enters, so that every version of Python gives the same digest: a function counts by its
qualified name, its first line, its defaults and the values it closed over, a generator of random numbers by its state, a set
by its members whatever their order.
"""

from __future__ import annotations

import array
import collections
import enum
import hashlib
import random
import re
import sys
import types
from typing import Any, Dict, Iterator, List, Optional, Tuple

from . import limits
from .told import Told
from .wire import short_repr, type_name

_MOST_NODES = 500_000
_MOST_DEPTH = 200
_LEAF_CHARS = 200
_SCALARS = (type(None), bool, int, float, complex, str, bytes)
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def _is(value: Any, kinds: Any) -> bool:
    """Whether a value is of one of these types, whatever class it says that it has."""
    return issubclass(type(value), kinds)


class _Digester:
    """Hashes a graph of values. A value met again inside itself counts by its distance up the path."""

    def __init__(self) -> None:
        self._path: Dict[int, int] = {}
        self._known: Dict[int, bytes] = {}
        self._alive: List[Any] = []
        self._nodes = 0

    def digest(self, value: Any) -> bytes:
        kind = type(value)
        if kind in _SCALARS:
            return _hash(b"s", kind.__name__.encode(), _scalar(value))
        key = id(value)
        known = self._known.get(key)
        if known is not None:
            return known
        if key in self._path:
            return _hash(b"up", str(len(self._path) - self._path[key]).encode())
        self._nodes += 1
        if self._nodes > _MOST_NODES or len(self._path) > _MOST_DEPTH:
            return _hash(b"beyond", type_name(value).encode())
        self._path[key] = len(self._path)
        try:
            result = _hash(b"v", type_name(value).encode(), *self._parts(value))
        finally:
            del self._path[key]
        self._known[key] = result
        self._alive.append(value)
        return result

    def _parts(self, value: Any) -> Iterator[bytes]:
        flat = _flat(value)
        if flat is not None:
            yield flat
            return
        if _is(value, dict):
            for key, item in list(dict.items(value)):
                yield self.digest(key) + self.digest(item)
        elif _is(value, (list, tuple)) or type_name(value) == "collections.deque":
            for item in list(value):
                yield self.digest(item)
        elif _is(value, (set, frozenset)):
            yield from sorted(self.digest(item) for item in list(value))
        elif _is(value, (bytearray, memoryview)):
            yield bytes(value)
        for part in _special(value):
            yield self.digest(part)
        if not _is(value, _OPAQUE):
            for name, item in attributes_of(value):
                yield name.encode("utf-8", "surrogatepass") + self.digest(item)


_FLAT_SCALARS = frozenset((type(None), bool, int, float, str))
_PLAIN_CONTAINERS = frozenset((dict, list, tuple))
_PLAIN = _FLAT_SCALARS | _PLAIN_CONTAINERS
_MOST_PLAIN = 20_000
_DEEPEST_PLAIN = 20


def _flat(value: Any) -> Optional[bytes]:
    """All of a container that holds plain data only, or of a generator's state, at once: one hash instead of one for each of
    hundreds of members. Equal values take this way together, so that it needs no likeness to the other one."""
    kind = type(value)
    if kind is random.Random:
        version, words, rest = value.getstate()
        return repr((version, rest)).encode() + array.array("I", words).tobytes()
    if kind not in _PLAIN_CONTAINERS or not _is_plain(value, [_MOST_PLAIN], 0):
        return None
    try:
        return repr(value).encode()
    except ValueError:  # An integer with more digits than Python writes.
        return None


def _is_plain(value: Any, budget: List[int], depth: int) -> bool:
    """Whether a container holds scalars and such containers only; not asked further of a large or deep one."""
    budget[0] -= len(value)
    if budget[0] < 0 or depth > _DEEPEST_PLAIN:
        return False
    members = [*value, *value.values()] if type(value) is dict else value
    kinds = set(map(type, members))
    if kinds <= _FLAT_SCALARS:
        return True
    return kinds <= _PLAIN and all(_is_plain(member, budget, depth + 1) for member in members if type(member) in _PLAIN_CONTAINERS)


_OPAQUE = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.CodeType, enum.Enum, re.Pattern)


def _special(value: Any) -> Tuple[Any, ...]:
    """What stands for a value whose attributes do not."""
    if _is(value, random.Random):
        return (value.getstate(),)
    if _is(value, enum.Enum):
        return (value.name,)
    if _is(value, type):
        return (f"{value.__module__}.{value.__qualname__}",)
    if _is(value, types.ModuleType):
        return (value.__name__,)
    if _is(value, re.Pattern):
        return (value.pattern, value.flags)
    if _is(value, types.FunctionType):
        cells = tuple(_cell(cell) for cell in value.__closure__ or ())
        return (value.__qualname__, value.__code__.co_firstlineno, value.__defaults__, value.__kwdefaults__, cells)
    if _is(value, types.MethodType):
        return (value.__func__, value.__self__)
    if _is(value, (types.BuiltinFunctionType, types.CodeType)):
        return (getattr(value, "__qualname__", value.__class__.__name__),)
    of_numpy = _of_numpy(value)
    if of_numpy is not None:
        return of_numpy
    if _is(value, _SCALARS):
        return (_scalar(value),)
    if not _is(value, (dict, list, tuple, set, frozenset)) and not _has_attributes(value):
        return (_ADDRESS.sub("", short_repr(value)),)
    return ()


def _of_numpy(value: Any) -> Optional[Tuple[Any, ...]]:
    """What stands for a value of numpy's; None for any other, and where the file has put something else in numpy's place."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None
    try:
        if isinstance(value, numpy.ndarray):
            return (str(value.dtype), value.shape, value.tolist())
        if isinstance(value, numpy.generic):
            return (str(value.dtype), value.item())
        if isinstance(value, numpy.random.Generator):
            return (value.bit_generator.state,)
        if isinstance(value, numpy.random.RandomState):
            return (value.get_state(legacy=False),)
    except Exception:
        return None
    return None


def _cell(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _scalar(value: Any) -> bytes:
    if _is(value, str):
        return str.__str__(value).encode("utf-8", "surrogatepass")
    if _is(value, bytes):
        return value
    if _is(value, int):
        return hex(value).encode()
    return repr(value).encode()


def _hash(*parts: bytes) -> bytes:
    lengths = b"".join([len(part).to_bytes(8, "big") for part in parts])
    return hashlib.blake2b(b"".join((len(parts).to_bytes(8, "big"), lengths, *parts)), digest_size=16).digest()


def _has_attributes(value: Any) -> bool:
    return hasattr(type(value), "__slots__") or isinstance(getattr(value, "__dict__", None), dict)


def attributes_of(value: Any) -> List[Tuple[str, Any]]:
    """Attributes of an instance, from its dict and its slots, by name in order."""
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        own = {}
    found = {name: item for name, item in own.items() if isinstance(name, str)} if isinstance(own, dict) else {}
    for cls in type(value).__mro__:
        if "__slots__" not in cls.__dict__:
            continue
        # Not by what ``__slots__`` says: private names are kept under others, and an iterator is empty by now.
        for name, slot in list(vars(cls).items()):
            if type(slot) is types.MemberDescriptorType:
                try:
                    found.setdefault(name, slot.__get__(value, cls))
                except AttributeError:
                    continue
    return sorted(found.items())


def _leaves(path: str, value: Any, depth: int, digester: _Digester) -> Iterator[Tuple[str, str]]:
    """Paths and short texts of what a reader can tell apart; a long or deep part is one leaf."""
    if depth < 6:
        if type(value) is dict and 0 < len(value) <= 100:
            for key, item in list(value.items()):
                yield from _leaves(f"{path}[{short_repr(key, 40)}]", item, depth + 1, digester)
            return
        if type(value) in (list, tuple) and 0 < len(value) <= 60 and any(type(item) not in _SCALARS for item in value):
            for index, item in enumerate(value):
                yield from _leaves(f"{path}[{index}]", item, depth + 1, digester)
            return
        if not _is(value, (*_SCALARS, *_OPAQUE, dict, list, tuple, set, frozenset, random.Random)):
            own = attributes_of(value)
            if own:
                for name, item in own:
                    yield from _leaves(f"{path}.{name}", item, depth + 1, digester)
                return
    yield path, _leaf_text(value, digester)


def _leaf_text(value: Any, digester: _Digester) -> str:
    if _is(value, random.Random):
        return f"Random({digester.digest(value).hex()[:12]})"
    if _is(value, (set, frozenset)):
        members = ", ".join(sorted(_leaf_text(item, digester) for item in value))
        text = f"{type_name(value)}({{{members}}})"
    elif _is(value, types.FunctionType):
        text = f"function {value.__qualname__}"
    else:
        text = short_repr(value, 4 * _LEAF_CHARS)
        if " at 0x" in text:
            text = _ADDRESS.sub("", text)
    return text if len(text) <= _LEAF_CHARS else text[: _LEAF_CHARS - 1] + "…"


_SHARED = frozenset((list, dict, set, collections.deque, collections.defaultdict, collections.Counter, collections.OrderedDict))


def shared_state(instance: Any) -> List[Tuple[str, Any]]:
    """Lists, dicts, sets and their like that the classes of the instance's own module hold for all instances, as ``Class.name``."""
    module = type(instance).__module__
    return [
        (f"{cls.__name__}.{name}", value)
        for cls in type(instance).__mro__
        if cls.__module__ == module
        for name, value in sorted(vars(cls).items())
        if type(value) in _SHARED and not name.startswith("__")
    ]


def _digest_of(own: List[Tuple[str, Any]], digester: _Digester) -> bytes:
    """One hash of named values. Those that hold plain data only are hashed together: most states are nearly all of them."""
    plain, others = [], []
    for name, value in own:
        kind = type(value)
        is_plain = kind in _FLAT_SCALARS or (kind in _PLAIN_CONTAINERS and _is_plain(value, [_MOST_PLAIN], 0))
        (plain if is_plain and type(name) is str else others).append((name, value))
    try:
        together = repr(plain).encode()
    except ValueError:  # An integer with more digits than Python writes.
        together, others = b"", own
    return _hash(together, *(name.encode("utf-8", "surrogatepass") + digester.digest(value) for name, value in others))


def snapshot(instance: Any, told: Optional[Told] = None) -> Any:
    """A ``SnapshotResult`` of the instance's attributes and of what its classes share; as its number where the plan numbers what it has
    ``told``: states with one digest have the same values."""
    own = attributes_of(instance) + shared_state(instance)
    digester = _Digester()
    digest = _digest_of(own, digester).hex()
    number = None if told is None else told.number(("snapshot", digest))
    if number is not None:
        return number
    values: Dict[str, str] = {}
    for name, value in own:
        for path, text in _leaves(name, value, 0, digester):
            if len(values) >= limits.SNAPSHOT_PATHS:
                break
            values[path] = text
    result = {"kind": "snapshot", "digest": digest, "values": values}
    return result if told is None else told.tell(("snapshot", digest), result, 0)
