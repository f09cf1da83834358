"""Frames as bytes: four bytes of length, big end first, then JSON."""

from __future__ import annotations

import json
from typing import Any, Dict

MAX_FRAME_BYTES = 16 * 1024 * 1024

_encode = json.JSONEncoder(ensure_ascii=True, allow_nan=False, check_circular=False, separators=(",", ":")).encode


def to_json(frame: Dict[str, Any]) -> str:
    """A frame as ASCII JSON; one that would be too long is replaced by an error reply, or by a log that says so."""
    text = _encode(frame)
    if len(text) <= MAX_FRAME_BYTES:
        return text
    if "event" in frame:
        return _encode({"id": frame["id"], "event": "log", "text": f"[a {frame['event']} of {len(text)} bytes was dropped]\n"})
    error = {"code": "bad-request", "type": "", "message": f"the reply of {len(text)} bytes is longer than a frame may be", "traceback": []}
    return _encode({"id": frame["id"], "ok": False, "error": error})


def encode_frame(frame: Dict[str, Any]) -> bytes:
    """A frame with its length."""
    body = to_json(frame).encode("ascii")
    return len(body).to_bytes(4, "big") + body
