"""On which thread environment code runs.

The run loads, resets and steps on worker threads (run contract §2.8), where signal handlers cannot be set. A sandbox
with threads gives both; one without gives the worker's behaviour by refusing those calls as they are refused there.
"""

from __future__ import annotations

import signal
from typing import Any, Callable, TypeVar

T = TypeVar("T")


class Executor:
    """Runs a callable on the thread named ``worker`` or ``main`` and gives its value or raises its exception."""

    def run(self, thread: str, work: Callable[[], T]) -> T:
        raise NotImplementedError


class InlineExecutor(Executor):
    """For an interpreter with one thread: everything runs at once, and ``worker`` work cannot set signal handlers."""

    def __init__(self) -> None:
        self._off_main_thread = False
        for name in ("signal", "set_wakeup_fd"):
            if hasattr(signal, name):
                setattr(signal, name, self._guarded(getattr(signal, name)))

    def run(self, thread: str, work: Callable[[], T]) -> T:
        before = self._off_main_thread
        self._off_main_thread = thread == "worker"
        try:
            return work()
        finally:
            self._off_main_thread = before

    def _guarded(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*arguments: Any, **named: Any) -> Any:
            if self._off_main_thread:
                raise ValueError("signal only works in main thread of the main interpreter")
            return function(*arguments, **named)

        return guarded
