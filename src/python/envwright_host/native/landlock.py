"""Landlock: what of the file system, of TCP and of other processes a thread may reach.

A rule set binds only the thread that applies it, and the threads and processes that this one starts afterwards.
"""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Iterable

from . import kernel

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_FIRST_FILE_RIGHTS = (1 << 13) - 1
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_TCP_RIGHTS = 3
_SCOPES = 3
"""Abstract Unix sockets and signals outside the own domain."""


def abi() -> int:
    """Version of the kernel's Landlock interface; raises OSError where there is none."""
    return kernel.syscall("Landlock", _CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_CREATE_RULESET_VERSION))


def create_ruleset(readable: Iterable[str], writable: Iterable[str]) -> int:
    """Descriptor of a rule set: the folders and files of ``readable`` can be read, those of ``writable`` also written to, nothing else.

    Nothing can be executed, made, removed or connected to. A path that does not exist is left out.
    """
    version = abi()
    files = _FIRST_FILE_RIGHTS
    for needed, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEV)):
        if version >= needed:
            files |= right
    attributes = struct.pack("=QQQ", files, _TCP_RIGHTS if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = kernel.syscall("Landlock rule set", _CREATE, attributes, ctypes.c_size_t(size), ctypes.c_uint32(0))
    write = _WRITE_FILE | (_TRUNCATE if version >= 3 else 0)
    for path in readable:
        _allow(ruleset, path, _READ_FILE | _READ_DIR)
    for path in writable:
        _allow(ruleset, path, _READ_FILE | write)
    return ruleset


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(path):
            rights &= ~_READ_DIR
        rule = struct.pack("=Qi", rights, descriptor)
        kernel.syscall(f"Landlock rule for {path}", _ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(descriptor)


def restrict_thread(ruleset: int) -> None:
    """Binds this thread to the rule set. Needs no_new_privs."""
    kernel.syscall("Landlock", _RESTRICT, ruleset, 0)
