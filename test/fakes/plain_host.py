"""The host without any containment, one JSON text a line, for tests of what the host's evidence is judged to be."""

import json
import os
import sys

sys.path.insert(0, sys.argv[1])

from envwright_host.session import Session  # noqa: E402

OUT = os.fdopen(os.dup(1), "w", buffering=1)


def send(frame: object) -> None:
    OUT.write(json.dumps(frame) + "\n")


session = Session(send)
send({"python": ".".join(map(str, sys.version_info[:3]))})
for line in sys.stdin:
    send(session.handle(json.loads(line)))
