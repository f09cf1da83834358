"""Where this interpreter keeps its library and its packages, found without running anything of them."""

from __future__ import annotations

import importlib.machinery
import os
import site
import sys
from typing import List, Optional, Tuple

ZONEINFO = "/usr/share/zoneinfo"

_NOT_FOR_ENVIRONMENTS = ("_test", "_xx", "xx", "_ctypes_test", "_curses", "_dbm", "_gdbm", "_tkinter", "nis", "ossaudiodev", "readline", "_crypt")


def library_folders() -> List[str]:
    """The standard library, as it already is on the path."""
    folders = [os.path.dirname(os.path.abspath(os.__file__))]
    folders += [path for path in sys.path if path and os.path.isdir(path)]
    return _unique(folders)


def compiled_modules() -> List[str]:
    """Names of the standard library's compiled modules, without those for tests and terminals and without those of other systems."""
    suffix = tuple(importlib.machinery.EXTENSION_SUFFIXES)
    names = {
        name.partition(".")[0]
        for folder in library_folders() if os.path.basename(folder) == "lib-dynload"
        for name in os.listdir(folder) if name.endswith(suffix)
    }
    return sorted(name for name in names if not name.startswith(_NOT_FOR_ENVIRONMENTS))


def package_folders(executable: Optional[str]) -> List[str]:
    """Folders of installed packages, in the order that the interpreter itself would search them.

    ``site`` is only asked, never run: neither ``.pth`` files nor ``sitecustomize`` take effect. A virtual environment is
    known by the ``pyvenv.cfg`` beside its ``executable``.
    """
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    folders: List[str] = []
    use_system = True
    environment = _virtual_environment(executable)
    if environment is not None:
        root, use_system = environment
        folders += [os.path.join(root, lib, version, "site-packages") for lib in ("lib", "lib64")]
    if use_system:
        folders.append(_user_folder(version))
        folders += site.getsitepackages(_unique([sys.base_prefix, sys.base_exec_prefix]))
        if not any("dist-packages" in folder for folder in folders):
            folders.append(os.path.join(sys.base_prefix, "lib", version, "site-packages"))
    return [folder for folder in _unique(folders) if os.path.isdir(folder) and not _is_too_much(folder)]


def shared_library_folders() -> List[str]:
    """Where the libraries of compiled packages live; only the zygote may read these, while it preloads."""
    return _unique([os.path.join(sys.base_prefix, "lib"), "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"])


def everything_to_read(executable: Optional[str]) -> List[str]:
    """All that a zygote of this interpreter reads, for an outer wall that must be told beforehand."""
    environment = _virtual_environment(executable)
    own = [os.path.join(environment[0], "pyvenv.cfg")] if environment is not None else []
    return _unique([*own, *library_folders(), *package_folders(executable), *shared_library_folders(), ZONEINFO])


def _virtual_environment(executable: Optional[str]) -> Optional[Tuple[str, bool]]:
    if not executable:
        return None
    beside = os.path.dirname(os.path.abspath(executable))
    for root in (os.path.dirname(beside), beside):
        try:
            with open(os.path.join(root, "pyvenv.cfg"), encoding="utf-8") as file:
                lines = file.read(65536).splitlines()
        except (OSError, ValueError):
            continue
        settings = {key.strip().lower(): value.strip().lower() for key, _, value in (line.partition("=") for line in lines)}
        return root, settings.get("include-system-site-packages") == "true"
    return None


def _user_folder(version: str) -> str:
    try:
        import pwd

        home = pwd.getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError):
        return ""
    return os.path.join(home, ".local", "lib", version, "site-packages")


def _is_too_much(folder: str) -> bool:
    """True for a folder so high up that reading it would be reading the user's files."""
    return os.path.realpath(folder).count("/") < 3


def _unique(paths: List[str]) -> List[str]:
    return list(dict.fromkeys(path for path in paths if path))
