"""What a batched plan has said: each result crosses once in full and gets a number, and from then on the number stands for it.

Environments say the same again and again: the same task after each reset with a seed, the same reply to whatever is wrong. Telling
that as a number costs neither the making of its wire form nor the bytes, and the other side reads it once.
"""

from __future__ import annotations

from typing import Any, Dict, Hashable, List, Optional, Tuple

from . import limits
from .wire import wire_text, wire_value

Json = Dict[str, Any]
_NO_INFO: Tuple[str, Json] = ("{}", wire_value({}))


class Told:
    """Numbers results by what they hold, in the order in which they are told."""

    def __init__(self, text_size: int) -> None:
        self._text_size = text_size
        self._numbers: Dict[Hashable, int] = {}
        self._count = 0
        self._room = limits.TOLD_CHARS
        self._fresh: List[Json] = []
        self.waiting = 0
        """Code points of texts that were told and have not been taken."""

    def take(self) -> List[Json]:
        """What has been told since this was last asked."""
        fresh, self._fresh, self.waiting = self._fresh, [], 0
        return fresh

    def number(self, key: Hashable) -> Optional[int]:
        """The number of what was told under a key. Keys must tell apart whatever differs in its wire form."""
        return self._numbers.get(key)

    def tell(self, key: Hashable, entry: Json, size: int) -> int:
        """Tells an entry and gives its number. What was told long ago is forgotten here, and is told anew when it comes again: keys
        hold texts, of which a session that is near its limit of memory cannot keep all."""
        self.waiting += size
        self._room -= size
        if self._room < 0:
            self._numbers.clear()
            self._room = limits.TOLD_CHARS - size
        number = self._numbers[key] = self._count
        self._count += 1
        self._fresh.append(entry)
        return number

    def numbered(self, key: Hashable, entry: Json) -> int:
        """The number of a small entry, which is told where it is new."""
        number = self._numbers.get(key)
        return self.tell(key, entry, 0) if number is None else number

    def reset(self, observation: Any, info: Any) -> Optional[int]:
        """The number of an ordinary ``ResetResult``, which has a text and plain info; None for any other."""
        if type(observation) is not str:
            return None
        plain = _plain_info(info)
        if plain is None:
            return None
        key = ("reset", observation, plain[0])
        number = self._numbers.get(key)
        if number is not None:
            return number
        entry = {"kind": "reset", "observation": wire_text(observation, self._text_size), "info": plain[1], "shape": None, "ms": 0}
        return self.tell(key, entry, len(observation) + len(plain[0]))

    def step(self, observation: Any, reward: Any, end: Optional[str], info: Any) -> Optional[int]:
        """The number of an ordinary step: a text, a finite number, flags that are bools (``end`` is None where they are not) and plain
        info; None for any other."""
        if end is None or type(observation) is not str or type(reward) not in (float, int) or not -1e15 < reward < 1e15:
            return None
        plain = _NO_INFO if type(info) is dict and not info else _plain_info(info)
        if plain is None:
            return None
        # Zeros are equal whatever their sign, and their texts are not.
        key = ("step", observation, type(reward), reward or repr(reward), end, plain[0])
        number = self._numbers.get(key)
        if number is not None:
            return number
        if len(observation) <= self._text_size and observation.isascii():
            entry: Json = {"kind": "plain", "step": [observation, repr(reward), end, 0, *([plain[1]] if info else [])]}
        else:
            entry = {
                "kind": "step", "action": "", "observation": wire_text(observation, self._text_size), "reward": wire_value(reward),
                "terminated": wire_value(end in "tb"), "truncated": wire_value(end in "ub"), "info": plain[1], "shape": None, "ms": 0,
            }
        return self.tell(key, entry, len(observation) + len(plain[0]))


def _plain_info(info: Any) -> Optional[Tuple[str, Json]]:
    """Whole ``repr`` and wire form of a dict that JSON holds without loss, which the ``repr`` then tells apart; None for anything else."""
    if type(info) is not dict:
        return None
    if not info:
        return _NO_INFO
    wire = wire_value(info)
    return (wire["repr"], wire) if "json" in wire and len(wire["repr"]) < limits.REPR_CHARS else None
