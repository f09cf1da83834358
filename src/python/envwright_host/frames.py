"""Frames as bytes: four bytes of length, big end first, then JSON."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Optional

MAX_FRAME_BYTES = 16 * 1024 * 1024

_decode = json.JSONDecoder().raw_decode


def _make_encode() -> Callable[[Any], str]:
    """The encoder in C, made once: the standard way makes one for every text, which takes as long as a short reply itself."""
    standard = json.JSONEncoder(ensure_ascii=True, allow_nan=False, check_circular=False, separators=(",", ":"))
    try:
        pieces = json.encoder.c_make_encoder(None, standard.default, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, False)
    except (AttributeError, TypeError):
        return standard.encode
    return lambda value: "".join(pieces(value, 0))


_encode = _make_encode()


def to_json(frame: Dict[str, Any]) -> str:
    """A frame as ASCII JSON; one that would be too long is replaced by an error reply, or by a log that says so."""
    text = _encode(frame)
    if len(text) <= MAX_FRAME_BYTES:
        return text
    if "event" in frame:
        return _encode({"id": frame["id"], "event": "log", "text": f"[a {frame['event']} of {len(text)} bytes was dropped]\n"})
    error = {"code": "bad-request", "type": "", "message": f"the reply of {len(text)} bytes is longer than a frame may be", "traceback": []}
    return _encode({"id": frame["id"], "ok": False, "error": error})


def from_json(text: str) -> Dict[str, Any]:
    """The object that a frame's text holds, without white space around it; raises ValueError for anything else."""
    frame, end = _decode(text)
    if end != len(text) or not isinstance(frame, dict):
        raise ValueError("a frame must be an object and nothing more")
    return frame


def encode_frame(frame: Dict[str, Any]) -> bytes:
    """A frame with its length."""
    body = to_json(frame).encode("ascii")
    return len(body).to_bytes(4, "big") + body


class FrameReader:
    """Cuts a stream of bytes into frames. ``read`` gives the next piece, empty at the end."""

    def __init__(self, read: Callable[[], bytes]) -> None:
        self._read = read
        self._buffer = bytearray()

    def next(self) -> Optional[Dict[str, Any]]:
        """The next frame, None at the end of the stream; raises ValueError for what is no frame."""
        body = self._body()
        if body is None:
            return None
        return from_json(str(body, "utf-8"))

    def _body(self) -> Optional[bytes]:
        if not self._buffer:
            piece = self._read()
            # Nearly always a piece is one frame: that is what is asked when the last reply has come.
            if len(piece) >= 4 and len(piece) - 4 == int.from_bytes(piece[:4], "big") <= MAX_FRAME_BYTES:
                return piece[4:]
            if not piece:
                return None
            self._buffer += piece
        header = self._take(4)
        if header is None:
            return None
        length = int.from_bytes(header, "big")
        if length > MAX_FRAME_BYTES:
            raise ValueError(f"a frame of {length} bytes is too long")
        return self._take(length)

    def _take(self, count: int) -> Optional[bytes]:
        while len(self._buffer) < count:
            piece = self._read()
            if not piece:
                return None
            self._buffer += piece
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken
