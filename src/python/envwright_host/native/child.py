"""One session's process, from the fork to its end. Never returns.

The worker thread owns the protocol, because nearly all work runs there, as in the run; the main thread waits for what
is asked of it. Each binds itself to the walls before either of them reads a request.
"""

from __future__ import annotations

import _thread
import fcntl
import os
import random
import select
import signal
import sys
import threading
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Callable, Dict, Optional

from .. import limits
from ..executor import Executor, T
from ..frames import FrameReader, encode_frame
from ..greeting import greeting
from ..rehearsal import rehearse, rehearsed_session
from . import kernel
from .containment import SessionWalls, limit_session

_CONNECTION, _RULESET = 3, 4
_ABOVE_STANDARD = 100
_WORKER_STACK = 16 * 1024 * 1024
_MOST_LOOKING = 200
_UNASKED_MS = 50
"""A session that has not been asked anything for so long is one that waits."""

EXIT_NOT_CONTAINED = 70
"""Exit code of a session that could not be contained and therefore ran nothing."""


@dataclass
class Birth:
    """What a session is given at its fork."""

    connection: int
    address_space: int
    cpu_seconds: int
    observation_chars: int
    waits: bool
    """Whether it is kept ready and not wanted yet."""


class TwoThreads(Executor):
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


class Prepared:
    """What every session of a zygote has alike: made once before the forks, which then share its memory and need no time to make it.

    ``null`` is an open descriptor of the null device. A fork calls :meth:`serve` once.
    """

    def __init__(self, null: int, walls: SessionWalls, packages: Dict[str, Optional[str]]) -> None:
        self._null = null
        self._walls = walls
        self._executor = TwoThreads()
        self._session = rehearsed_session(self._executor, limits.OBSERVATION_CHARS)
        self._greeting = encode_frame(greeting(list(walls.layers), packages))
        self._stdin = open(0, encoding="utf-8", closefd=False)
        self._worker_is_contained = threading.Event()
        self._main_is_contained = threading.Event()
        self._birth = Birth(-1, 0, 0, 0, False)
        poll = select.poll()
        poll.register(_CONNECTION, select.POLLIN)
        self._poll = poll.poll

    def serve(self, birth: Birth) -> None:
        """Becomes a contained session and serves it to its end."""
        try:
            self._birth = birth
            self._arrange_descriptors()
            threading.stack_size(_WORKER_STACK)
            _thread.start_new_thread(self._work, ())
            self._worker_is_contained.wait()
            kernel.die_with_parent()
            limit_session(birth.address_space, birth.cpu_seconds)
            self._walls.apply_to_thread(_RULESET)
            os.close(_RULESET)
            self._main_is_contained.set()
        except BaseException:
            os._exit(EXIT_NOT_CONTAINED)
        self._executor.serve_main()

    def _arrange_descriptors(self) -> None:
        """Leaves the connection and the rule set at fixed places and nothing else; standard streams lead nowhere."""
        connection = fcntl.fcntl(self._birth.connection, fcntl.F_DUPFD, _ABOVE_STANDARD)
        ruleset = fcntl.fcntl(self._walls.ruleset, fcntl.F_DUPFD, _ABOVE_STANDARD)
        for stream in (0, 1, 2):
            os.dup2(self._null, stream)
        os.dup2(connection, _CONNECTION)
        os.dup2(ruleset, _RULESET)
        os.closerange(_RULESET + 1, _ABOVE_STANDARD + 1024)

    def _work(self) -> None:
        """What the worker thread does for the rest of its life."""
        try:
            self._walls.apply_to_thread(_RULESET)
            self._worker_is_contained.set()
            self._main_is_contained.wait()
        except BaseException:
            os._exit(EXIT_NOT_CONTAINED)
        random.seed()
        sys.stdin = self._stdin
        _write(self._greeting)
        if self._birth.waits:
            self._make_own()
        self._session.begin(_send, self._birth.observation_chars)
        try:
            self._answer()
        except BaseException:
            # The environment has broken what answers are made with; without this the process would hang until its time is over.
            os._exit(1)
        os._exit(0)

    def _make_own(self) -> None:
        """Writes, before anybody asks, to the memory that is the zygote's until it is written to: that takes longer than many files do themselves."""
        if not self._poll(_UNASKED_MS):
            rehearse(self._session, self._birth.observation_chars, lambda: bool(self._poll(0)))

    def _answer(self) -> None:
        """Answers requests until no more come."""
        reader = FrameReader(lambda: os.read(_CONNECTION, 65536))
        while True:
            try:
                request = reader.next()
            except (OSError, ValueError):
                return
            if request is None:
                return
            _send(self._session.handle(request))
            if "lookUs" in request:
                self._look(request["lookUs"])

    def _look(self, microseconds: int) -> None:
        """Waits for the next request without sleeping, for so long at most: waking a processor takes longer than a short step."""
        until = perf_counter() + min(microseconds, _MOST_LOOKING) / 1e6
        while not self._poll(0) and perf_counter() < until:
            pass


def _send(frame: Dict[str, Any]) -> None:
    _write(encode_frame(frame))


def _write(data: bytes) -> None:
    """Writes a frame wholly; the other side gone means the end."""
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

