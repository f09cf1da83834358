"""New processes, programs and threads."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import threading
from typing import Optional

from .registry import attack

_PROGRAM = "/bin/true"


def _raw(x86_64: int, aarch64: int, *arguments: int) -> Optional[str]:
    """A system call by number; a success is what it gave."""
    number = {"x86_64": x86_64, "aarch64": aarch64}.get(platform.machine())
    if number is None or number < 0 or sys.platform != "linux":
        return None
    result = ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
    return f"system call {number} gave {result}" if result >= 0 else None


@attack("processes")
def fork() -> Optional[str]:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return "forked"


@attack("processes")
def fork_by_system_call() -> Optional[str]:
    library = ctypes.CDLL(None)
    pid = library.fork()
    if pid == 0:
        os._exit(0)
    return "forked" if pid > 0 else None


@attack("processes")
def fork_for_a_terminal() -> Optional[str]:
    import pty

    pid, _ = pty.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return "forked with a terminal"


@attack("processes")
def run_a_program() -> Optional[str]:
    import subprocess

    return f"exit code {subprocess.run([_PROGRAM], check=False, timeout=2).returncode}"


@attack("processes")
def run_a_shell_command() -> Optional[str]:
    return "ran a command" if os.system("exit 7") not in (-1, 127 << 8, 32512, 127) else None


@attack("processes")
def spawn_a_program() -> Optional[str]:
    return f"pid {os.posix_spawn(_PROGRAM, [_PROGRAM], {})}"


@attack("processes")
def open_a_pipe_to_a_program() -> Optional[str]:
    with os.popen("echo reached") as pipe:
        return pipe.read() or None


@attack("processes")
def run_the_interpreter_again() -> Optional[str]:
    import subprocess

    result = subprocess.run([sys.executable or "python3", "-c", "print('reached')"], capture_output=True, check=False, timeout=2)
    return "ran Python" if b"reached" in result.stdout else None


@attack("processes")
def start_a_worker_process() -> Optional[str]:
    import multiprocessing

    process = multiprocessing.get_context("fork").Process(target=int)
    process.start()
    process.join(2)
    return "started a process"


@attack("processes")
def start_a_thread() -> Optional[str]:
    thread = threading.Thread(target=int)
    thread.start()
    thread.join(2)
    return "started a thread"


@attack("processes")
def clone_by_system_call() -> Optional[str]:
    return _raw(56, 220, 17, 0, 0, 0, 0)


@attack("processes")
def clone3_by_system_call() -> Optional[str]:
    return _raw(435, 435, 0, 0)


@attack("processes")
def vfork_by_system_call() -> Optional[str]:
    return _raw(58, -1) if platform.machine() == "x86_64" else None


@attack("processes")
def replace_itself_where_nothing_is() -> Optional[str]:
    try:
        os.execv("/nonexistent/envwright", ["x"])
    except FileNotFoundError:
        return "exec looked for the file" if sys.platform == "linux" else None
    except OSError:
        return None
    return None


@attack("processes")
def run_from_memory() -> Optional[str]:
    return f"descriptor {os.memfd_create('x')}"
