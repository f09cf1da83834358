"""The link module against a stand-in of the run's modules that has their names and signatures."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "src", "python"))

from stand_in import EnvironmentMemory, stand_in  # noqa: E402

import envwright_link.rollout as link  # noqa: E402
import envwright_link.watch as watch  # noqa: E402
from envwright_link.folders import LinkFolder, write_json  # noqa: E402
from envwright_link.inbox import Inbox  # noqa: E402


class LinkTest(unittest.TestCase):
    def setUp(self):
        self.cache = tempfile.mkdtemp()
        self.folder = LinkFolder.of_run(self.cache)
        self.folder.make()
        # A class of its own each time, since the link wraps the class.
        self.memory_class = type("EnvironmentMemory", (EnvironmentMemory,), {"save": EnvironmentMemory.save})
        self.modules = stand_in(self.memory_class)
        sys.modules.update(self.modules)
        self.addCleanup(lambda: [sys.modules.pop(name, None) for name in self.modules])
        self.args = types.SimpleNamespace(spade_cache_dir=self.cache, spade_game_regeneration_interval=2)
        self.run_module = self.modules["spade.slime.spade_rollout"]

    def rollout(self, rollout_id, evaluation=False):
        return link.generate(self.args, rollout_id, None, evaluation=evaluation)

    def restart(self):
        """As after a kill: a new process, that will load the file."""
        self.run_module._ENV_MEMORY = None
        link._watch.inbox = None

    def push(self, identifier, action="add", stamp=None, **changes):
        record = {
            "game_file": f"/games/{identifier}.py", "skill": "Optimization", "game_code": "x = 1\n", "actor_win_rate": 0.5, "regret": 0.4,
            "rollout_id": 3, "metadata": {"envwright": {"push": identifier}}, **changes,
        }
        value = {"version": 1, "id": identifier, "action": action, **({"record": record} if action == "add" else {})}
        name = f"{stamp or 0:020d}-{identifier}.json"
        write_json(os.path.join(self.folder.inbox, name), value)
        return name

    def saved(self):
        with open(os.path.join(self.cache, "env_memory.json")) as file:
            return [r["game_file"] for r in json.load(file)]

    def receipt(self, identifier, action="add"):
        with open(os.path.join(self.folder.receipts, f"{identifier}.{action}.json")) as file:
            return json.load(file)

    def test_passes_everything_through(self):
        self.assertEqual(self.rollout(0), "rollout 0")
        self.assertEqual(self.rollout(1, evaluation=True), "evaluated")
        self.assertEqual(self.run_module.calls, [(0, False), (1, True)])

    def test_a_push_waits_for_the_buffer_then_is_added_before_the_rollout_and_saved(self):
        self.push("p1")
        self.rollout(0)
        self.assertEqual(len(os.listdir(self.folder.inbox)), 1)
        self.rollout(1)
        self.assertEqual(self.receipt("p1")["state"], "in-memory")
        self.rollout(2)
        self.assertEqual(self.saved(), ["game_0.py", "/games/p1.py", "game_2.py"])
        with open(self.folder.drawn) as file:
            drawn = [json.loads(line) for line in file]
        self.assertIn(("p1", "seed", 2), [(d["push"], d["role"], d["rollout"]) for d in drawn])

    def test_pushes_keep_their_order(self):
        self.rollout(0)
        for stamp, identifier in ((3, "c"), (1, "a"), (2, "b")):
            self.push(identifier, stamp=stamp)
        self.rollout(2)
        self.assertEqual(self.saved(), ["game_0.py", "/games/a.py", "/games/b.py", "/games/c.py", "game_2.py"])

    def test_a_push_that_was_claimed_before_a_crash_is_neither_lost_nor_doubled(self):
        self.rollout(0)
        name = self.push("p1")
        os.rename(os.path.join(self.folder.inbox, name), os.path.join(self.folder.claimed, name))
        self.rollout(1)
        self.assertEqual(self.receipt("p1")["state"], "in-memory")
        self.rollout(2)
        # Killed after the save, before the move: the file is back in claimed, and the next process loads what was saved.
        os.rename(os.path.join(self.folder.done, name), os.path.join(self.folder.claimed, name))
        self.restart()
        self.rollout(3)
        self.rollout(4)
        self.assertEqual(self.saved().count("/games/p1.py"), 1)
        self.assertEqual(os.listdir(self.folder.claimed), [])

    def test_what_was_taken_but_not_saved_is_taken_again_after_a_crash_in_its_order(self):
        self.rollout(0)
        for stamp, identifier in ((1, "a"), (2, "b")):
            self.push(identifier, stamp=stamp)
        self.rollout(1)
        self.assertEqual(len(os.listdir(self.folder.claimed)), 2)
        self.restart()
        self.push("c", stamp=3)
        self.rollout(2)
        self.rollout(3)
        self.rollout(4)
        self.assertEqual([name for name in self.saved() if name.startswith("/")], ["/games/a.py", "/games/b.py", "/games/c.py"])
        self.assertEqual(len(os.listdir(self.folder.done)), 3)

    def test_a_receipt_that_found_no_room_is_written_later(self):
        self.rollout(0)
        name = self.push("p1")
        with mock.patch("envwright_link.inbox.write_json", side_effect=OSError(28, "no space")), self.assertLogs("envwright_link", "ERROR"):
            self.rollout(1)
        self.assertEqual(os.listdir(self.folder.claimed), [name])
        self.assertEqual(os.listdir(self.folder.receipts), [])
        self.rollout(2)
        self.assertEqual(self.receipt("p1")["state"], "in-memory")
        self.assertEqual(self.saved().count("/games/p1.py"), 1)

    def test_a_save_without_room_for_a_second_file_gives_up_the_spare_for_it(self):
        self.rollout(0)
        spare = os.path.join(self.cache, "env_memory.json.envwright.spare")
        self.assertGreaterEqual(os.path.getsize(spare), os.path.getsize(os.path.join(self.cache, "env_memory.json")))
        made = watch._make_beside

        def full_while_the_spare_is_there(beside, target):
            if os.path.exists(spare):
                raise OSError(28, "no space")
            made(beside, target)

        with mock.patch("envwright_link.watch._make_beside", full_while_the_spare_is_there):
            self.rollout(2)
        self.assertEqual(self.saved(), ["game_0.py", "game_2.py"])

    def test_a_save_without_any_room_leaves_the_old_file_and_the_next_one_brings_everything(self):
        self.rollout(0)
        self.push("p1")
        with mock.patch("envwright_link.watch._make_beside", side_effect=OSError(28, "no space")), self.assertLogs("envwright_link", "ERROR"):
            self.assertEqual(self.rollout(2), "rollout 2")
        self.assertEqual(self.saved(), ["game_0.py"])
        self.assertEqual(len(os.listdir(self.folder.claimed)), 1)
        self.rollout(4)
        self.assertEqual(self.saved(), ["game_0.py", "/games/p1.py", "game_2.py", "game_4.py"])
        self.assertEqual(os.listdir(self.folder.claimed), [])

    def test_what_killed_processes_left_over_goes_after_an_hour(self):
        for name, age in (("1", 7200), ("2", 60)):
            path = os.path.join(self.cache, f"env_memory.json.{name}.envwright.tmp")
            with open(path, "w"):
                pass
            os.utime(path, (time.time() - age,) * 2)
        self.rollout(0)
        self.assertEqual([n for n in os.listdir(self.cache) if n.endswith(".tmp")], ["env_memory.json.2.envwright.tmp"])

    def test_where_no_second_file_may_be_made_the_run_saves_as_ever(self):
        self.rollout(0)
        with mock.patch("envwright_link.watch._make_beside", side_effect=watch._NotBeside("here")), self.assertLogs("envwright_link", "ERROR"):
            self.rollout(2)
        self.assertEqual(self.saved(), ["game_0.py", "game_2.py"])

    def test_remove_takes_a_push_back(self):
        self.rollout(0)
        self.push("p1", stamp=1)
        self.push("p1", action="remove", stamp=2)
        self.push("p2", action="remove", stamp=3)
        self.rollout(2)
        self.assertNotIn("/games/p1.py", self.saved())
        self.assertEqual(self.receipt("p1", "remove")["state"], "removed")
        self.assertEqual(self.receipt("p2", "remove")["state"], "not-there")

    def test_bad_inbox_files_are_set_aside_with_a_reason(self):
        self.rollout(0)
        def write(name, text):
            with open(os.path.join(self.folder.inbox, name), "w") as file:
                file.write(text)

        write("1-torn.json", '{"version": 1, "id": "x"')
        write("2-nan.json", '{"version": 1, "id": "x", "action": "add", "record": {"actor_win_rate": NaN}}')
        write("3-deep.json", "[" * 100_000)
        self.push("extra", stamp=4, surplus=1)
        self.push("text", stamp=5, actor_win_rate="high")
        self.push("bool", stamp=6, actor_win_rate=True)
        self.push("other", stamp=7, metadata={"envwright": {"push": "else"}})
        write("8-list.json", "[]")
        self.push("good", stamp=9)
        with self.assertLogs("envwright_link", "WARNING"):
            self.rollout(2)
        refused = os.listdir(self.folder.refused)
        self.assertEqual(len([n for n in refused if n.endswith(".json")]), 8)
        self.assertEqual(len([n for n in refused if n.endswith(".reason.txt")]), 8)
        self.assertEqual(self.saved(), ["game_0.py", "/games/good.py", "game_2.py"])
        self.assertEqual(os.listdir(self.folder.claimed), [])

    def test_what_cannot_be_read_holds_up_nobody_behind_it(self):
        self.rollout(0)
        os.mkdir(os.path.join(self.folder.inbox, f"{1:020d}-folder.json"))
        self.push("p1", stamp=2)
        with self.assertLogs("envwright_link", "WARNING") as logged:
            self.rollout(1)
        self.assertIn("cannot be read", logged.output[0])
        self.assertEqual(self.receipt("p1")["state"], "in-memory")

    def test_a_failing_add_is_answered_and_does_not_stop_the_others(self):
        self.rollout(0)
        self.push("p1", stamp=1)
        self.push("p2", stamp=2)
        add = self.memory_class.add

        def refuse_first(memory, *args, **kwargs):
            if kwargs.get("game_file") == "/games/p1.py":
                raise RuntimeError("no room")
            return add(memory, *args, **kwargs)

        self.memory_class.add = refuse_first
        with self.assertLogs("envwright_link", "ERROR"):
            self.rollout(1)
        self.assertEqual(self.receipt("p1")["state"], "failed")
        self.assertIn("no room", self.receipt("p1")["reason"])
        self.assertEqual(self.receipt("p2")["state"], "in-memory")

    def test_the_rollout_goes_on_whatever_fails_in_the_link(self):
        with open(os.path.join(self.cache, "envwright-file"), "w"):
            pass
        self.args.spade_cache_dir = os.path.join(self.cache, "envwright-file")
        self.run_module._ENV_MEMORY = self.memory_class()
        with self.assertLogs("envwright_link", "ERROR"):
            with self.assertRaises(NotADirectoryError):
                # The stand-in's own save fails; the link's failure before it did not stop the call.
                self.rollout(0)
        self.assertEqual(self.run_module.calls, [(0, False)])

    def test_a_run_without_a_cache_folder_is_left_alone(self):
        self.run_module._ENV_MEMORY = self.memory_class()
        self.args.spade_cache_dir = ""
        with self.assertLogs("envwright_link", "WARNING"):
            self.assertEqual(self.rollout(1), "rollout 1")

    def test_a_save_that_fails_leaves_the_old_file_whole_and_raises_as_ever(self):
        self.rollout(0)
        before = self.saved()
        self.run_module._ENV_MEMORY.add("bad.py", "Optimization", "x", 0.5, metadata={"no": object()})  # json refuses it half way
        with self.assertRaises(TypeError):
            self.rollout(2)
        self.assertEqual(self.saved(), before)
        self.assertEqual([n for n in os.listdir(self.cache) if n.endswith(".tmp")], [])

    def test_a_reader_never_meets_half_a_file(self):
        self.rollout(0)
        memory = self.run_module._ENV_MEMORY
        for index in range(190):
            memory.add(f"g{index}.py", "Optimization", "y" * 1500, 0.5)
        path = os.path.join(self.cache, "env_memory.json")
        torn, stop = [], threading.Event()

        def read():
            while not stop.is_set():
                try:
                    with open(path) as file:
                        json.load(file)
                except ValueError as error:
                    torn.append(error)

        reader = threading.Thread(target=read)
        reader.start()
        for _ in range(40):
            memory.save(path)
        stop.set()
        reader.join()
        self.assertEqual(torn, [])

    def test_the_heartbeat_tells_rollout_interval_and_size(self):
        self.rollout(0)
        with open(self.folder.heartbeat) as file:
            first = json.load(file)
        self.assertIsNone(first["memorySize"])
        self.rollout(1)
        with open(self.folder.heartbeat) as file:
            second = json.load(file)
        self.assertEqual((second["rollout"], second["interval"], second["memorySize"]), (1, 2, 1))

    def test_of_several_processes_one_takes_until_it_ends(self):
        self.push("p1")
        script = (
            "import sys, types; sys.path.insert(0, sys.argv[1])\n"
            "from envwright_link.folders import LinkFolder; from envwright_link.inbox import Inbox\n"
            "memory = types.SimpleNamespace(records=[], add=lambda **record: memory.records.append(types.SimpleNamespace(**record)))\n"
            "Inbox(LinkFolder.of_run(sys.argv[2])).take(memory, 1)\n"
            "print(len(memory.records), flush=True); sys.stdin.read()\n"
        )
        command = [sys.executable, "-c", script, os.path.join(os.path.dirname(__file__), "..", "..", "src", "python"), self.cache]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
            self.assertEqual(first.stdout.readline(), "1\n")
            mine = self.memory_class()
            Inbox(self.folder).take(mine, 1)
            self.assertEqual(mine.records, [])
            first.stdin.close()
        # It ended without a save: what it had taken is taken again.
        Inbox(self.folder).take(mine, 2)
        self.assertEqual([record.game_file for record in mine.records], ["/games/p1.py"])

    def test_the_heartbeat_tells_how_the_run_was_started_and_keeps_keys_out(self):
        self.args.spade_skills, self.args.rollout_batch_size, self.args.wandb_key = ["Optimization"], 24, "secret-value"
        self.rollout(0)
        with open(self.folder.heartbeat) as file:
            text = file.read()
        self.assertEqual(json.loads(text)["settings"]["rollout_batch_size"], 24)
        self.assertEqual(json.loads(text)["settings"]["spade_skills"], ["Optimization"])
        self.assertNotIn("secret-value", text)

    def test_another_rollout_function_by_environment_variable(self):
        other = types.ModuleType("other_run")
        other.generate = lambda args, rollout_id, data_source, evaluation=False: ("other", rollout_id)
        other.generate.__module__ = "other_run"
        sys.modules["other_run"] = other
        self.addCleanup(lambda: sys.modules.pop("other_run"))
        os.environ[link.ROLLOUT_VARIABLE] = "other_run.generate"
        self.addCleanup(lambda: os.environ.pop(link.ROLLOUT_VARIABLE))
        self.assertEqual(self.rollout(4), ("other", 4))


if __name__ == "__main__":
    unittest.main()
