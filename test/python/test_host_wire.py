"""Values cross without loss of meaning, and hostile ones cross at all."""

import collections
import decimal
import enum
import json
import random
import unittest

import host  # noqa: F401  puts the host on the path
from envwright_host import limits
from envwright_host.frames import FrameReader, encode_frame
from envwright_host.wire import wire_text, wire_value


class Values(unittest.TestCase):
    def test_flags_and_numbers_keep_their_type(self):
        self.assertEqual({"type": "bool", "repr": "True", "number": 1, "json": True}, wire_value(True))
        self.assertEqual({"type": "int", "repr": "1", "number": 1, "json": 1}, wire_value(1))
        self.assertEqual({"type": "float", "repr": "1.0", "number": 1.0, "json": 1.0}, wire_value(1.0))
        self.assertEqual({"type": "NoneType", "repr": "None", "json": None}, wire_value(None))

    def test_what_is_built_on_a_built_in_type_says_on_which(self):
        class Info(dict):
            pass

        class Pay(enum.IntEnum):
            ALL = 1

        class Say(str, enum.Enum):
            NO = "no"

        self.assertEqual(("dict", "int", "str"), (wire_value(Info())["base"], wire_value(Pay.ALL)["base"], wire_text(Say.NO, 9)["base"]))
        for plain in (True, 1, 1.0, "a", {}, None, collections.UserDict(), decimal.Decimal(1), [1]):
            self.assertNotIn("base", wire_value(plain))
        self.assertNotIn("base", wire_text("a", 9))
        self.assertNotIn("base", wire_text(3, 9))

    def test_numbers_that_json_cannot_hold_have_names(self):
        for value, name in ((float("nan"), "NaN"), (float("inf"), "Infinity"), (float("-inf"), "-Infinity")):
            wire = wire_value(value)
            self.assertEqual((name, False), (wire["number"], "json" in wire))

    def test_huge_integers_cross_by_their_text_only(self):
        self.assertEqual({"type": "int", "repr": str(2**60)}, wire_value(2**60))
        wire = wire_value(10**20000)
        self.assertLessEqual(len(wire["repr"]), limits.REPR_CHARS)
        self.assertNotIn("number", wire)

    def test_containers_have_a_json_form_only_where_nothing_is_lost(self):
        self.assertEqual({"a": [1, None, "x"]}, wire_value({"a": [1, None, "x"]})["json"])
        for lossy in ({1: 2}, (1, 2), {"a": float("nan")}, {"a": {1, 2}}, [2**60], [1] * (limits.JSON_NODES + 1)):
            self.assertNotIn("json", wire_value(lossy))

    def test_loops_and_deep_values_end(self):
        loop = []
        loop.append(loop)
        deep = []
        for _ in range(100_000):
            deep = [deep]
        for value in (loop, deep):
            self.assertNotIn("json", wire_value(value))

    def test_hostile_objects_cross_as_something(self):
        class Hostile:
            def __repr__(self):
                raise ZeroDivisionError

            __str__ = __repr__

        class Liar(Hostile):
            __module__ = 7
            __qualname__ = "Liar"

            def __repr__(self):
                return 7

        self.assertIn("ZeroDivisionError", wire_value(Hostile())["repr"])
        self.assertIn("TypeError", wire_value(Liar())["repr"])
        self.assertIn("ZeroDivisionError", wire_text(Hostile(), 300)["text"])

    def test_a_value_that_leaves_the_process_when_it_is_looked_at_crosses_too(self):
        class Leaving(float):
            def __repr__(self):
                raise SystemExit

            def __str__(self):
                raise KeyboardInterrupt

            def __float__(self):
                raise SystemExit

        class Nameless(type):
            def __getattribute__(cls, name):
                raise SystemExit

        class Unnamed(metaclass=Nameless):
            pass

        self.assertIn("repr raised SystemExit", wire_value(Leaving(1))["repr"])
        self.assertIn("str raised KeyboardInterrupt", wire_text(Leaving(1), 999)["text"])
        self.assertEqual("?", wire_value(Unnamed())["type"])

    def test_names_are_qualified_unless_built_in(self):
        self.assertEqual("random.Random", wire_value(random.Random(1))["type"])


class Texts(unittest.TestCase):
    def test_length_counts_code_points_before_the_cut(self):
        self.assertEqual({"type": "str", "text": "😀é", "length": 4, "cut": True}, wire_text("😀éab", 2))

    def test_lone_surrogates_survive_the_journey(self):
        frame = {"id": 1, "ok": True, "result": wire_text("a\ud800b", 10)}
        self.assertEqual("a\ud800b", json.loads(encode_frame(frame)[4:])["result"]["text"])

    def test_what_is_no_text_says_so(self):
        self.assertEqual(("NoneType", "None"), (wire_text(None, 9)["type"], wire_text(None, 9)["text"]))


class Frames(unittest.TestCase):
    def reader(self, data, size):
        pieces = [data[start : start + size] for start in range(0, len(data), size)] + [b""]
        return FrameReader(lambda: pieces.pop(0) if pieces else b"")

    def test_frames_survive_any_cut(self):
        frames = [{"n": n, "text": "é\ud800" * n} for n in range(5)]
        data = b"".join(map(encode_frame, frames))
        for size in (1, 3, 7, len(data)):
            reader = self.reader(data, size)
            self.assertEqual([*frames, None], [reader.next() for _ in range(6)])

    def test_what_is_no_frame_is_refused(self):
        for data in (b"\xff\xff\xff\xff", b"\0\0\0\2[]", b"\0\0\0\1{", b"\0\0\0\4{}{}", b"\0\0\0\2\xff\xff", b"\0\0\0\0"):
            for size in (4, len(data)):
                with self.assertRaises(ValueError):
                    self.reader(data, size).next()

    def test_what_json_cannot_hold_is_refused(self):
        for value in (float("nan"), float("inf"), {1, 2}, b"x"):
            with self.assertRaises((TypeError, ValueError)):
                encode_frame({"id": 1, "result": [value]})

    def test_a_reply_that_is_too_long_becomes_an_error_and_a_log_says_what_was_dropped(self):
        long = "x" * (17 * 1024 * 1024)
        self.assertEqual("bad-request", json.loads(encode_frame({"id": 1, "ok": True, "result": long})[4:])["error"]["code"])
        self.assertEqual("log", json.loads(encode_frame({"id": 1, "event": "run", "run": long})[4:])["event"])


if __name__ == "__main__":
    unittest.main()
