"""Takes pushes out of the inbox into the live buffer: once each, in order, with a receipt."""

from __future__ import annotations

import logging
import os
import time
from typing import Any, Dict, List, Optional

from .folders import LinkFolder, exclusive, write_atomic, write_json
from .pushes import Push, RefusedPush, push_of, read_push

log = logging.getLogger("envwright_link")


def take_pushes(folder: LinkFolder, memory: Any, rollout_id: int) -> None:
    """Carries out every waiting push on ``memory`` (the run's live buffer).

    A push moves from the inbox to ``claimed`` by rename; then it is carried out, gets its receipt, and moves to ``done``.
    A crash in between leaves it in ``claimed``, from where the next call goes on: a push that the buffer already holds is
    not added again. While another process does this work, this one leaves it alone.
    """
    folder.make()
    with exclusive(os.path.join(folder.root, "lock")) as ours:
        if ours:
            _take(folder, memory, rollout_id)


def _take(folder: LinkFolder, memory: Any, rollout_id: int) -> None:
    for name in _names(folder.claimed):
        _carry_out(folder, name, memory, rollout_id)
    for name in _names(folder.inbox):
        try:
            os.rename(os.path.join(folder.inbox, name), os.path.join(folder.claimed, name))
        except FileNotFoundError:
            continue  # Taken back by its sender.
        _carry_out(folder, name, memory, rollout_id)


def _names(path: str) -> List[str]:
    # Names begin with a time stamp of fixed width: sorted is the order of pushing. Others write under a leading dot first.
    return sorted(name for name in os.listdir(path) if name.endswith(".json") and not name.startswith("."))


def _carry_out(folder: LinkFolder, name: str, memory: Any, rollout_id: int) -> None:
    path = os.path.join(folder.claimed, name)
    try:
        push = read_push(path)
    except RefusedPush as error:
        _refuse(folder, name, str(error))
        return
    receipt: Dict[str, Any] = {"version": 1, "id": push.id, "action": push.action, "rollout": rollout_id, "at": time.time()}
    try:
        receipt["state"] = _apply(push, memory)
    except Exception as error:  # The run's own add may refuse what it is given; the push is then answered, not repeated.
        log.exception("push %s could not be carried out", push.id)
        receipt.update(state="failed", reason=f"{type(error).__name__}: {error}")
    receipt["memorySize"] = len(memory.records)
    write_json(os.path.join(folder.receipts, f"{push.id}.{push.action}.json"), receipt)
    os.replace(path, os.path.join(folder.done, name))


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


def write_heartbeat(folder: LinkFolder, memory: Optional[Any], rollout_id: int, interval: Optional[int], version: str) -> None:
    """Says that the link is in force, in which rollout, and how many records the live buffer holds (null: memory not in use yet)."""
    folder.make()
    write_json(folder.heartbeat, {
        "version": 1,
        "link": version,
        "pid": os.getpid(),
        "rollout": rollout_id,
        "interval": interval,
        "memorySize": None if memory is None else len(memory.records),
        "at": time.time(),
    })
