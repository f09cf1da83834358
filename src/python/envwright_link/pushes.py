"""What an inbox file may hold."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass
from typing import Any, Dict, Optional

MAX_FILE_BYTES = 4 * 1024 * 1024
"""A push larger than this is refused unread."""

_ADD_KEYS = {"game_file": str, "skill": str, "game_code": str, "metadata": dict}


class RefusedPush(ValueError):
    """An inbox file that cannot be used; its text says why."""


@dataclass(frozen=True)
class Push:
    """One request: ``add`` brings a record (``record`` holds the arguments of the buffer's own ``add``), ``remove`` takes one back."""

    id: str
    action: str
    record: Optional[Dict[str, Any]]


def read_push(path: str) -> Push:
    """Reads and checks one inbox file; raises :class:`RefusedPush` for anything that is not exactly a push."""
    if os.path.getsize(path) > MAX_FILE_BYTES:
        raise RefusedPush(f"larger than {MAX_FILE_BYTES} bytes")
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise RefusedPush(f"not JSON: {error}") from error
    if not isinstance(value, dict) or value.get("version") != 1:
        raise RefusedPush("not a push of version 1")
    identifier, action = value.get("id"), value.get("action")
    if not isinstance(identifier, str) or not identifier or not all(c.isalnum() or c == "-" for c in identifier):
        raise RefusedPush("id must be letters, digits and dashes")
    if action == "remove":
        return Push(identifier, action, None)
    if action != "add":
        raise RefusedPush("action must be add or remove")
    return Push(identifier, action, _record(identifier, value.get("record")))


def _record(identifier: str, value: Any) -> Dict[str, Any]:
    if not isinstance(value, dict):
        raise RefusedPush("record must be an object")
    wanted = {*_ADD_KEYS, "actor_win_rate", "regret", "rollout_id"}
    if set(value) != wanted:
        raise RefusedPush(f"record must have exactly the keys {', '.join(sorted(wanted))}")
    for key, kind in _ADD_KEYS.items():
        if not isinstance(value[key], kind):
            raise RefusedPush(f"{key} must be of type {kind.__name__}")
    for key in ("actor_win_rate", "regret"):
        number = value[key]
        if isinstance(number, bool) or not isinstance(number, (int, float)) or not math.isfinite(number):
            raise RefusedPush(f"{key} must be a finite number")
    if isinstance(value["rollout_id"], bool) or not isinstance(value["rollout_id"], int):
        raise RefusedPush("rollout_id must be an integer")
    mark = value["metadata"].get("envwright")
    if not isinstance(mark, dict) or mark.get("push") != identifier:
        raise RefusedPush("metadata.envwright.push must be the id, so that the push can be found again")
    return {**value, "actor_win_rate": float(value["actor_win_rate"]), "regret": float(value["regret"])}


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


def push_of(record: Any) -> Optional[str]:
    """The push that brought a record of the buffer, None for the run's own records."""
    metadata = getattr(record, "metadata", None)
    mark = metadata.get("envwright") if isinstance(metadata, dict) else None
    found = mark.get("push") if isinstance(mark, dict) else None
    return found if isinstance(found, str) else None
