"""Seccomp: the system calls that a contained thread may make. What is not listed fails with EPERM.

Two filters: the zygote's, which can still fork, wait and load libraries, and the session's on top of it, which cannot.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from typing import Dict, List, Tuple

_SESSION_CALLS = """
read write close fstat poll lseek mmap mprotect munmap brk rt_sigaction rt_sigprocmask rt_sigreturn pread64 readv writev select
sched_yield mremap madvise dup nanosleep getpid exit uname getcwd readlink gettimeofday getrlimit getrusage sysinfo times getuid getgid
geteuid getegid getppid sigaltstack gettid futex sched_getaffinity getdents64 clock_gettime clock_getres clock_nanosleep exit_group openat
newfstatat readlinkat pselect6 ppoll set_robust_list getrandom statx rseq stat lstat access faccessat faccessat2 restart_syscall
alarm setitimer getitimer
""".split()
"""Reading, memory, time and its timers, signals to oneself by handlers only."""

_ZYGOTE_CALLS = _SESSION_CALLS + """
clone wait4 waitid kill pipe2 accept4 recvfrom sendto getsockname getsockopt getpeername shutdown close_range dup2 dup3 prctl seccomp
prlimit64 setrlimit set_tid_address landlock_create_ruleset landlock_add_rule landlock_restrict_self fcntl getcpu get_mempolicy
""".split()

_X86_64 = dict(
    read=0, write=1, close=3, stat=4, fstat=5, lstat=6, poll=7, lseek=8, mmap=9, mprotect=10, munmap=11, brk=12, rt_sigaction=13,
    rt_sigprocmask=14, rt_sigreturn=15, ioctl=16, pread64=17, readv=19, writev=20, access=21, select=23, sched_yield=24, mremap=25, madvise=28,
    dup=32, dup2=33, nanosleep=35, getitimer=36, alarm=37, setitimer=38, getpid=39, sendto=44, recvfrom=45, shutdown=48, getsockname=51,
    getpeername=52, getsockopt=55, clone=56, exit=60, wait4=61, kill=62, uname=63, fcntl=72, getcwd=79, readlink=89, gettimeofday=96,
    getrlimit=97, getrusage=98, sysinfo=99, times=100, getuid=102, getgid=104, geteuid=107, getegid=108, getppid=110, sigaltstack=131,
    prctl=157, setrlimit=160, gettid=186, futex=202, sched_getaffinity=204, getdents64=217, set_tid_address=218, restart_syscall=219,
    clock_gettime=228, clock_getres=229, clock_nanosleep=230, exit_group=231, get_mempolicy=239, waitid=247, openat=257, newfstatat=262,
    readlinkat=267, faccessat=269, pselect6=270, ppoll=271, set_robust_list=273, accept4=288, dup3=292, pipe2=293, prlimit64=302, getcpu=309,
    seccomp=317, getrandom=318, statx=332, rseq=334, clone3=435, close_range=436, faccessat2=439, landlock_create_ruleset=444,
    landlock_add_rule=445, landlock_restrict_self=446,
)
_AARCH64 = dict(
    getcwd=17, dup=23, dup3=24, fcntl=25, ioctl=29, faccessat=48, openat=56, close=57, pipe2=59, getdents64=61, lseek=62, read=63, write=64,
    readv=65, writev=66, pread64=67, pselect6=72, ppoll=73, readlinkat=78, newfstatat=79, fstat=80, exit=93, exit_group=94, waitid=95,
    set_tid_address=96, futex=98, set_robust_list=99, nanosleep=101, getitimer=102, setitimer=103, clock_gettime=113, clock_getres=114,
    clock_nanosleep=115, sched_getaffinity=123, sched_yield=124, restart_syscall=128, kill=129, sigaltstack=132, rt_sigaction=134,
    rt_sigprocmask=135, rt_sigreturn=139, times=153, uname=160, getrlimit=163, setrlimit=164, getrusage=165, prctl=167, getcpu=168,
    gettimeofday=169, getpid=172, getppid=173, getuid=174, geteuid=175, getgid=176, getegid=177, gettid=178, sysinfo=179, getsockname=204,
    getpeername=205, sendto=206, recvfrom=207, getsockopt=209, shutdown=210, brk=214, munmap=215, mremap=216, clone=220, mmap=222,
    mprotect=226, madvise=233, get_mempolicy=236, accept4=242, wait4=260, prlimit64=261, seccomp=277, getrandom=278, statx=291, rseq=293,
    clone3=435, close_range=436, faccessat2=439, landlock_create_ruleset=444, landlock_add_rule=445, landlock_restrict_self=446,
)
_ARCHITECTURES: Dict[str, Tuple[int, Dict[str, int]]] = {"x86_64": (0xC000003E, _X86_64), "aarch64": (0xC00000B7, _AARCH64)}

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_KILL, _ALLOW, _ERROR = 0x80000000, 0x7FFF0000, 0x00050000
_OFFSET_NUMBER, _OFFSET_ARCHITECTURE = 0, 4
_X32_BIT = 0x40000000
_PROT_EXEC = 4
_FIONBIO = 0x5421
_HARMLESS_FCNTL = (0, 1, 2, 3, 4, 1030)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC: none that lets a signal be sent to another process."""

