"""The zygote by its own protocol, on Linux: contained, one killed session leaves the others alone, it ends with its input."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from host import FILE, GUESS, ROOT

from envwright_host.frames import FrameReader, encode_frame

MAIN = os.path.join(os.path.abspath(ROOT), "src", "python", "envwright_host", "native", "main.py")
MEGABYTE = 1024 * 1024


NOBODY = 65534


def as_user(user):
    """Arguments that make ``subprocess`` run a program as another user."""
    return {} if user is None else {"user": user, "group": user, "extra_groups": []}


def interpreter_of_everyone():
    """An interpreter that an ordinary user can run: this one, or the system's."""
    for program in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        try:
            done = subprocess.run([program, "-c", "import sys; sys.exit(sys.version_info < (3, 9))"], cwd="/", check=False, **as_user(NOBODY))
        except OSError:
            continue
        if done.returncode == 0:
            return program
    raise AssertionError("there is no interpreter that an ordinary user can run")


class Zygote:
    def __init__(self, seed="0", program=sys.executable, main=MAIN, user=None):
        self.folder = tempfile.mkdtemp()
        empty = os.path.join(self.folder, "e")
        os.mkdir(empty)
        if user is not None:
            os.chown(self.folder, user, user)
            os.chown(empty, user, user)
        self.socket = os.path.join(self.folder, "s")
        config = {"socket": self.socket, "emptyFolder": empty, "executable": program, "preload": ["no_such_module"], "outerWall": False}
        self.process = subprocess.Popen(
            [program, "-s", "-S", "-B", main, json.dumps(config)], cwd=empty, env={"PYTHONHASHSEED": seed},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, **as_user(user),
        )
        self.first = self.line()

    def line(self):
        return json.loads(self.process.stdout.readline())

    def tell(self, line):
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()

    def close(self):
        self.process.stdin.close()
        code = self.process.wait(10)
        self.process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        return code


class Client:
    def __init__(self, zygote, name, memory=256 * MEGABYTE, cpu=10, waits=False):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(zygote.socket)
        header = {"session": name, "memoryBytes": memory, "cpuSeconds": cpu, "observationChars": 1000, "waits": waits}
        self.socket.sendall(encode_frame(header))
        self.reader = FrameReader(lambda: self.socket.recv(65536))
        self.greeting = self.reader.next()

    def ask(self, op, **fields):
        self.socket.sendall(encode_frame({"id": 1, "op": op, **fields}))
        while True:
            frame = self.reader.next()
            if frame is None or "ok" in frame:
                return frame

    def load(self, source=GUESS, thread="worker"):
        return self.ask("load", source=source, file=FILE, construction="play", maxTurns=25, thread=thread)

    def close(self):
        self.socket.close()


