"""One session's process, from the fork to its end. Never returns.

The worker thread owns the protocol, because nearly all work runs there, as in the run; the main thread waits for what
is asked of it. Each binds itself to the walls before either of them reads a request.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import threading
from dataclasses import dataclass
from typing import Any, Callable, Dict, Optional

from ..executor import Executor, T
from ..frames import FrameReader, encode_frame
from ..greeting import greeting
from ..session import Session
from . import kernel
from .containment import SessionWalls, limit_session

_CONNECTION, _RULESET = 3, 4
_ABOVE_STANDARD = 100
_WORKER_STACK = 16 * 1024 * 1024

EXIT_NOT_CONTAINED = 70
"""Exit code of a session that could not be contained and therefore ran nothing."""


@dataclass
class Birth:
    """What a session is given at its fork."""

    connection: int
    null: int
    walls: SessionWalls
    address_space: int
    cpu_seconds: int
    observation_chars: int
    packages: Dict[str, Optional[str]]


class _TwoThreads(Executor):
    """Runs work on the worker, which calls it, or hands it to the waiting main thread."""

    def __init__(self) -> None:
        self._asked = threading.Lock()
        self._done = threading.Lock()
        self._asked.acquire()
        self._done.acquire()
        self._work: Callable[[], Any] = lambda: None
        self._value: Any = None
        self._error: Optional[BaseException] = None

    def run(self, thread: str, work: Callable[[], T]) -> T:
        if thread != "main":
            return work()
        self._work = work
        self._asked.release()
        self._done.acquire()
        error, self._error = self._error, None
        if error is not None:
            raise error
        return self._value

    def serve_main(self) -> None:
        """What the main thread does for the rest of its life."""
        while True:
            try:
                self._asked.acquire()
            except BaseException:
                continue
            try:
                self._value = self._work()
            except BaseException as error:
                self._error = error
            self._done.release()


def serve(birth: Birth) -> None:
    """Becomes a contained session and serves it to its end."""
    try:
        walls = _arrange_descriptors(birth)
        executor = _TwoThreads()
        contained = {"worker": threading.Event(), "main": threading.Event()}
        threading.stack_size(_WORKER_STACK)
        worker = threading.Thread(target=_worker, args=(birth, walls, executor, contained), daemon=True)
        worker.start()
        contained["worker"].wait()
        kernel.die_with_parent()
        limit_session(birth.address_space, birth.cpu_seconds)
        walls.apply_to_thread()
        os.close(_RULESET)
        contained["main"].set()
    except BaseException:
        os._exit(EXIT_NOT_CONTAINED)
    executor.serve_main()


def _arrange_descriptors(birth: Birth) -> SessionWalls:
    """Leaves the connection and the rule set at fixed places and nothing else; standard streams lead nowhere."""
    connection = fcntl.fcntl(birth.connection, fcntl.F_DUPFD, _ABOVE_STANDARD)
    ruleset = fcntl.fcntl(birth.walls.ruleset, fcntl.F_DUPFD, _ABOVE_STANDARD)
    for stream in (0, 1, 2):
        os.dup2(birth.null, stream)
    os.dup2(connection, _CONNECTION)
    os.dup2(ruleset, _RULESET)
    os.closerange(_RULESET + 1, _ABOVE_STANDARD + 1024)
    return SessionWalls(_RULESET, birth.walls.filter, birth.walls.layers)


def _worker(birth: Birth, walls: SessionWalls, executor: _TwoThreads, contained: Dict[str, threading.Event]) -> None:
    try:
        walls.apply_to_thread()
        contained["worker"].set()
        contained["main"].wait()
    except BaseException:
        os._exit(EXIT_NOT_CONTAINED)
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    _send(greeting(list(walls.layers), birth.packages))
    session = Session(_send, executor, birth.observation_chars)
    reader = FrameReader(lambda: os.read(_CONNECTION, 65536))
    while True:
        try:
            request = reader.next()
        except (OSError, ValueError):
            break
        if request is None:
            break
        _send(session.handle(request))
    os._exit(0)


def _send(frame: Dict[str, Any]) -> None:
    """Writes a frame wholly; the other side gone means the end."""
    data = encode_frame(frame)
    try:
        while data:
            data = data[os.write(_CONNECTION, data) :]
    except OSError:
        os._exit(0)


def forget_signals() -> None:
    """Gives a fork the default signal handling that its parent had replaced."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)

