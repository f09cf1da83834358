"""The link's own folder in the run's cache folder, and writing files in it so that nobody reads half of one."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import dataclass
from typing import Any, Iterator

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
    """Appends one JSON line in a single write, so that lines of several writers do not mix."""
    data = (json.dumps(value, allow_nan=False) + "\n").encode("utf-8")
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(handle, data)
    finally:
        os.close(handle)


@contextlib.contextmanager
def exclusive(path: str) -> Iterator[bool]:
    """Holds a lock file; gives False when another process holds it. Where the disk knows no locks, renames alone must do."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if fcntl is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            except OSError:
                pass
        yield True
    finally:
        os.close(handle)