if sys.platform == "linux":

    class Native(unittest.TestCase):
        @classmethod
        def setUpClass(cls):
            cls.zygote = Zygote()
            assert "ready" in cls.zygote.first, cls.zygote.first

        @classmethod
        def tearDownClass(cls):
            assert cls.zygote.close() == 0

        def client(self, name, **limits):
            client = Client(self.zygote, name, **limits)
            self.addCleanup(client.close)
            return client

        def test_every_attack_of_the_self_test_reaches_nothing_from_either_thread(self):
            attacks = self.client("attacked").ask("selftest")["result"]["attacks"]
            self.assertEqual([], [attack for attack in attacks if attack["reached"]])
            self.assertGreater(len({attack["name"] for attack in attacks}), 60)
            self.assertEqual({"worker", "main"}, {attack["thread"] for attack in attacks})

        def test_however_long_a_session_is_to_look_for_the_next_request_it_answers_it(self):
            client = self.client("looking")
            self.assertTrue(client.load()["ok"])
            seen = [client.ask("reset", seed=1, lookUs=look)["result"]["observation"]["text"] for look in (1, 200, 10**15, 0)]
            self.assertEqual(["Guess from 1 to 9."] * 4, seen)

        def test_a_session_that_waits_makes_its_memory_its_own_before_it_is_asked(self):
            first = "import resource\nfaults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt\n"
            source = first + GUESS.replace('return "Guess from 1 to 9."', "return str(faults)")

            def faults_before(name, waits, seconds):
                client = self.client(name, waits=waits)
                time.sleep(seconds)
                self.assertTrue(client.load(source)["ok"])
                return int(client.ask("reset", seed=1)["result"]["observation"]["text"])

            at_once = faults_before("at once", False, 0)
            waited = any(faults_before(f"waiting {seconds}", True, seconds) > at_once + 100 for seconds in (0.2, 0.5, 1, 2, 4, 8))
            self.assertTrue(waited, at_once)

        def test_a_session_that_waits_knows_no_environment_and_answers_at_once(self):
            for seconds in (0, 0.06, 0.3):
                client = self.client(f"waits {seconds}", waits=True)
                time.sleep(seconds)
                self.assertEqual("not-loaded", client.ask("reset", seed=1)["error"]["code"])
                self.assertEqual("GuessEnv", client.load()["result"]["className"])

        def test_sessions_that_wait_draw_differently(self):
            source = GUESS.replace('return "Guess from 1 to 9."', "return str(random.random())")
            drawn = set()
            for name in ("first", "second"):
                client = self.client(f"{name} to draw", waits=True)
                time.sleep(0.3)
                self.assertTrue(client.load("import random\n" + source)["ok"])
                drawn.add(client.ask("reset", seed=1)["result"]["observation"]["text"])
            self.assertEqual(2, len(drawn))

        def test_the_greeting_names_version_layers_and_hash_seed(self):
            greeting = self.client("greeted").greeting
            self.assertEqual((1, "0", ".".join(map(str, sys.version_info[:3]))), (greeting["hello"], greeting["hashSeed"], greeting["python"]))
            self.assertEqual(["namespaces", "private-root", "no-new-privileges", "landlock", "seccomp", "rlimits"], greeting["layers"])

        def test_an_episode_runs_on_the_worker_and_on_the_main_thread(self):
            for thread in ("worker", "main"):
                client = self.client("played " + thread)
                self.assertTrue(client.load(thread=thread)["ok"])
                client.ask("reset", seed=1)
                right = client.ask("solution")["result"]["text"]["text"]
                self.assertEqual(1.0, client.ask("step", action=f"\\boxed{{{right}}}")["result"]["reward"]["json"])

        def test_modules_are_imported_late_from_the_library_only(self):
            client = self.client("importing")
            self.assertTrue(client.load("import wave, colorsys, xml.dom.minidom\n" + GUESS)["ok"])
            self.assertEqual("import", client.load("import envwright_nowhere\n" + GUESS)["error"]["code"])

        def test_what_draws_without_a_seed_differs_from_session_to_session(self):
            source = "import random\nDRAWN = random.random()\n" + GUESS.replace('"Guess from 1 to 9."', "str(DRAWN)")

            def drawn(name):
                client = self.client(name)
                client.load(source)
                return client.ask("reset", seed=1)["result"]["observation"]["text"]

            self.assertNotEqual(drawn("draws"), drawn("draws as well"))

        def test_the_worker_knows_that_it_is_not_the_main_thread_and_locks_work(self):
            source = (
                "import logging, threading\n"
                "assert (threading.current_thread() is threading.main_thread()) is MAIN\n"
                "assert threading.get_ident() in [one.ident for one in threading.enumerate()]\n"
                "lock = threading.Condition()\n"
                "with threading.RLock(), lock: assert not lock.wait(0.001)\n"
                "logging.getLogger('game').warning('told')\n"
            )
            for thread in ("worker", "main"):
                loaded = self.client("threads " + thread).load(source.replace("MAIN", str(thread == "main")) + GUESS, thread=thread)
                self.assertTrue(loaded["ok"], loaded)

        def test_timers_run_on_the_main_thread_as_packages_need_them(self):
            source = "import signal\nsignal.signal(signal.SIGALRM, lambda *a: 1 / 0)\nsignal.setitimer(signal.ITIMER_REAL, 0.05)\nwhile True: pass\n"
            self.assertEqual("ZeroDivisionError", self.client("timed").load(source, thread="main")["error"]["type"])
            self.assertEqual("ValueError", self.client("untimed").load(source)["error"]["type"])

        def test_a_killed_session_is_reported_and_leaves_the_others_alone(self):
            first, second = self.client("killed"), self.client("spared")
            second.load()
            self.zygote.tell({"kill": "killed"})
            while True:
                line = self.zygote.line()
                if line["exit"] == "killed":
                    break
            self.assertEqual(9, line["signal"])
            self.assertIsNone(first.reader.next())
            self.assertTrue(second.ask("reset", seed=1)["ok"])

        def test_too_much_memory_is_an_error_of_the_file_and_the_session_lives(self):
            client = self.client("greedy", memory=64 * MEGABYTE)
            self.assertEqual("memory", client.load("x = bytearray(200 * 1024 * 1024)")["error"]["code"])
            self.assertTrue(client.load()["ok"])

        def test_processor_time_ends_in_a_kill_that_is_told_by_its_use(self):
            client = self.client("busy", cpu=1)
            client.socket.sendall(encode_frame({"id": 1, "op": "load", "source": "while True: pass", "file": FILE, "thread": "worker"}))
            self.assertIsNone(client.reader.next())
            line = self.zygote.line()
            while line["exit"] != "busy":
                line = self.zygote.line()
            self.assertIn(line["signal"], (9, 24))
            self.assertGreater(line["cpuSeconds"], 0.5)

    class Ordinary(unittest.TestCase):
        """Where the tests run as root, the same once more as a user without any right."""

        def test_an_ordinary_user_is_contained_as_root_is(self):
            user = NOBODY if os.geteuid() == 0 else None
            folder = tempfile.mkdtemp()
            self.addCleanup(shutil.rmtree, folder)
            os.chmod(folder, 0o755)
            package = os.path.join(folder, "envwright_host")
            shutil.copytree(os.path.dirname(os.path.dirname(MAIN)), package, ignore=shutil.ignore_patterns("__pycache__"))
            program = sys.executable if user is None else interpreter_of_everyone()
            zygote = Zygote(program=program, main=os.path.join(package, "native", "main.py"), user=user)
            self.assertIn("ready", zygote.first)
            client = Client(zygote, "a")
            attacks = client.ask("selftest")["result"]["attacks"]
            self.assertEqual([], [attack for attack in attacks if attack["reached"]])
            self.assertTrue(client.load()["ok"])
            client.close()
            zygote.close()

    class MissingLayers(unittest.TestCase):
        """A layer that cannot be had is named, and nothing runs: the walls of an outer sandbox refuse to nest here."""

        def test_without_namespaces_nothing_starts(self):
            program = (
                "import ctypes, os, sys\n"
                "library = ctypes.CDLL(None)\n"
                "assert library.unshare(0x10000000) == 0\n"
                "open('/proc/sys/user/max_user_namespaces', 'w').write('0')\n"
                "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])\n"
            )
            folder = tempfile.mkdtemp()
            self.addCleanup(shutil.rmtree, folder)
            config = {"socket": folder + "/s", "emptyFolder": folder, "executable": sys.executable, "preload": [], "outerWall": False}
            done = subprocess.run(
                [sys.executable, "-c", program, "-s", "-S", "-B", MAIN, json.dumps(config)],
                input="", capture_output=True, text=True, timeout=30, check=False,
            )
            self.assertEqual("namespaces", json.loads(done.stdout)["failed"]["layer"], done.stderr)
            self.assertEqual(1, done.returncode)

    class HashSeeds(unittest.TestCase):
        def test_strings_hash_by_the_seed_of_the_zygote(self):
            source = GUESS.replace('return "Guess', 'return str(hash("a")) + "Guess')
            seen = []
            for seed in ("1", "2", "1"):
                zygote = Zygote(seed)
                client = Client(zygote, "a")
                client.load(source)
                seen.append(client.ask("reset", seed=1)["result"]["observation"]["text"])
                client.close()
                zygote.close()
            self.assertEqual(seen[0], seen[2])
            self.assertNotEqual(seen[0], seen[1])


if __name__ == "__main__":
    unittest.main()
