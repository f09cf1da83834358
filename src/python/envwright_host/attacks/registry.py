"""Where attacks register themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, List, Optional

Try = Callable[[], Optional[str]]


@dataclass(frozen=True)
class Attack:
    """One attack: what it aims at, its name, and the attempt."""

    group: str
    name: str
    attempt: Try

    def reached(self) -> Optional[str]:
        """What it reached, None when nothing."""
        try:
            result = self.attempt()
        except BaseException:
            return None
        return str(result)[:200] if result else None


ATTACKS: List[Attack] = []


def attack(group: str) -> Callable[[Try], Try]:
    """Registers a function under its name in a group."""

    def register(attempt: Try) -> Try:
        ATTACKS.append(Attack(group, attempt.__name__, attempt))
        return attempt

    return register
