"""The layers in order: what the zygote puts on itself before it imports any package, and what each session adds."""

from __future__ import annotations

import os
import resource
import sys
from dataclasses import dataclass
from typing import Callable, List, Optional, Sequence

from . import interpreter, kernel, landlock, seccomp

LAYERS = ("namespaces", "private-root", "no-new-privileges", "landlock", "seccomp", "rlimits")
"""Names of the layers, as sessions greet with them."""

SEATBELT_LAYERS = ("seatbelt", "rlimits")
"""The layers where a profile of macOS binds the zygote and all its forks from outside."""

_NAMESPACES = ("user", "net", "ipc", "uts", "pid", "cgroup")
"""The mounts follow with the private root, so that the process that only waits keeps its view of the files."""
_SESSION_DESCRIPTORS = 64


class LayerFault(Exception):
    """A layer cannot be had here; nothing may run without it."""

    def __init__(self, layer: str, error: BaseException) -> None:
        super().__init__(f"{layer}: {error}")
        self.layer = layer
        self.reason = str(error)


def _layer(name: str, apply: Callable[[], None]) -> None:
    try:
        apply()
    except (OSError, ValueError) as error:
        raise LayerFault(name, error) from error


def enter_namespaces(given: bool) -> None:
    """New namespaces for everything but the mounts; ``given`` when an outer wall has made them."""
    if not given:
        _layer("namespaces", lambda: kernel.enter_namespaces(_NAMESPACES))


@dataclass
class SessionWalls:
    """What a session's threads need to contain themselves, made ready once by the zygote."""

    ruleset: int
    filter: Optional[seccomp.Filter]
    layers: Sequence[str] = LAYERS

    def apply_to_thread(self, ruleset: int) -> None:
        """Binds the calling thread, by the rule set at this descriptor. Every thread of a session must call it: both layers bind one thread only."""
        if self.filter is None:
            return
        kernel.forbid_new_privileges()
        landlock.restrict_thread(ruleset)
        kernel.install_seccomp(self.filter.program)


def contain_zygote(empty_folder: str, packages: Sequence[str], given: bool) -> SessionWalls:
    """Contains this process and makes the sessions' walls. After it nothing outside can be read, written or reached."""
    libraries = interpreter.library_folders()
    while_preloading = [*libraries, *packages, *interpreter.shared_library_folders(), interpreter.ZONEINFO]
    for_sessions = [*libraries, *packages, interpreter.ZONEINFO]
    if not given:
        _layer("private-root", lambda: kernel.enter_private_root(empty_folder, while_preloading, [os.devnull]))
    _layer("rlimits", lambda: _limit(resource.RLIMIT_CORE, 0))
    _layer("rlimits", lambda: _limit(resource.RLIMIT_FSIZE, 0))
    _layer("namespaces", kernel.drop_capabilities)
    _layer("no-new-privileges", kernel.forbid_new_privileges)
    _layer("no-new-privileges", kernel.forbid_inspection)
    walls: List[SessionWalls] = []

    def lock() -> None:
        walls.append(SessionWalls(landlock.create_ruleset(for_sessions, [os.devnull]), seccomp.session_filter()))
        landlock.restrict_thread(landlock.create_ruleset(while_preloading, [os.devnull]))

    _layer("landlock", lock)
    _layer("seccomp", lambda: kernel.install_seccomp(_keep(seccomp.zygote_filter()).program))
    return walls[0]


def contain_in_seatbelt() -> SessionWalls:
    """For a process that a profile already binds, with all that it will fork: nothing is left to do but the limits."""
    _layer("rlimits", lambda: _limit(resource.RLIMIT_CORE, 0))
    _layer("rlimits", lambda: _limit(resource.RLIMIT_FSIZE, 0))
    return SessionWalls(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC), None, SEATBELT_LAYERS)


_kept: List[seccomp.Filter] = []


def _keep(made: seccomp.Filter) -> seccomp.Filter:
    """Keeps the filter's memory for as long as the process lives."""
    _kept.append(made)
    return made


def _limit(what: int, most: int) -> None:
    resource.setrlimit(what, (most, most))


class MemoryGauge:
    """Address space of the zygote, read by a descriptor opened before ``/proc`` went out of reach."""

    def __init__(self) -> None:
        self._descriptor: Optional[int] = None
        try:
            self._descriptor = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            pass

    def bytes(self) -> int:
        if self._descriptor is None:
            return 512 * 1024 * 1024
        return int(os.pread(self._descriptor, 256, 0).split()[0]) * resource.getpagesize()


def limit_session(address_space: int, cpu_seconds: int) -> None:
    """Limits this process for good: address space in bytes, CPU time, files, processes, descriptors, locks.

    macOS knows no limit of the address space; the sandbox there says so.
    """
    for what in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
        try:
            _limit(what, address_space)
        except (OSError, ValueError):
            if sys.platform != "darwin":
                raise
    for what, most in (
        (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0), (resource.RLIMIT_NOFILE, _SESSION_DESCRIPTORS), (resource.RLIMIT_MEMLOCK, 0),
    ):
        _limit(what, most)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
