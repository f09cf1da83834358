"""Thin, checked calls into the kernel for what Python's standard library does not offer."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from typing import Any, Iterable

_LIBC = ctypes.CDLL(None, use_errno=True)

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_POSSIBLE_CAPABILITY = 63

_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REMOUNT, _MS_BIND, _MS_REC, _MS_PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
_MNT_DETACH = 2

CLONE_FLAGS = {
    "user": 0x10000000, "mount": 0x00020000, "net": 0x40000000, "ipc": 0x08000000, "uts": 0x04000000, "pid": 0x20000000, "cgroup": 0x02000000,
}

INSIDE_ID = 1000
"""User and group id that the contained processes see."""


def _failed(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")


def syscall(what: str, number: int, *arguments: Any) -> int:
    """A raw system call; raises OSError that names ``what`` was tried."""
    result = _LIBC.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise _failed(what)
    return int(result)


def _prctl(what: str, option: int, *arguments: int) -> None:
    padded = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    if _LIBC.prctl(ctypes.c_int(option), *padded):
        raise _failed(what)


def die_with_parent() -> None:
    """Has the kernel kill this process when its parent thread ends; only Linux can."""
    if sys.platform != "linux":
        return
    _prctl("PR_SET_PDEATHSIG", _PR_SET_PDEATHSIG, 9)


def forbid_new_privileges() -> None:
    """Sets no_new_privs for this thread and all that it starts."""
    _prctl("no_new_privs", _PR_SET_NO_NEW_PRIVS, 1)


def forbid_inspection() -> None:
    """Makes this process and its forks undumpable: no core, no ptrace, no access to its memory by /proc."""
    _prctl("PR_SET_DUMPABLE", _PR_SET_DUMPABLE, 0)


def install_seccomp(program: "ctypes.Structure") -> None:
    """Adds a filter to this thread and all that it starts."""
    if _LIBC.prctl(ctypes.c_int(_PR_SET_SECCOMP), ctypes.c_ulong(_SECCOMP_MODE_FILTER), ctypes.byref(program), ctypes.c_ulong(0), ctypes.c_ulong(0)):
        raise _failed("seccomp")


def drop_capabilities() -> None:
    """Gives up every capability, also for the future."""
    for capability in range(_LAST_POSSIBLE_CAPABILITY + 1):
        if _LIBC.prctl(ctypes.c_int(_PR_CAPBSET_DROP), ctypes.c_ulong(capability), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)):
            break
    _prctl("PR_CAP_AMBIENT", _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0))
    nothing = ctypes.create_string_buffer(24)
    if _LIBC.capset(header, nothing):
        raise _failed("capset")


def enter_namespaces(names: Iterable[str]) -> None:
    """Moves into new namespaces; with ``user`` among them this process is the only user there. ``pid`` counts for the next fork."""
    flags = 0
    for name in names:
        flags |= CLONE_FLAGS[name]
    user, group = os.geteuid(), os.getegid()
    if _LIBC.unshare(ctypes.c_int(flags)):
        raise _failed("unshare")
    if flags & CLONE_FLAGS["user"]:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{INSIDE_ID} {user} 1")
        _write("/proc/self/gid_map", f"{INSIDE_ID} {group} 1")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    arguments = [value.encode("utf-8", "surrogateescape") for value in (source, target, kind)]
    if _LIBC.mount(*arguments, ctypes.c_ulong(flags), data.encode() or None):
        raise _failed(f"mount {target}")


def _bind(source: str, root: str, read_only: bool) -> None:
    """Shows ``source`` at its own path below ``root``."""
    target = root + os.path.abspath(source)
    if os.path.isdir(source):
        os.makedirs(target, 0o755, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), 0o755, exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    _mount(source, target, "none", _MS_BIND | _MS_REC)
    kept = os.statvfs(target).f_flag & (_MS_NOSUID | _MS_NODEV | _MS_NOEXEC | _MS_RDONLY)
    if read_only:
        _mount("none", target, "none", _MS_REMOUNT | _MS_BIND | kept | _MS_RDONLY | _MS_NOSUID | _MS_NODEV)


def enter_private_root(folder: str, read_only: Iterable[str], writable: Iterable[str]) -> None:
    """Replaces the file system by one that holds only the given paths, in a new mount namespace. Needs a new user namespace.

    ``folder`` is any existing empty folder; nothing is written to it on the outside.
    """
    if _LIBC.unshare(ctypes.c_int(CLONE_FLAGS["mount"])):
        raise _failed("unshare of the mounts")
    _mount("none", "/", "none", _MS_REC | _MS_PRIVATE)
    _mount("tmpfs", folder, "tmpfs", _MS_NOSUID | _MS_NODEV, "size=256k,mode=755")
    for name in os.listdir("/"):
        if os.path.islink("/" + name):
            os.symlink(os.readlink("/" + name), os.path.join(folder, name))
    shown: list = []
    for path in sorted(set(map(os.path.abspath, read_only))):
        if os.path.exists(path) and not any(path.startswith(done + "/") for done in shown):
            _bind(os.path.realpath(path) if _through_top_link(path) else path, folder, True)
            shown.append(path)
    for path in writable:
        if os.path.exists(path):
            _bind(path, folder, False)
    os.chdir(folder)
    if _LIBC.pivot_root(b".", b"."):
        raise _failed("pivot_root")
    if _LIBC.umount2(b".", ctypes.c_int(_MNT_DETACH)):
        raise _failed("umount of the old root")
    os.chdir("/")
    _mount("none", "/", "none", _MS_REMOUNT | _MS_BIND | _MS_RDONLY | _MS_NOSUID | _MS_NODEV)


def _through_top_link(path: str) -> bool:
    """True for a path below a link such as ``/lib``, which the new root has as a link too."""
    return os.path.islink("/" + path.split("/")[1])
