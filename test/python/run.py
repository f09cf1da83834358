"""Runs the Python tests on every interpreter to be found, each version once: ``python3 test/python/run.py``.

Looks on the PATH for ``python3`` and ``python3.9`` to ``python3.14``, and in the folders where pyenv and uv keep theirs.
Fails when any of them fails; what was and was not found is said.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
VERSIONS = range(9, 15)


def candidates():
    yield sys.executable
    for name in ["python3", *(f"python3.{minor}" for minor in VERSIONS)]:
        found = shutil.which(name)
        if found:
            yield found
    home = os.path.expanduser("~")
    for pattern in (os.environ.get("PYENV_ROOT", home + "/.pyenv") + "/versions/*/bin/python3", home + "/.local/share/uv/python/*/bin/python3"):
        yield from sorted(glob.glob(pattern))


def interpreters():
    """Minor version to the first interpreter of it that works."""
    found = {}
    for program in candidates():
        probe = subprocess.run([program, "-I", "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True, check=False)
        major, _, minor = probe.stdout.strip().partition(" ")
        if probe.returncode == 0 and major == "3" and int(minor) in VERSIONS:
            found.setdefault(int(minor), program)
    return dict(sorted(found.items()))


def main():
    found = interpreters()
    missing = [f"3.{minor}" for minor in VERSIONS if minor not in found]
    if not found:
        print("no interpreter from 3.9 on was found", file=sys.stderr)
        return 1
    failed = []
    for minor, program in found.items():
        print(f"Python 3.{minor}: {program}", file=sys.stderr, flush=True)
        command = [program, "-B", "-m", "unittest", "discover", "-s", HERE, "-t", HERE]
        with tempfile.TemporaryDirectory(prefix="ew-") as folder:
            os.chmod(folder, 0o1777)
            code = subprocess.run(command, cwd=ROOT, env={**os.environ, "TMPDIR": folder}, check=False).returncode
        if code != 0:
            failed.append(f"3.{minor}")
    print(f"ran on {', '.join(f'3.{minor}' for minor in found)}; not present: {', '.join(missing) or 'none'}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
