"""The link module reaches an environment by ``pip install`` of its folder without a network, and by ``PYTHONPATH``."""

import base64
import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile

SOURCES = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "src", "python"))
FOLDER = os.path.join(SOURCES, "envwright_link")
MODULES = sorted(name for name in os.listdir(FOLDER) if name.endswith(".py"))
SHOW = "import envwright_link.rollout as r; print(r.__file__); print(r.generate.__name__)"


def backend():
    spec = importlib.util.spec_from_file_location("link_wheel", os.path.join(FOLDER, "build_backend", "link_wheel.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class InstallTest(unittest.TestCase):
    def imported(self, path):
        """Where the module comes from, for a Python that finds it in a folder or wheel."""
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        shown = subprocess.run([sys.executable, "-c", SHOW], env=environment, cwd=tempfile.gettempdir(), capture_output=True, text=True, check=True)
        file, name = shown.stdout.splitlines()
        self.assertEqual(name, "generate")
        return os.path.realpath(file)

    def test_the_wheel_holds_the_modules_and_a_record_of_them(self):
        place = tempfile.mkdtemp()
        name = backend().build_wheel(place)
        with zipfile.ZipFile(os.path.join(place, name)) as wheel:
            self.assertEqual(sorted(entry for entry in wheel.namelist() if "dist-info" not in entry), [f"envwright_link/{module}" for module in MODULES])
            [record] = [entry for entry in wheel.namelist() if entry.endswith("/RECORD")]
            for line in wheel.read(record).decode().splitlines()[:-1]:
                path, digest, size = line.split(",")
                content = wheel.read(path)
                self.assertEqual(int(size), len(content))
                self.assertEqual(digest, "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode())
        self.assertTrue(self.imported(os.path.join(place, name)))

    def test_the_same_sources_give_the_same_wheel(self):
        wheels = []
        for _ in range(2):
            place = tempfile.mkdtemp()
            with open(os.path.join(place, backend().build_wheel(place)), "rb") as file:
                wheels.append(file.read())
        self.assertEqual(*wheels)

    def test_pip_installs_the_folder_without_a_network(self):
        if importlib.util.find_spec("pip") is None:
            return  # An interpreter without pip takes the other way, which is tested below.
        before = sorted(os.listdir(FOLDER))
        place = tempfile.mkdtemp()
        command = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check", "--quiet", "--target", place, FOLDER]
        installed = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(installed.returncode, 0, installed.stderr)
        self.assertEqual(self.imported(place), os.path.realpath(os.path.join(place, "envwright_link", "rollout.py")))
        self.assertEqual(sorted(os.listdir(FOLDER)), before, "nothing is written beside the sources")

    def test_pythonpath_finds_it_in_its_folder(self):
        self.assertEqual(self.imported(SOURCES), os.path.realpath(os.path.join(FOLDER, "rollout.py")))


if __name__ == "__main__":
    unittest.main()
