"""Bounds of what leaves a session, in one place."""

from __future__ import annotations

OBSERVATION_CHARS = 100_000
"""Code points of a text kept by default; the request for a session may set another bound."""
REPR_CHARS = 2_000
"""Code points kept of a ``repr``, of an exception's message and of an audit's detail."""
JSON_NODES = 2_000
"""Values a plain JSON form may hold; a larger value crosses by its ``repr`` only."""
JSON_CHARS = 200_000
"""Code points of all texts of a plain JSON form."""
TRACE_FRAMES = 60
"""Frames kept of a traceback: half from its start, half from its end."""
EFFECTS = 200
"""Audits, print lines and global changes kept of a run."""
SNAPSHOT_PATHS = 400
"""Attribute paths listed in a snapshot; its digest covers all."""

TOLD_CHARS = 1_000_000
"""Code points of texts by which a plan remembers what it has told."""
FRAME_CHARS = 500_000
"""Code points of texts after which a plan sends what it has, long before a frame would be too long."""

PLAN_LOG_CHARS = 65_536
"""Of what is printed during one plan, this much is sent; all of it is counted. A file that prints megabytes is judged like any other."""
