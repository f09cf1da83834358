"""Wraps the run's buffer class once: its saves become atomic, and what it draws for a prompt is noted down."""

from __future__ import annotations

import errno
import functools
import glob
import logging
import os
import time
from typing import Any, Callable, Optional

from .folders import LinkFolder, append_line
from .inbox import Inbox
from .pushes import push_of

log = logging.getLogger("envwright_link")

_MARK = "_envwright_wrapped"


class Watch:
    """Where the wrapped methods write; the rollout function keeps folder and rollout current."""

    def __init__(self) -> None:
        self.inbox: Optional[Inbox] = None
        self.rollout_id = -1

    def follow(self, folder: LinkFolder, rollout_id: int) -> Inbox:
        """Writes below ``folder`` from now on; gives the inbox there, the same one for the same folder."""
        self.rollout_id = rollout_id
        if self.inbox is None or self.inbox.folder != folder:
            self.inbox = Inbox(folder)
        return self.inbox

    def install(self, memory_class: type) -> None:
        """Wraps ``save``, ``high_regret_seeds`` and ``low_quality_examples`` of the class, once."""
        if memory_class.__dict__.get(_MARK):
            return
        memory_class.save = self._settling(_atomic_save(memory_class.save))  # type: ignore[attr-defined]
        for name, role in (("high_regret_seeds", "seed"), ("low_quality_examples", "negative")):
            setattr(memory_class, name, self._noting(getattr(memory_class, name), role))
        setattr(memory_class, _MARK, True)

    def _settling(self, save: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(save)
        def wrapper(memory: Any, path: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                result = save(memory, path, *args, **kwargs)
            except _NothingSaved:
                return None
            try:
                if self.inbox is not None and os.path.realpath(os.fspath(path)) == os.path.realpath(self.inbox.folder.memory_file):
                    self.inbox.saved(memory)
            except Exception:
                log.exception("saved pushes could not be told from the others")
            return result

        return wrapper

    def _noting(self, draw: Callable[..., Any], role: str) -> Callable[..., Any]:
        @functools.wraps(draw)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            drawn = draw(*args, **kwargs)
            try:
                self._note(drawn, role)
            except Exception:
                log.exception("drawn examples could not be noted")
            return drawn

        return wrapper

    def _note(self, drawn: Any, role: str) -> None:
        if self.inbox is None:
            return
        folder = self.inbox.folder
        folder.make()
        for item in drawn:
            # Negatives may come as (record, reason) pairs.
            record = item[0] if isinstance(item, tuple) and item else item
            append_line(folder.drawn, {
                "rollout": self.rollout_id,
                "role": role,
                "gameFile": getattr(record, "game_file", None),
                "push": push_of(record),
                "at": time.time(),
            })


def _atomic_save(save: Callable[..., Any]) -> Callable[..., Any]:
    """The run's ``save(path)`` writes in place: a reader, or a crash, meets half a file. This one writes beside and renames."""

    @functools.wraps(save)
    def wrapper(memory: Any, path: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return _save_beside(save, memory, path, args, kwargs)
        except _NotBeside:
            log.exception("no atomic save here; saving as the run does")
            return save(memory, path, *args, **kwargs)
        except OSError as error:
            if error.errno not in _NO_ROOM:
                raise
        # Two files need more room than one, which is no fault of the run: the spare gives it.
        _unlink(_spare(path))
        try:
            return _save_beside(save, memory, path, args, kwargs)
        except (OSError, _NotBeside):
            # In place it would be torn by a kill, or by the next one who takes the room. The buffer lives on and is saved again.
            log.exception("no room: the memory file stays as it was until the next save")
            raise _NothingSaved from None

    return wrapper


_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


class _NothingSaved(Exception):
    """There was no room for a save; ends here, the run does not see it."""


class _NotBeside(Exception):
    """No second file can be made or moved into place here."""


def _save_beside(save: Callable[..., Any], memory: Any, path: Any, args: Any, kwargs: Any) -> Any:
    target = os.path.realpath(os.fspath(path))
    beside = f"{target}.{os.getpid()}.envwright.tmp"
    try:
        _make_beside(beside, target)
        result = save(memory, beside if isinstance(path, str) else type(path)(beside), *args, **kwargs)
        with open(beside, "rb") as file:
            os.fsync(file.fileno())
        try:
            os.replace(beside, target)
        except OSError as error:
            raise _NotBeside(target) from error
    except BaseException:
        # Also the run's own failure: it sees it as ever, but the old file is whole.
        _unlink(beside)
        raise
    _keep_room(path, os.path.getsize(target))
    _clear_left_over(target)
    return result


def _clear_left_over(target: str) -> None:
    """Removes what processes that were killed in a save have left; a save takes no hour."""
    for left in glob.glob(f"{glob.escape(target)}.*.envwright.tmp"):
        try:
            if time.time() - os.path.getmtime(left) > 3600:
                os.unlink(left)
        except OSError:
            log.warning("%s is left over", left)


def _make_beside(beside: str, target: str) -> None:
    """A new file with the permissions of the old one."""
    try:
        with open(beside, "w", encoding="ascii"):
            pass
        if os.path.exists(target):
            os.chmod(beside, os.stat(target).st_mode & 0o7777)
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise
        raise _NotBeside(beside) from error


def _spare(path: Any) -> str:
    return f"{os.path.realpath(os.fspath(path))}.envwright.spare"


def _keep_room(path: Any, size: int) -> None:
    """Keeps a file that is larger than the memory, to be given up for a save when the disk is full."""
    spare = _spare(path)
    try:
        if os.path.exists(spare) and os.path.getsize(spare) >= size:
            return
        with open(spare, "wb") as file:
            file.write(b"\0" * (size + size // 2))
    except OSError:
        _unlink(spare)


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    except OSError:
        log.warning("%s is left over", path)
