"""Attacks that every sandbox must withstand, tried from within a session before the sandbox is used.

An attack returns a short text that says what it reached, or returns None, or raises: then it reached nothing. None of
them does harm where it succeeds: it asks for the door, it does not go through. Attacks that end a session (floods, endless
loops, crashes) are not here but in the tests, for the self-test goes on after each.
"""

from __future__ import annotations

from typing import List

from . import embedded, files, kernel, memory, network, processes, signals
from .registry import ATTACKS, Attack

__all__ = ["ATTACKS", "Attack", "groups"]

_LOADED = (files, processes, network, memory, signals, kernel, embedded)


def groups() -> List[str]:
    """Names of the groups, in order."""
    return list(dict.fromkeys(attack.group for attack in ATTACKS))
