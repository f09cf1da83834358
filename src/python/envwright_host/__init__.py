"""The host that runs one environment: loader, session and plan, free of any transport.

Both sandboxes import this package: the native one in a contained process (``native``), the embedded one inside
WebAssembly. ``Session`` takes requests and gives replies as plain JSON-ready dicts; how they travel is the sandbox's
affair. Standard library only, valid for Python 3.9 to 3.14.
"""

from __future__ import annotations

from .greeting import PROTOCOL, greeting
from .session import Session

__all__ = ["PROTOCOL", "Session", "greeting"]
