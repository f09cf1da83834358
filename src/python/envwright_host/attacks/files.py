"""Reading and writing outside."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Optional

from .registry import attack

_OUTSIDE = ("/etc/passwd", "/etc/hostname", "/etc/hosts", "/root/.bashrc", "/root/.profile", "/Users", "C:/Windows/win.ini")
_KNOWN_VARIABLES = frozenset({
    "PYTHONHASHSEED", "LC_ALL", "LC_CTYPE", "LANG", "PATH", "HOME", "PWD", "USER", "LOGNAME", "_", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS",
    "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "PYTHONPATH", "PYTHONHOME", "__CF_USER_TEXT_ENCODING",
})


@attack("files")
def read_a_system_file() -> Optional[str]:
    for path in _OUTSIDE:
        try:
            with open(path, "rb") as file:
                return f"read {path}: {file.read(8)!r}"
        except OSError:
            continue
    return None


@attack("files")
def read_by_the_c_library() -> Optional[str]:
    library = ctypes.CDLL(None)
    descriptor = library.open(b"/etc/passwd", 0)
    return f"descriptor {descriptor}" if descriptor >= 0 else None


@attack("files")
def read_by_descriptor_calls() -> Optional[str]:
    return f"descriptor {os.open('/etc/passwd', os.O_RDONLY)}"


@attack("files")
def read_through_a_parent_folder() -> Optional[str]:
    path = os.path.dirname(os.__file__) + "/../../../../../../../../etc/passwd"
    with open(path, "rb") as file:
        return f"read {file.read(8)!r}"


@attack("files")
def see_that_a_file_exists() -> Optional[str]:
    return f"size {os.stat('/etc/passwd').st_size}"


@attack("files")
def list_the_root() -> Optional[str]:
    names = os.listdir("/etc")
    return f"{len(names)} names in /etc" if names and sys.platform != "emscripten" else None


@attack("files")
def list_home_folders() -> Optional[str]:
    import glob

    names = glob.glob("/home/*/*") + glob.glob("/root/.*")
    return f"{names[:3]}" if names and sys.platform != "emscripten" else None


@attack("files")
def open_a_path_descriptor() -> Optional[str]:
    return f"descriptor {os.open('/etc/passwd', os.O_PATH)}"


@attack("files")
def write_beside_itself() -> Optional[str]:
    import pathlib

    path = pathlib.Path("envwright-attack.txt")
    path.write_text("x")
    path.unlink()
    return "wrote to the working folder"


@attack("files")
def write_a_temporary_file() -> Optional[str]:
    import tempfile

    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x")
        file.flush()
        return f"wrote {file.name}"


@attack("files")
def write_into_the_library() -> Optional[str]:
    path = os.path.join(os.path.dirname(os.__file__), "envwright_attack.py")
    with open(path, "w", encoding="ascii") as file:
        file.write("")
    os.unlink(path)
    return f"wrote {path}"


@attack("files")
def change_a_library_file() -> Optional[str]:
    with open(os.__file__, "r+b"):
        return f"opened {os.__file__} for writing"


@attack("files")
def change_the_mode_of_a_file() -> Optional[str]:
    os.chmod(os.__file__, 0o777)
    return "chmod worked"


@attack("files")
def make_a_folder() -> Optional[str]:
    os.mkdir("/tmp/envwright-attack")
    os.rmdir("/tmp/envwright-attack")
    return "made a folder"


@attack("files")
def make_a_link() -> Optional[str]:
    os.symlink("/etc/passwd", "/tmp/envwright-attack")
    os.unlink("/tmp/envwright-attack")
    return "made a link"


@attack("files")
def remove_a_file() -> Optional[str]:
    os.link(os.__file__, "/tmp/envwright-attack")
    os.unlink("/tmp/envwright-attack")
    return "linked and removed a file"


@attack("files")
def make_a_device_or_pipe() -> Optional[str]:
    os.mkfifo("/tmp/envwright-attack")
    os.unlink("/tmp/envwright-attack")
    return "made a named pipe"


@attack("files")
def write_a_database() -> Optional[str]:
    import sqlite3

    with sqlite3.connect("/tmp/envwright-attack.db") as connection:
        connection.execute("create table t (x)")
    os.unlink("/tmp/envwright-attack.db")
    return "wrote a database"


@attack("files")
def change_the_root() -> Optional[str]:
    os.chroot("/")
    return "chroot worked"


@attack("files")
def read_environment_variables() -> Optional[str]:
    unknown = sorted(set(os.environ) - _KNOWN_VARIABLES)
    return f"variables {unknown[:5]}" if unknown else None


@attack("files")
def read_own_environment_by_proc() -> Optional[str]:
    with open("/proc/self/environ", "rb") as file:
        return f"read {len(file.read())} bytes"


@attack("files")
def read_another_process_by_proc() -> Optional[str]:
    for pid in (1, os.getppid() or 1):
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return f"read {file.read(40)!r}"
    return None


@attack("files")
def list_processes_by_proc() -> Optional[str]:
    pids = [name for name in os.listdir("/proc") if name.isdigit()]
    return f"{len(pids)} processes" if len(pids) > 1 else None


@attack("files")
def follow_descriptor_links() -> Optional[str]:
    return f"link to {os.readlink('/proc/self/exe')}" if sys.platform == "linux" else None


@attack("files")
def read_kernel_settings() -> Optional[str]:
    with open("/sys/kernel/mm/transparent_hugepage/enabled", encoding="ascii") as file:
        return f"read {file.read(20)!r}"


@attack("files")
def use_inherited_descriptors() -> Optional[str]:
    found = []
    for descriptor in range(4, 300):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        found.append(descriptor)
    return f"descriptors {found}" if found and sys.platform == "linux" else None


@attack("files")
def read_standard_input() -> Optional[str]:
    data = os.read(0, 1)
    return f"read {data!r}" if data else None