Instruction = Tuple[int, int, int, int]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


class Filter:
    """A compiled filter; keeps its memory alive for as long as it may be installed."""

    def __init__(self, instructions: List[Instruction]) -> None:
        code = b"".join(struct.pack("=HBBI", *instruction) for instruction in instructions)
        self._memory = ctypes.create_string_buffer(code, len(code))
        self.program = _Program(len(instructions), ctypes.addressof(self._memory))


def supported() -> bool:
    """True where the machine's system call numbers are known."""
    return platform.machine() in _ARCHITECTURES


def _argument(index: int) -> int:
    """Offset of the lower half of an argument."""
    return 16 + 8 * index


def _answer(value: int) -> Instruction:
    return (_RETURN, 0, 0, value)


def _load(offset: int) -> Instruction:
    return (_LOAD, 0, 0, offset)


class _Builder:
    def __init__(self) -> None:
        machine = platform.machine()
        if machine not in _ARCHITECTURES:
            raise OSError(errno.ENOSYS, f"seccomp: the system calls of {machine} are not known")
        architecture, self._numbers = _ARCHITECTURES[machine]
        self.instructions: List[Instruction] = [
            _load(_OFFSET_ARCHITECTURE), (_JUMP_EQUAL, 1, 0, architecture), _answer(_KILL), _load(_OFFSET_NUMBER),
        ]
        if machine == "x86_64":
            self.instructions += [(_JUMP_AT_LEAST, 0, 1, _X32_BIT), _answer(_KILL)]

    def when(self, name: str, body: List[Instruction]) -> None:
        """For one system call, ``body``, which must answer on every path."""
        number = self._numbers.get(name)
        if number is not None:
            self.instructions += [(_JUMP_EQUAL, 0, len(body), number), *body]

    def finish(self, allowed: List[str]) -> Filter:
        for number in sorted({self._numbers[name] for name in allowed if name in self._numbers}):
            self.instructions += [(_JUMP_EQUAL, 0, 1, number), _answer(_ALLOW)]
        self.instructions.append(_answer(_ERROR | errno.EPERM))
        return Filter(self.instructions)


def _common() -> _Builder:
    builder = _Builder()
    builder.when("ioctl", [_load(_argument(1)), (_JUMP_EQUAL, 0, 1, _FIONBIO), _answer(_ALLOW), _answer(_ERROR | errno.ENOTTY)])
    builder.when("clone3", [_answer(_ERROR | errno.ENOSYS)])
    return builder


def zygote_filter() -> Filter:
    """For the process that forks sessions and imports packages."""
    return _common().finish(_ZYGOTE_CALLS)


def session_filter() -> Filter:
    """For a session's threads: no new executable memory, no descriptor tricks, limits only to be read."""
    builder = _common()
    for name in ("mmap", "mprotect"):
        builder.when(name, [_load(_argument(2)), (_JUMP_ANY_BIT, 0, 1, _PROT_EXEC), _answer(_ERROR | errno.EPERM), _answer(_ALLOW)])
    fcntl_body: List[Instruction] = [_load(_argument(1))]
    for command in _HARMLESS_FCNTL:
        fcntl_body += [(_JUMP_EQUAL, 0, 1, command), _answer(_ALLOW)]
    builder.when("fcntl", [*fcntl_body, _answer(_ERROR | errno.EPERM)])
    only_own_and_reading: List[Instruction] = []
    for offset in (_argument(0), _argument(2), _argument(2) + 4):
        only_own_and_reading += [_load(offset), (_JUMP_EQUAL, 1, 0, 0), _answer(_ERROR | errno.EPERM)]
    builder.when("prlimit64", [*only_own_and_reading, _answer(_ALLOW)])
    return builder.finish([name for name in _SESSION_CALLS if name not in ("mmap", "mprotect")])
