"""Wraps the run's buffer class once: its saves become atomic, and what it draws for a prompt is noted down."""

from __future__ import annotations

import functools
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
            result = save(memory, path, *args, **kwargs)
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
    def wrapper(self: Any, path: Any, *args: Any, **kwargs: Any) -> Any:
        beside = _file_beside(path)
        if beside is None:
            return save(self, path, *args, **kwargs)
        try:
            result = save(self, beside if isinstance(path, str) else type(path)(beside), *args, **kwargs)
        except OSError:
            # Two files need more room than one: without the link, this save might have gone well.
            log.exception("no room for a second file; saving as the run does")
            _unlink(beside)
            return _save_in_place(save, self, path, *args, **kwargs)
        except BaseException:
            # The run's own failure: it sees it as ever, but the old file is whole.
            _unlink(beside)
            raise
        try:
            with open(beside, "rb") as file:
                os.fsync(file.fileno())
            os.replace(beside, os.path.realpath(os.fspath(path)))
        except OSError:
            log.exception("the saved file could not be moved into place; saving as the run does")
            _unlink(beside)
            return save(self, path, *args, **kwargs)
        return result

    return wrapper


def _save_in_place(save: Callable[..., Any], memory: Any, path: Any, *args: Any, **kwargs: Any) -> Any:
    """The run's own save. When it fails half way, the old text, for which there was room, comes back before the run sees the failure."""
    try:
        with open(path, "rb") as file:
            old: Optional[bytes] = file.read()
    except OSError:
        old = None
    try:
        return save(memory, path, *args, **kwargs)
    except BaseException:
        if old is not None:
            try:
                with open(path, "wb") as file:
                    file.write(old)
            except OSError:
                log.exception("%s could not be put back", path)
        raise


def _file_beside(path: Any) -> Optional[str]:
    """A new file next to ``path`` with its permissions, None where none can be made: then the run saves as it always did."""
    try:
        target = os.path.realpath(os.fspath(path))
        beside = f"{target}.{os.getpid()}.envwright.tmp"
        with open(beside, "x", encoding="ascii"):
            pass
        if os.path.exists(target):
            os.chmod(beside, os.stat(target).st_mode & 0o7777)
        return beside
    except Exception:
        log.exception("no atomic save here; saving as the run does")
        return None


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        log.warning("%s is left over", path)
