"""Python values as they cross to the editor: typed, bounded, and never by guess.

Everything here may be handed hostile objects: a ``repr`` that raises, a class that lies about its name, an integer with
a million digits. Whatever happens, a value crosses as *something* and says what it was; what it raises, and be it ``SystemExit``,
is no answer of the environment.
"""

from __future__ import annotations

import math
import sys
from typing import Any, Dict, Optional

from . import limits

SAFE_INTEGER = 2**53
"""Integers beyond this lose digits as JSON numbers, so only their ``repr`` crosses."""

_EMPTY: Dict[str, Any] = {"type": "dict", "repr": "{}", "json": {}}


class NotPlain(Exception):
    """Raised inside: the value has no lossless JSON form."""


def type_name(value: object) -> str:
    """Name of the value's type, with its module unless it is built in."""
    cls = type(value)
    try:
        name, module = cls.__qualname__, cls.__module__
        if not isinstance(name, str):
            return "?"
        return name if module == "builtins" or not isinstance(module, str) else f"{module}.{name}"
    except BaseException:
        return "?"


def short_repr(value: object, size: int = limits.REPR_CHARS) -> str:
    """``repr``, cut to ``size`` code points; an integer too long for decimal digits is written in hexadecimal."""
    try:
        text = repr(value)
        text = str.__str__(text)
    except RecursionError:
        return f"<{type_name(value)}: nested too deeply>"
    except ValueError as error:
        if isinstance(value, int):
            digits = value.bit_length() // 4
            return f"0x{value >> max(0, 4 * (digits - 60)):x}… ({value.bit_length()} bits)"
        return f"<{type_name(value)}: repr raised {type_name(error)}>"
    except BaseException as error:
        return f"<{type_name(value)}: repr raised {type_name(error)}>"
    return text if len(text) <= size else text[: size - 1] + "…"


def json_number(value: float) -> Any:
    """A float for JSON: itself when finite, else its name."""
    if math.isfinite(value):
        return value
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"


def _number(value: object) -> Any:
    """The JSON number of an int, float, bool or numpy number; None when there is none."""
    if isinstance(value, float):
        return json_number(float(value))
    if isinstance(value, int):
        number = int(value)
        return number if -SAFE_INTEGER <= number <= SAFE_INTEGER else None
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, (numpy.number, numpy.bool_)):
        item = value.item()
        return _number(item) if isinstance(item, (int, float)) else None
    return None


def _plain(value: object, budget: list, depth: int) -> Any:
    """The value itself when JSON holds it without loss. ``budget`` counts down nodes and characters."""
    budget[0] -= 1
    if budget[0] < 0 or depth > 40:
        raise NotPlain
    kind = type(value)
    if kind is str:
        budget[1] -= len(value)  # type: ignore[arg-type]
        if budget[1] < 0:
            raise NotPlain
        return value
    if value is None or kind is bool:
        return value
    if kind is int and -SAFE_INTEGER <= value <= SAFE_INTEGER:  # type: ignore[operator]
        return value
    if kind is float and math.isfinite(value):  # type: ignore[arg-type]
        return value
    if kind is list:
        return [_plain(item, budget, depth + 1) for item in value]  # type: ignore[attr-defined]
    if kind is dict:
        plain = {}
        for key, item in value.items():  # type: ignore[attr-defined]
            if type(key) is not str:
                raise NotPlain
            budget[1] -= len(key)
            plain[key] = _plain(item, budget, depth + 1)
        return plain
    raise NotPlain


def plain_json(value: object) -> Any:
    """The value as JSON holds it without loss; raises :class:`NotPlain` where it does not."""
    return _plain(value, [limits.JSON_NODES, limits.JSON_CHARS], 0)


_BASES = (bool, int, float, str, dict)


def base_name(value: object) -> Optional[str]:
    """The built-in type that the run's ``isinstance`` takes the value for, where it is of a class built on one; else None."""
    kind = type(value)
    if kind in _BASES:
        return None
    return next((base.__name__ for base in _BASES if issubclass(kind, base)), None)


def wire_value(value: object) -> Dict[str, Any]:
    """A ``WireValue``: type, ``repr``, and the number or JSON form where there is one."""
    kind = type(value)
    if kind is dict and not value:
        return _EMPTY
    if kind is bool:
        return {"type": "bool", "repr": "True" if value else "False", "number": int(value), "json": value}  # type: ignore[call-overload]
    if kind is float:
        number = json_number(value)  # type: ignore[arg-type]
        wire = {"type": "float", "repr": repr(value), "number": number}
        if not isinstance(number, str):
            wire["json"] = number
        return wire
    wire = {"type": type_name(value), "repr": short_repr(value)}
    base = base_name(value)
    if base is not None:
        wire["base"] = base
    try:
        number = _number(value)
        if number is not None:
            wire["number"] = number
    except BaseException:
        pass
    try:
        wire["json"] = plain_json(value)
    except BaseException:
        pass
    return wire


def wire_text(value: object, size: int) -> Dict[str, Any]:
    """A ``WireText``: the text itself, or ``str`` of what was no text, cut to ``size`` code points."""
    if type(value) is str:
        text, name = value, "str"
    else:
        name = type_name(value)
        try:
            text = str.__str__(value) if isinstance(value, str) else str.__str__(str(value))
        except BaseException as error:
            text = f"<{name}: str raised {type_name(error)}>"
    length = len(text)
    wire = {"type": name, "text": text if length <= size else text[:size], "length": length, "cut": length > size}
    if name != "str" and isinstance(value, str):
        wire["base"] = "str"
    return wire


def shape_of(value: object) -> Dict[str, Any]:
    """Type and length of a value that has not the shape it should have."""
    length: Optional[int] = None
    if isinstance(value, (tuple, list, dict, str, bytes, set, frozenset)):
        length = len(value)
    return {"type": type_name(value), "length": length}


def lenient_json(value: object, depth: int = 0) -> Any:
    """A JSON form of anything, lossy where it must be: tuples become lists, keys texts, other objects their ``repr``."""
    if isinstance(value, float):
        return json_number(float(value))
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        return str.__str__(value)[: limits.JSON_CHARS]
    if isinstance(value, int) and -SAFE_INTEGER <= value <= SAFE_INTEGER:
        return int(value)
    if depth < 20 and isinstance(value, (list, tuple)):
        return [lenient_json(item, depth + 1) for item in value[: limits.JSON_NODES]]
    if depth < 20 and isinstance(value, dict):
        return {str(key): lenient_json(item, depth + 1) for key, item in list(value.items())[: limits.JSON_NODES]}
    return short_repr(value)
