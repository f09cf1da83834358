/** An attack that is peculiar to a Python in WebAssembly. Its source raises, or ends its session, unless it reached what it aims at. */
export interface Attack {
  readonly group: 'javascript' | 'files' | 'processes' | 'network' | 'memory' | 'host';
  readonly name: string;
  readonly source: string;
}

const unblock = `
import sys, importlib, importlib.machinery
sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "_NoBridges"]
`;

const writable = (flags: string): string => `
import os, sys, fcntl
path = next(entry for entry in sys.path if entry.endswith(".zip"))
fd = os.open(path, os.O_RDONLY)
${flags}
assert os.write(fd, b"PK") == 2
`;

/**
 * Tried one after the other at every start of the backend, each on a fresh image. Attacks that every Python knows are the
 * host's own list.
 */
export const EMBEDDED_ATTACKS: readonly Attack[] = [
  { group: 'javascript', name: 'import js', source: 'import js\ndir(js)' },
  { group: 'javascript', name: 'import pyodide_js', source: 'import pyodide_js\npyodide_js.version' },
  { group: 'javascript', name: 'import pyodide_js past the finder', source: `${unblock}import pyodide_js\npyodide_js.loadPackage.constructor("return process")()` },
  { group: 'javascript', name: 'run_js', source: `${unblock}from pyodide.code import run_js\nrun_js("1")` },
  { group: 'javascript', name: 'the builtin bridge module', source: `${unblock}import _pyodide_core\n_pyodide_core.run_js("1")` },
  {
    group: 'javascript', name: 'proxies left in memory',
    source: 'import gc\nfinders = [o for o in gc.get_objects() if type(o).__name__ == "JsFinder"]\nassert finders\nfor finder in finders:\n    for proxy in finder.jsproxies.values():\n        proxy.constructor',
  },
  {
    group: 'javascript', name: 'proxy types by subclasses',
    source: 'kinds = [k for k in object.__subclasses__() if k.__name__ == "JsProxy"]\nassert kinds\nkinds[0].new\nkinds[0].__getattribute__(kinds[0].__new__(kinds[0]), "constructor")',
  },
  { group: 'javascript', name: 'the event loop of JavaScript', source: `${unblock}from js import setTimeout\nassert callable(setTimeout)` },
  { group: 'javascript', name: 'fetch', source: `${unblock}from js import fetch\nassert callable(fetch)` },
  { group: 'javascript', name: 'a function of foreign code', source: `${unblock}import ctypes\nctypes.CDLL(None).emscripten_run_script(b"1")` },
  { group: 'javascript', name: 'a dynamic library', source: 'import _imp, importlib.machinery as m\n_imp.create_dynamic(m.ModuleSpec("x", None, origin="/tmp/x.so"))' },
  { group: 'processes', name: 'os.system', source: 'import os\nassert os.system("exit 0") == 0' },
  { group: 'processes', name: 'os.fork', source: 'import os\nos.fork()' },
  { group: 'processes', name: 'os.posix_spawn', source: 'import os\nos.posix_spawn("/bin/true", ["true"], {})' },
  { group: 'processes', name: 'signal to the parent', source: 'import os\nassert os.getppid() > 1\nos.kill(os.getppid(), 0)' },
  { group: 'files', name: 'the file system of the host', source: `${unblock}import pyodide_js\npyodide_js.mountNodeFS("/mnt", "/")` },
  { group: 'files', name: 'a file of the host', source: 'open("/etc/passwd").read()' },
  { group: 'files', name: 'a new file', source: 'open("/tmp/new", "w").write("x")' },
  { group: 'files', name: 'the standard library', source: 'import os, sys\npath = next(e for e in sys.path if e.endswith(".zip"))\nos.open(path, os.O_RDWR)' },
  { group: 'files', name: 'a descriptor made writable by F_SETFL', source: writable('fcntl.fcntl(fd, fcntl.F_SETFL, os.O_RDWR)') },
  { group: 'files', name: 'a writable copy of a descriptor', source: writable('fd = fcntl.fcntl(fd, fcntl.F_DUPFD, 50)\nfcntl.fcntl(fd, fcntl.F_SETFL, os.O_WRONLY)') },
  {
    group: 'files', name: 'a shared mapping',
    source: 'import mmap, os, sys\npath = next(e for e in sys.path if e.endswith(".zip"))\nm = mmap.mmap(os.open(path, os.O_RDONLY), 4096, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ | mmap.PROT_WRITE)\n'
      + 'm[:2] = b"XX"\nm.flush()\nm.close()\nassert open(path, "rb").read(2) == b"XX"',
  },
  { group: 'files', name: 'truncation', source: 'import os, sys\nos.truncate(next(e for e in sys.path if e.endswith(".zip")), 0)' },
  { group: 'files', name: 'renaming', source: 'import os, sys\nos.rename(next(e for e in sys.path if e.endswith(".zip")), "/tmp/x")' },
  { group: 'files', name: 'deletion', source: 'import os, sys\nos.unlink(next(e for e in sys.path if e.endswith(".zip")))' },
  { group: 'files', name: 'a folder, a link', source: 'import os\nfor make in (lambda: os.mkdir("/tmp/d"), lambda: os.symlink("/", "/tmp/l")):\n    try:\n        make()\n        break\n    except OSError:\n        pass\nelse:\n    raise OSError' },
  { group: 'files', name: 'change of mode', source: 'import os, sys\nos.chmod(next(e for e in sys.path if e.endswith(".zip")), 0)' },
  { group: 'network', name: 'a socket', source: 'import socket\nsocket.socket().connect(("127.0.0.1", 9))' },
  { group: 'network', name: 'a name', source: 'import socket\nsocket.getaddrinfo("localhost", 80)' },
  { group: 'host', name: 'environment variables', source: 'import os\nassert set(os.environ) - {"HOME", "LANG", "PATH", "PWD", "USER", "LOGNAME", "PYTHONHASHSEED"} or os.environ["HOME"] != "/"' },
  { group: 'host', name: 'standard input', source: 'import os\nassert os.read(0, 1)' },
  { group: 'host', name: 'a thread', source: 'import threading\nthreading.Thread(target=print).start()' },
  { group: 'memory', name: 'memory without end', source: 'kept = []\nfor _ in range(4096):\n    kept.append(bytearray(1 << 24))' },
];
