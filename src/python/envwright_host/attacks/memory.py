"""Executable memory and the memory of others."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from typing import Optional

from .processes import _raw
from .registry import attack

_PROT_ALL = 7
_PAGE = 4096


@attack("memory")
def map_executable_memory() -> Optional[str]:
    mmap.mmap(-1, _PAGE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    return "mapped" if sys.platform == "linux" else None


@attack("memory")
def make_memory_executable() -> Optional[str]:
    memory = mmap.mmap(-1, _PAGE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return _raw(10, 226, address, _PAGE, _PROT_ALL)


@attack("memory")
def make_memory_executable_with_a_key() -> Optional[str]:
    memory = mmap.mmap(-1, _PAGE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return _raw(329, 288, address, _PAGE, _PROT_ALL, -1)


@attack("memory")
def load_a_library() -> Optional[str]:
    return f"loaded {ctypes.CDLL('libutil.so.1')._name}"


@attack("memory")
def write_own_memory_by_proc() -> Optional[str]:
    with open("/proc/self/mem", "r+b"):
        return "opened /proc/self/mem"


@attack("memory")
def read_the_parents_memory() -> Optional[str]:
    return _raw(310, 270, os.getppid(), 0, 0, 0, 0, 0)


@attack("memory")
def write_the_parents_memory() -> Optional[str]:
    return _raw(311, 271, os.getppid(), 0, 0, 0, 0, 0)


@attack("memory")
def trace_the_parent() -> Optional[str]:
    return _raw(101, 117, 0x4206, os.getppid(), 0, 0)


@attack("memory")
def let_itself_be_traced() -> Optional[str]:
    return _raw(101, 117, 0, 0, 0, 0)


@attack("memory")
def share_memory_by_name() -> Optional[str]:
    from multiprocessing import shared_memory

    shared = shared_memory.SharedMemory(create=True, size=16)
    shared.close()
    shared.unlink()
    return "made shared memory"


@attack("memory")
def share_memory_of_system_v() -> Optional[str]:
    return _raw(29, 194, 0, _PAGE, 0o1600)


@attack("memory")
def lock_memory() -> Optional[str]:
    return _raw(151, 230, 1)


@attack("memory")
def raise_own_limits() -> Optional[str]:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return "no limit any more" if sys.platform == "linux" else None
