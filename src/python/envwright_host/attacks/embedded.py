"""The ways out of a Python inside WebAssembly: JavaScript, the host's file system, libraries loaded at run time."""

from __future__ import annotations

import importlib
from typing import Optional

from .registry import attack


@attack("embedded")
def reach_javascript() -> Optional[str]:
    module = importlib.import_module("js")
    names = [name for name in ("process", "require", "fetch", "globalThis", "eval", "Function", "WebAssembly") if hasattr(module, name)]
    return f"js has {names}" if names else None


@attack("embedded")
def reach_the_pyodide_interface() -> Optional[str]:
    module = importlib.import_module("pyodide_js")
    names = [name for name in ("_module", "FS", "loadPackage", "runPython") if hasattr(module, name)]
    return f"pyodide_js has {names}" if names else None


@attack("embedded")
def run_javascript() -> Optional[str]:
    code = importlib.import_module("pyodide.code")
    return f"ran JavaScript: {code.run_js('1 + 1')}"


@attack("embedded")
def make_a_javascript_object() -> Optional[str]:
    ffi = importlib.import_module("pyodide.ffi")
    return f"made {ffi.to_js({'x': 1})!r}"


@attack("embedded")
def reach_the_function_constructor() -> Optional[str]:
    ffi = importlib.import_module("pyodide.ffi")
    proxy = ffi.create_proxy(len)
    return f"reached {proxy.constructor.constructor('return process')()!r}"


@attack("embedded")
def mount_the_hosts_files() -> Optional[str]:
    module = importlib.import_module("pyodide_js")
    module.FS.mkdir("/envwright-attack")
    module.mountNodeFS("/envwright-attack", "/")
    return "mounted the host's files"


@attack("embedded")
def fetch_by_the_platform() -> Optional[str]:
    http = importlib.import_module("pyodide.http")
    return f"made {http.open_url('http://127.0.0.1/')!r}"


@attack("embedded")
def reach_the_core_module() -> Optional[str]:
    core = importlib.import_module("_pyodide_core")
    return f"made {core.create_proxy(len)!r}" if hasattr(core, "create_proxy") else None
