"""What a session says first."""

from __future__ import annotations

import os
import platform
import sys
from typing import Any, Dict, List, Optional

PROTOCOL = 1

PACKAGES_OF_INTEREST = {"numpy": "numpy", "math-verify": "math_verify"}
"""Distribution name to module name of the packages that environments commonly need."""


def loaded_packages() -> Dict[str, Optional[str]]:
    """Versions of the packages of interest that this process has imported; None for the others."""
    found: Dict[str, Optional[str]] = {}
    for distribution, module_name in PACKAGES_OF_INTEREST.items():
        module = sys.modules.get(module_name)
        if module is None:
            found[distribution] = None
            continue
        version = getattr(module, "__version__", None)
        found[distribution] = version if isinstance(version, str) else _distribution_version(distribution)
    return found


def _distribution_version(distribution: str) -> str:
    """Version by the installed metadata, ``unknown`` when it has none."""
    try:
        from importlib import metadata

        return metadata.version(distribution)
    except Exception:
        return "unknown"


def greeting(layers: List[str], packages: Dict[str, Optional[str]]) -> Dict[str, Any]:
    """The greeting frame. ``layers`` names the containment in force in this session."""
    return {
        "hello": PROTOCOL,
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "hashSeed": os.environ.get("PYTHONHASHSEED", "random"),
        "packages": packages,
        "layers": layers,
    }
