"""Started by Node: ``python3 -s -S -B main.py CONFIG`` becomes a zygote, ``--folders EXECUTABLE`` tells what one must be able to read.

Only the standard library and this package are on the path until the process has contained itself.
"""

from __future__ import annotations

import importlib
import json
import os
import sys


def _import_without_fork_hooks() -> None:
    """Imports the modules of the standard library that see to forks, and keeps them from it.

    They renew locks that another thread may have held and forget the other threads; the zygote has one thread. Each
    session would pay for that with a tenth of a megabyte. The one thing of use, a new seed for ``random``, the session does itself.
    """
    register, name = os.register_at_fork, "register_at_fork"
    setattr(os, name, lambda **hooks: None)
    try:
        for module in ("threading", "logging", "random"):
            importlib.import_module(module)
    finally:
        setattr(os, name, register)


def main() -> None:
    host_folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path[0] = host_folder
    sys.dont_write_bytecode = True
    _import_without_fork_hooks()
    from envwright_host.native import interpreter, zygote

    if sys.argv[1] == "--folders":
        print(json.dumps(interpreter.everything_to_read(sys.argv[2])))
        return
    sys.path.remove(host_folder)
    zygote.run({**json.loads(sys.argv[1]), "hostFolder": host_folder})


if __name__ == "__main__":
    main()
