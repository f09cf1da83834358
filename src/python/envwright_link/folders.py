"""The link's own folder in the run's cache folder, and writing files in it so that nobody reads half of one."""

from __future__ import annotations

import errno
import json
import os
import tempfile
import threading
from dataclasses import dataclass
from typing import Any, Dict, Tuple

try:
    import fcntl
except ImportError:  # Not on this system: then one process has the folder for itself.
    fcntl = None  # type: ignore[assignment]


@dataclass(frozen=True)
class LinkFolder:
    """``<cache_dir>/envwright``: pushes arrive in ``inbox`` and move on by rename; the rest is written for the editor."""

    root: str

    @classmethod
    def of_run(cls, cache_dir: str) -> "LinkFolder":
        return cls(os.path.join(cache_dir, "envwright"))

    @property
    def inbox(self) -> str:
        return os.path.join(self.root, "inbox")

    @property
    def claimed(self) -> str:
        return os.path.join(self.root, "claimed")

    @property
    def done(self) -> str:
        return os.path.join(self.root, "done")

    @property
    def refused(self) -> str:
        return os.path.join(self.root, "refused")

    @property
    def receipts(self) -> str:
        return os.path.join(self.root, "receipts")

    @property
    def heartbeat(self) -> str:
        return os.path.join(self.root, "heartbeat.json")

    @property
    def lock(self) -> str:
        return os.path.join(self.root, "lock")

    @property
    def memory_file(self) -> str:
        return os.path.join(os.path.dirname(self.root), "env_memory.json")

    @property
    def drawn(self) -> str:
        return os.path.join(self.root, "drawn.jsonl")

    def make(self) -> None:
        """Creates the folders that are missing."""
        for folder in (self.inbox, self.claimed, self.done, self.refused, self.receipts):
            os.makedirs(folder, exist_ok=True)


def write_atomic(path: str, text: str) -> None:
    """Writes ``text`` so that a reader sees the old file or the whole new one, also after a crash."""
    folder = os.path.dirname(path)
    handle, temporary = tempfile.mkstemp(prefix=f".{os.path.basename(path)}.", suffix=".tmp", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        raise


def write_json(path: str, value: Any) -> None:
    """Like :func:`write_atomic`, for a JSON document. Not-a-number is refused: the editor could not read it."""
    write_atomic(path, json.dumps(value, indent=2, allow_nan=False) + "\n")


def append_line(path: str, value: Any) -> None:
    """Appends one JSON line in a single write, so that lines of several writers do not mix. A line that a full disk cut is closed first."""
    data = (json.dumps(value, allow_nan=False) + "\n").encode("utf-8")
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        size = os.lseek(handle, 0, os.SEEK_END)
        if size > 0:
            os.lseek(handle, size - 1, os.SEEK_SET)
            if os.read(handle, 1) != b"\n":
                data = b"\n" + data
        if os.write(handle, data) < len(data):
            raise OSError(errno.ENOSPC, "the line was cut", path)
    finally:
        os.close(handle)


_owned: Dict[Tuple[str, int], int] = {}
_owned_guard = threading.Lock()


def own(path: str) -> bool:
    """Takes a lock file for as long as this process lives; False while another process has it.

    The lock is one of POSIX: it goes with the process that took it, killed or not, and a forked child does not inherit it. Where the
    disk knows no locks, renames alone must do.
    """
    with _owned_guard:
        key = (path, os.getpid())
        if key in _owned:
            return True
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        if fcntl is not None:
            try:
                fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno in (errno.EACCES, errno.EAGAIN):
                    os.close(handle)
                    return False
        _owned[key] = handle
        return True
