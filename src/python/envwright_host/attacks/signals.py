"""Signals to the host, to siblings and to groups."""

from __future__ import annotations

import fcntl
import os
import sys
from typing import Optional

from .processes import _raw
from .registry import attack


@attack("signals")
def signal_the_parent() -> Optional[str]:
    os.kill(os.getppid() or 1, 0)
    return "may signal the parent" if sys.platform == "linux" else None


@attack("signals")
def signal_the_first_process() -> Optional[str]:
    os.kill(1, 0)
    return "may signal process 1" if sys.platform == "linux" else None


@attack("signals")
def signal_everyone() -> Optional[str]:
    os.kill(-1, 0)
    return "may signal everyone" if sys.platform == "linux" else None


@attack("signals")
def signal_siblings() -> Optional[str]:
    for pid in range(2, 60):
        if pid == os.getpid():
            continue
        try:
            os.kill(pid, 0)
        except OSError:
            continue
        return f"may signal {pid}" if sys.platform == "linux" else None
    return None


@attack("signals")
def signal_a_thread_by_system_call() -> Optional[str]:
    return _raw(234, 131, os.getppid() or 1, os.getppid() or 1, 0)


@attack("signals")
def queue_a_signal() -> Optional[str]:
    return _raw(129, 138, os.getppid() or 1, 0, 0)


@attack("signals")
def signal_by_a_process_descriptor() -> Optional[str]:
    return _raw(434, 434, os.getppid() or 1, 0)


@attack("signals")
def have_the_kernel_signal_another() -> Optional[str]:
    fcntl.fcntl(3, 8, os.getppid() or 1)
    return "made another process the owner of a descriptor" if sys.platform == "linux" else None


@attack("signals")
def stop_its_process_group() -> Optional[str]:
    os.killpg(0, 0)
    return "may signal its group" if sys.platform == "linux" else None


@attack("signals")
def leave_its_session() -> Optional[str]:
    os.setsid()
    return "made a session" if sys.platform != "emscripten" else None


@attack("signals")
def take_the_terminal() -> Optional[str]:
    descriptor = os.open("/dev/tty", os.O_RDWR)
    return f"descriptor {descriptor}"


@attack("signals")
def type_into_the_terminal() -> Optional[str]:
    import termios

    fcntl.ioctl(0, termios.TIOCSTI, b"x")
    return "typed"


@attack("signals")
def change_the_priority_of_others() -> Optional[str]:
    os.setpriority(os.PRIO_PROCESS, os.getppid() or 1, 19)
    return "changed it"
