"""The zygote: contains itself, preloads what environments need, then forks a session for each connection.

Node connects to a socket and sends one frame that says who the session is and what it may use; the fork greets on the
same connection. The zygote's own standard input carries kills and its end, its standard output what became of sessions,
both as JSON lines.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import platform
import select
import signal
import socket
import sys
from typing import Any, Dict, List, Optional

from .. import attacks as _attacks_of_the_self_test  # noqa: F401  loaded now, because sessions cannot read this folder
from ..frames import FrameReader
from ..greeting import loaded_packages
from . import containment, interpreter, kernel, seccomp
from .child import Birth, Prepared, forget_signals
from .containment import LayerFault, MemoryGauge, SessionWalls

_STDLIB_TO_PRELOAD = """
abc array ast base64 binascii bisect builtins bz2 calendar cmath codecs collections collections.abc colorsys contextlib copy csv ctypes dataclasses
datetime decimal difflib enum fractions functools gzip hashlib heapq hmac html inspect io itertools json keyword locale logging lzma math
numbers operator pathlib pickle pprint queue random re secrets select shlex signal socket sqlite3 statistics string struct subprocess tempfile textwrap
threading time timeit traceback types typing unicodedata urllib.parse uuid warnings weakref zlib zoneinfo
""".split()
"""What environments commonly import: loaded once here instead of once a session."""

_HEADER_SECONDS = 5
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes of the unit in which the system tells how much memory a process used at most."""


def _say(line: Dict[str, Any]) -> None:
    os.write(1, (json.dumps(line) + "\n").encode())


def run(config: Dict[str, Any]) -> None:
    """Starts from Node's configuration: ``socket``, ``emptyFolder``, ``executable``, ``preload``, ``outerWall``, ``seatbelt``."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _let_others_finish()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(config["socket"])
    listener.listen(512)
    for name in _STDLIB_TO_PRELOAD:
        _try_import(name)
    outer_wall: bool = config.get("outerWall", False)
    try:
        if not seccomp.supported():
            raise LayerFault("seccomp", OSError(f"the system calls of {platform.machine()} are not known"))
        containment.enter_namespaces(outer_wall)
        _become_first_process(listener, config)
        _Zygote(listener, config, outer_wall).serve()
    except LayerFault as fault:
        _give_up(fault.layer, fault.reason)
    except BaseException as error:
        _give_up("start", f"{type(error).__name__}: {error}")


def _let_others_finish() -> None:
    """Has this process and all its forks take a processor when they wake only once whoever runs on it is done, where the system knows such a
    policy: they have their share of the time all the same, and the editor that asks several of them at once is not put off by the first."""
    if hasattr(os, "SCHED_BATCH"):
        try:
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        except OSError:
            return


def _give_up(layer: str, reason: str) -> None:
    """Says which layer is missing, or that the start failed otherwise, and ends: nothing runs without all of them."""
    _say({"failed": {"layer": layer, "message": reason}})
    os._exit(1)


def _become_first_process(listener: socket.socket, config: Dict[str, Any]) -> None:
    """Forks into the new process namespace; the parent only waits, tidies up and passes the exit code on."""
    try:
        child = os.fork()
    except OSError as error:
        raise LayerFault("namespaces", error) from error
    if child:
        listener.close()
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1):
            os.dup2(null, stream)
        _, status = os.waitpid(child, 0)
        _remove_folder(config)
        os._exit(1 if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
    kernel.die_with_parent()


def _remove_folder(config: Dict[str, Any]) -> None:
    """Removes the socket's folder, for Node may be gone; one that is not as it was made is left alone."""
    try:
        os.unlink(config["socket"])
        os.rmdir(config["emptyFolder"])
        os.rmdir(os.path.dirname(config["socket"]))
    except OSError:
        return


def _try_import(name: str) -> Optional[str]:
    """Imports a module; gives the reason when it is there and cannot be imported."""
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        return None if error.name == name.partition(".")[0] else f"{name}: {error}"
    except BaseException as error:
        return f"{name}: {type(error).__name__}: {error}"
    return None


class _Zygote:
    def __init__(self, listener: socket.socket, config: Dict[str, Any], outer_wall: bool) -> None:
        self._listener = listener
        self._gauge = MemoryGauge()
        self._null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        packages = interpreter.package_folders(config.get("executable"))
        library = [path for path in sys.path if path and path in interpreter.library_folders() and path != config.get("hostFolder")]
        self._walls: SessionWalls = (
            containment.contain_in_seatbelt() if config.get("seatbelt", False) else containment.contain_zygote(config["emptyFolder"], packages, outer_wall)
        )
        sys.path[:] = library
        sys.path_importer_cache.clear()
        for name in interpreter.compiled_modules():
            _try_import(name)
        sys.path[:] = [*library, *packages]
        problems = [problem for problem in map(_try_import, config.get("preload", [])) if problem]
        self._packages = loaded_packages()
        self._sessions: Dict[str, int] = {}
        self._control = b""
        self._wake_read, wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(wake_write, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        self._prepared = Prepared(self._null, self._walls, self._packages)
        gc.collect()
        gc.freeze()
        self._base_bytes = self._gauge.bytes()
        _say({
            "ready": {
                "python": platform.python_version(), "layers": list(self._walls.layers), "packages": self._packages, "problems": problems,
                "baseBytes": self._base_bytes,
            },
        })

    def serve(self) -> None:
        """Forks, kills and reports until standard input ends."""
        poll = select.poll()
        for descriptor in (0, self._wake_read, self._listener.fileno()):
            poll.register(descriptor, select.POLLIN)
        while True:
            for descriptor, _ in poll.poll():
                if descriptor == 0:
                    self._read_control()
                elif descriptor == self._wake_read:
                    self._drain_wakeups()
                else:
                    self._accept()
            self._reap()

    def _drain_wakeups(self) -> None:
        try:
            os.read(self._wake_read, 4096)
        except BlockingIOError:
            pass

    def _read_control(self) -> None:
        data = os.read(0, 65536)
        if not data:
            for pid in self._sessions.values():
                os.kill(pid, signal.SIGKILL)
            os._exit(0)
        *lines, self._control = (self._control + data).split(b"\n")
        for line in lines:
            pid = self._sessions.get(json.loads(line)["kill"])
            if pid is not None:
                os.kill(pid, signal.SIGKILL)

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        with connection:
            connection.settimeout(_HEADER_SECONDS)
            try:
                header = FrameReader(lambda: connection.recv(4096)).next()
            except (OSError, ValueError):
                return
            if header is None:
                return
            connection.setblocking(True)
            birth = self._birth(connection.fileno(), header)
            try:
                pid = os.fork()
            except OSError as error:
                _say({"exit": header["session"], "signal": 0, "code": -1, "cpuSeconds": 0.0, "peakBytes": 0, "note": f"fork: {error}"})
                return
            if pid == 0:
                forget_signals()
                self._prepared.serve(birth)
            self._sessions[header["session"]] = pid

    def _birth(self, connection: int, header: Dict[str, Any]) -> Birth:
        memory = self._base_bytes + int(header["memoryBytes"])
        return Birth(connection, memory, int(header["cpuSeconds"]), int(header["observationChars"]), bool(header["waits"]))

    def _reap(self) -> None:
        while self._sessions:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            names: List[str] = [name for name, known in self._sessions.items() if known == pid]
            for name in names:
                del self._sessions[name]
                _say({
                    "exit": name,
                    "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
                    "code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0,
                    "cpuSeconds": usage.ru_utime + usage.ru_stime,
                    "peakBytes": usage.ru_maxrss * _MAXRSS_UNIT,
                })
