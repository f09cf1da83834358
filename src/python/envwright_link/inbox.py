"""Takes pushes out of the inbox into the live buffer: once each, in order, with a receipt."""

from __future__ import annotations

import logging
import os
import time
from typing import Any, Dict, List, Optional

from .folders import LinkFolder, own, write_atomic, write_json
from .pushes import Push, RefusedPush, push_of, read_push

log = logging.getLogger("envwright_link")


class Inbox:
    """The inbox of one run, as this process works through it.

    A push moves from ``inbox`` to ``claimed`` by rename, is carried out on the live buffer and gets its receipt. It moves to
    ``done`` only when a save of the run has brought the buffer to the disk: a process that is killed before leaves it in
    ``claimed``, from where the next one goes on. A push that the buffer already holds is not added again.
    """

    def __init__(self, folder: LinkFolder) -> None:
        self.folder = folder
        self._memory: Optional[Any] = None
        self._carried_out: Dict[str, Optional[Dict[str, Any]]] = {}
        """Names of files that were carried out on the buffer, each with the receipt that is still to be written."""

    def take(self, memory: Any, rollout_id: int) -> None:
        """Carries out every waiting push on ``memory``, the live buffer. While another process does this work, this one leaves it alone."""
        self.folder.make()
        if not own(self.folder.lock):
            return
        if memory is not self._memory:
            # A buffer that was loaded anew: what no save holds must be carried out on it too.
            self._memory, self._carried_out = memory, {}
        for name in _names(self.folder.claimed):
            self._carry_out(name, memory, rollout_id)
        for name in _names(self.folder.inbox):
            try:
                os.rename(os.path.join(self.folder.inbox, name), os.path.join(self.folder.claimed, name))
            except FileNotFoundError:
                continue  # Taken back by its sender.
            self._carry_out(name, memory, rollout_id)

    def saved(self, memory: Any) -> None:
        """Called when the run has saved ``memory``: what was carried out on it is done."""
        if memory is not self._memory:
            return
        for name in sorted(self._carried_out):
            self._answer(name)
            try:
                os.replace(os.path.join(self.folder.claimed, name), os.path.join(self.folder.done, name))
            except FileNotFoundError:
                pass  # Taken away by an editor that believes the run has ended.
            del self._carried_out[name]

    def _carry_out(self, name: str, memory: Any, rollout_id: int) -> None:
        if name in self._carried_out:
            self._answer(name)
            return
        try:
            push = read_push(os.path.join(self.folder.claimed, name))
        except RefusedPush as error:
            _refuse(self.folder, name, str(error))
            return
        except FileNotFoundError:
            return
        except OSError as error:
            # It is looked at again in the next rollout, and those behind it need not wait.
            log.warning("inbox file %s cannot be read: %s", name, error)
            return
        receipt: Dict[str, Any] = {"version": 1, "id": push.id, "action": push.action, "rollout": rollout_id, "at": time.time()}
        try:
            receipt["state"] = _apply(push, memory)
        except Exception as error:  # The run's own add may refuse what it is given; the push is then answered, not repeated.
            log.exception("push %s could not be carried out", push.id)
            receipt.update(state="failed", reason=f"{type(error).__name__}: {error}")
        receipt["memorySize"] = len(memory.records)
        self._carried_out[name] = receipt
        self._answer(name)

    def _answer(self, name: str) -> None:
        receipt = self._carried_out[name]
        if receipt is None:
            return
        write_json(os.path.join(self.folder.receipts, f"{receipt['id']}.{receipt['action']}.json"), receipt)
        self._carried_out[name] = None


def _names(path: str) -> List[str]:
    # Names begin with a time stamp of fixed width: sorted is the order of pushing. Others write under a leading dot first.
    return sorted(name for name in os.listdir(path) if name.endswith(".json") and not name.startswith("."))


def _apply(push: Push, memory: Any) -> str:
    present = [record for record in memory.records if push_of(record) == push.id]
    if push.action == "remove":
        for record in present:
            memory.records.remove(record)
        return "removed" if present else "not-there"
    if not present and push.record is not None:
        memory.add(**push.record)
    return "in-memory"


def _refuse(folder: LinkFolder, name: str, reason: str) -> None:
    log.warning("inbox file %s refused: %s", name, reason)
    write_atomic(os.path.join(folder.refused, f"{name}.reason.txt"), reason + "\n")
    os.replace(os.path.join(folder.claimed, name), os.path.join(folder.refused, name))
