"""What went wrong in an environment, as data: a ``HostError`` of the protocol."""

from __future__ import annotations

import os
import re
import sys
from types import TracebackType
from typing import Any, Dict, List, Optional

from . import limits
from .wire import type_name

_HOST_FOLDER = os.path.dirname(__file__)
_BASE_CLASS_FILE = os.path.join(_HOST_FOLDER, "tool_use_base_env.py")
_STDLIB = getattr(sys, "stdlib_module_names", frozenset(sys.builtin_module_names))


class HostFault(Exception):
    """The host's own refusal: the file has no class, a method is missing, a request makes no sense."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def is_host_file(path: str) -> bool:
    """True for the host's own source, except the base class, whose frames belong to the environment's story."""
    return path.startswith(_HOST_FOLDER) and path != _BASE_CLASS_FILE


def message_of(error: BaseException) -> str:
    """The exception's text, cut; a text that cannot be had is said so."""
    try:
        text = str.__str__(str(error))
    except BaseException as failure:
        return f"<its message raised {type_name(failure)}>"
    return text if len(text) <= limits.REPR_CHARS else text[: limits.REPR_CHARS - 1] + "…"


def frames_of(trace: Optional[TracebackType], file: str) -> List[Dict[str, Any]]:
    """The traceback, outermost first, without the host's own frames; a long one loses its middle."""
    frames: List[Dict[str, Any]] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        if not is_host_file(code.co_filename):
            frames.append({
                "file": code.co_filename, "line": trace.tb_lineno or 0, "function": code.co_name,
                "inFile": code.co_filename == file,
            })
        trace = trace.tb_next
    half = limits.TRACE_FRAMES // 2
    return frames if len(frames) <= limits.TRACE_FRAMES else frames[:half] + frames[-half:]


def _missing_package(error: ImportError) -> Optional[str]:
    """Top-level package that is not to be had; None when the import failed for another reason."""
    name = error.name.partition(".")[0] if isinstance(error.name, str) else ""
    if not name:
        return None
    return name if isinstance(error, ModuleNotFoundError) or name not in _STDLIB else None


_NAME = re.compile(r"name '(np|numpy)' is not defined")


def _missing_numpy(error: NameError) -> bool:
    """Whether a file asks for the numpy that the run injects, and this interpreter has none (run contract §2)."""
    return sys.modules.get("numpy") is None and _NAME.fullmatch(message_of(error)) is not None


def _package_asked_for(error: Exception) -> Optional[str]:
    """The package for want of which an import or a name failed; None when there is none, or the exception's own attributes raise."""
    try:
        if isinstance(error, ImportError):
            return _missing_package(error)
        return "numpy" if isinstance(error, NameError) and _missing_numpy(error) else None
    except BaseException:
        return None


def host_error(error: BaseException, file: str) -> Dict[str, Any]:
    """The ``HostError`` of an exception that environment code raised, or of the host's own :class:`HostFault`."""
    if isinstance(error, HostFault):
        return {"code": error.code, "type": "", "message": str(error), "traceback": []}
    result: Dict[str, Any] = {
        "code": "raised", "type": type_name(error), "message": message_of(error), "traceback": frames_of(error.__traceback__, file),
    }
    if isinstance(error, MemoryError):
        result["code"] = "memory"
    elif isinstance(error, RecursionError):
        result["code"] = "recursion"
    elif isinstance(error, (ImportError, NameError)):
        package = _package_asked_for(error)
        if package is not None:
            result.update(code="import", package=package)
    return result


def syntax_error(error: Exception) -> Dict[str, Any]:
    """The ``HostError`` of source that this interpreter cannot compile."""
    result: Dict[str, Any] = {"code": "syntax", "type": type_name(error), "message": message_of(error), "traceback": []}
    if isinstance(error, SyntaxError):
        result["message"] = str(error.msg)[: limits.REPR_CHARS]
        for key, value in (
            ("line", error.lineno), ("column", error.offset),
            ("endLine", getattr(error, "end_lineno", None)), ("endColumn", getattr(error, "end_offset", None)),
        ):
            if isinstance(value, int) and value > 0:
                result[key] = value
    return result
