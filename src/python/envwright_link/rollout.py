"""The rollout function that the launch line names: the link's work first, then the run's own function, unchanged."""

from __future__ import annotations

import importlib
import logging
import os
from typing import Any, Callable, Optional

from .folders import LinkFolder
from .heartbeat import Heartbeat
from .watch import Watch

log = logging.getLogger("envwright_link")

ROLLOUT_VARIABLE = "ENVWRIGHT_LINK_ROLLOUT"
"""Environment variable that names another rollout function to wrap, as a dotted path."""

DEFAULT_ROLLOUT = "spade.slime.spade_rollout.spade_generate_rollout"
"""The run's own rollout function (run contract §9)."""

MEMORY_CLASS = "spade.core.env_memory.EnvironmentMemory"

_watch = Watch()
_heartbeat = Heartbeat()


def generate(args: Any, rollout_id: int, data_source: Any, evaluation: bool = False) -> Any:
    """Called by the trainer for every rollout. Pushes are taken before the run's function, which samples and saves the buffer."""
    rollout = _resolve(os.environ.get(ROLLOUT_VARIABLE) or DEFAULT_ROLLOUT)
    if not evaluation:
        try:
            _before(args, rollout_id, rollout)
        except Exception:
            log.exception("the link did nothing in rollout %s", rollout_id)
    return rollout(args, rollout_id, data_source, evaluation=evaluation)


def _before(args: Any, rollout_id: int, rollout: Callable[..., Any]) -> None:
    cache_dir = getattr(args, "spade_cache_dir", None)
    if not cache_dir:
        log.warning("the run has no cache folder: nothing to link")
        return
    folder = LinkFolder.of_run(os.fspath(cache_dir))
    inbox = _watch.follow(folder, rollout_id)
    _heartbeat.count()
    memory: Optional[Any] = getattr(importlib.import_module(rollout.__module__), "_ENV_MEMORY", None)
    _step("the buffer could not be watched", lambda: _watch.install(type(memory) if memory is not None else _resolve(MEMORY_CLASS)))
    if memory is not None:
        # Before the first rollout there is no buffer, and the file is the place: the inbox waits.
        _step("pushes could not be taken", lambda: inbox.take(memory, rollout_id))
    _step("no heartbeat", lambda: _heartbeat.write(folder, args, memory, rollout_id))


def _step(failure: str, work: Callable[[], None]) -> None:
    try:
        work()
    except Exception:
        log.exception(failure)


def _resolve(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)
