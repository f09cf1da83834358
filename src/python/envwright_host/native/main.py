"""Started by Node: ``python3 -s -S -B main.py CONFIG`` becomes a zygote, ``--folders EXECUTABLE`` tells what one must be able to read.

Only the standard library and this package are on the path until the process has contained itself.
"""

from __future__ import annotations

import json
import os
import sys


def main() -> None:
    host_folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path[0] = host_folder
    sys.dont_write_bytecode = True
    from envwright_host.native import interpreter, zygote

    if sys.argv[1] == "--folders":
        print(json.dumps(interpreter.everything_to_read(sys.argv[2])))
        return
    sys.path.remove(host_folder)
    zygote.run({**json.loads(sys.argv[1]), "hostFolder": host_folder})


if __name__ == "__main__":
    main()
