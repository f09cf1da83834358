"""Tells the editor that the link is in force, and what the run was started with."""

from __future__ import annotations

import os
import time
from typing import Any, Dict, Optional

from . import VERSION
from .folders import LinkFolder, own, write_json

SETTINGS = (
    "spade_use_env_memory", "spade_env_memory_max_size", "spade_cache_dir", "spade_games_dir", "spade_game_regeneration_interval", "spade_skills",
    "spade_skills_per_regen", "spade_mode", "spade_static_game_pool", "rollout_batch_size", "global_batch_size", "num_rollout",
)
"""The launch arguments that decide what a push does. No others are read: launch lines carry keys."""


class Heartbeat:
    """Counts the rollouts of this process and the time between them."""

    def __init__(self) -> None:
        self.calls = 0
        self._last: Optional[float] = None
        self._every: Optional[float] = None

    def count(self) -> None:
        """Called at the beginning of every rollout."""
        now = time.monotonic()
        self.calls += 1
        if self._last is not None:
            self._every = now - self._last
        self._last = now

    def write(self, folder: LinkFolder, args: Any, memory: Optional[Any], rollout_id: int) -> None:
        """Writes the heartbeat, unless another process has the folder. ``memorySize`` is null while the run has no buffer."""
        folder.make()
        if not own(folder.lock):
            return
        write_json(folder.heartbeat, {
            "version": 1,
            "link": VERSION,
            "pid": os.getpid(),
            "rollout": rollout_id,
            "interval": getattr(args, "spade_game_regeneration_interval", None),
            "memorySize": None if memory is None else len(memory.records),
            "at": time.time(),
            "calls": self.calls,
            "every": self._every,
            "settings": _settings(args),
        })


def _settings(args: Any) -> Dict[str, Any]:
    settings = {}
    for name in SETTINGS:
        if not hasattr(args, name):
            continue
        value = getattr(args, name)
        if value is None or isinstance(value, (bool, int, str)):
            settings[name] = value
        elif isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
            settings[name] = list(value)
    return settings
