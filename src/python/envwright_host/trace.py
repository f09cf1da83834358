"""Line tracing of one call: which lines of the file ran, and which returned."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, Callable, Dict, Optional

_MOST_LINES = 5000


class LineTracer:
    """Traces the frames of one file while it is entered as a context."""

    def __init__(self, file: str, method: Callable[..., Any]) -> None:
        self._file = file
        self._root = getattr(getattr(method, "__func__", method), "__code__", None)
        self._lines: Dict[int, None] = {}
        self._return_line: Optional[int] = None

    def __enter__(self) -> "LineTracer":
        sys.settrace(self._on_call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def report(self) -> Dict[str, Any]:
        """A ``LineTrace``."""
        return {"lines": list(self._lines), "returnLine": self._return_line}

    def _on_call(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._on_event if frame.f_code.co_filename == self._file else None

    def _on_event(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line" and len(self._lines) < _MOST_LINES:
            self._lines[frame.f_lineno] = None
        elif event == "return" and frame.f_code is self._root:
            self._return_line = frame.f_lineno
        return self._on_event
