"""Builds the wheel of the link module with the standard library alone (PEP 517), so that ``pip install`` of its folder needs no network."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import zipfile
from typing import Any, Dict, List, Optional

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = "envwright_link"
DATE = (1980, 1, 1, 0, 0, 0)
"""The earliest time that the format knows: the same files give the same wheel."""


def _field(name: str) -> str:
    """A text of the ``[project]`` table; Python 3.9 and 3.10 have no reader of TOML."""
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        found = re.search(rf'^{name} = "(.*)"$', file.read(), re.MULTILINE)
    if found is None:
        raise ValueError(f"pyproject.toml has no {name}")
    return found.group(1)


def _contents(info: str) -> Dict[str, bytes]:
    """Every file of the wheel but the record, by its path in it."""
    files: Dict[str, bytes] = {}
    for name in sorted(os.listdir(HERE)):
        if name.endswith(".py"):
            with open(os.path.join(HERE, name), "rb") as file:
                files[f"{PACKAGE}/{name}"] = file.read()
    metadata = [
        "Metadata-Version: 2.1", f"Name: {_field('name')}", f"Version: {_field('version')}", f"Summary: {_field('description')}",
        f"Requires-Python: {_field('requires-python')}", "License: MIT",
    ]
    files[f"{info}/METADATA"] = ("\n".join(metadata) + "\n").encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: envwright-link\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    return files


def _record(files: Dict[str, bytes], info: str) -> bytes:
    lines: List[str] = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(content)}")
    return ("\n".join([*lines, f"{info}/RECORD,,"]) + "\n").encode()


def build_wheel(wheel_directory: str, config_settings: Optional[Dict[str, Any]] = None, metadata_directory: Optional[str] = None) -> str:
    """Writes the wheel into a folder and gives its name. Nothing is written beside the sources: they may lie where nobody may write."""
    base = f"{PACKAGE}-{_field('version')}"
    info = f"{base}.dist-info"
    files = _contents(info)
    files[f"{info}/RECORD"] = _record(files, info)
    name = f"{base}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, DATE)
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, content)
    return name
