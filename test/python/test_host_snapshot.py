"""Snapshots go by value: equal states are equal whatever their history, different ones differ."""

import random
import subprocess
import sys
import types
import unittest
from collections import Counter, deque

from host import ROOT
from envwright_host.plan import disturb
from envwright_host.snapshot import snapshot


class Bag:
    def __init__(self, **values):
        self.__dict__.update(values)


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


def digest(**values):
    return snapshot(Bag(**values))["digest"]


def closure(value):
    return lambda state: state == value


class Private:
    __slots__ = ("__kept",)

    def __init__(self, kept):
        self.__kept = kept


class Liar:
    """Says that it is a dict and a function, and is neither."""

    def __init__(self, kept):
        self.kept = kept

    @property
    def __class__(self):
        return dict


class Listed:
    __slots__ = iter(("kept",))

    def __init__(self, kept):
        self.kept = kept


class Heir(Slotted):
    __slots__ = ("a", "__b")

    def __init__(self, a, b):
        self.a, self.__b = a, b


class Queued:
    line = deque()
    counts = Counter()


class Equality(unittest.TestCase):
    def same(self, first, second):
        self.assertEqual(digest(x=first), digest(x=second))

    def differ(self, *values):
        self.assertEqual(len(values), len({digest(x=value) for value in values}))

    def test_a_function_counts_by_name_and_line_and_what_it_holds_never_by_byte_code(self):
        def made(source):
            scope = {}
            exec(source, scope)
            return scope["f"]

        self.same(made("def f(a=1): return a"), made("def f(a=1): return a + 1"))
        self.differ(made("def f(a=1): return a"), made("def f(a=2): return a"), made("\ndef f(a=1): return a"))
        self.differ(closure(1), closure(2))

    def test_equal_values_are_equal(self):
        self.same([1, {"a": (2, 3)}], [1, {"a": (2, 3)}])
        self.same({3, 1, 2}, {2, 3, 1})
        self.same(Counter("aab"), Counter("aab"))
        self.same(deque([1, 2]), deque([1, 2]))
        self.same(Bag(a=1, b=2), Bag(b=2, a=1))
        self.same(Slotted(1), Slotted(1))
        self.same(random.Random(7), random.Random(7))
        self.same(closure(3), closure(3))
        self.same(object(), object())
        self.same(iter([1]), iter([1]))

    def test_different_values_differ(self):
        self.differ(1, 1.0, True, "1", b"1", None, [1], (1,), {1}, {1: None}, 2)
        self.differ([1, 2], [2, 1], [[1], 2], [1, [2]])
        self.differ({"a": 1, "b": 2}, {"b": 2, "a": 1})
        self.differ(random.Random(7), random.Random(8))
        self.differ(closure(3), closure(4))
        self.differ(Bag(a=1), Bag(a=2), Bag(b=1))
        self.differ("a\ud800", "a", 10**5000, 10**5000 + 1)
        self.differ(float("nan"), float("inf"), 0.0, -0.0)

    def test_slots_count_whatever_their_names_and_however_they_are_listed(self):
        self.differ(Private(1), Private(2))
        self.differ(Listed(1), Listed(2))
        self.differ(Heir(1, 2), Heir(1, 3), Heir(2, 2))
        self.same(Heir(1, [2]), Heir(1, [2]))

    def test_loops_end_and_are_told_apart(self):
        def ring(size):
            nodes = [Bag(value=n) for n in range(size)]
            for index, node in enumerate(nodes):
                node.next = nodes[(index + 1) % size]
            return nodes[0]

        self.same(ring(3), ring(3))
        self.differ(ring(3), ring(4))

    def test_digests_are_equal_in_processes_of_other_hash_seeds(self):
        program = (
            f"import sys; sys.path[:0] = [{ROOT + '/src/python'!r}, {ROOT + '/test/python'!r}]\n"
            "from test_host_snapshot import digest\nprint(digest(words={'iron', 'tin', 'gold'}, table={'a': [1, {'x', 'y'}]}))"
        )
        seen = {
            subprocess.run([sys.executable, "-B", "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
            for seed in ("1", "2")
        }
        self.assertEqual(1, len(seen))


class Values(unittest.TestCase):
    def test_paths_lead_to_what_a_reader_can_tell_apart(self):
        values = snapshot(Bag(stock={"beans": 9}, board=[["a", "b"], ["c"]], who=Bag(name="x"), seen={2, 1}))["values"]
        self.assertEqual({"board[0]": "['a', 'b']", "board[1]": "['c']", "seen": "set({1, 2})", "stock['beans']": "9", "who.name": "'x'"}, values)

    def test_no_address_and_no_identity_enters(self):
        values = snapshot(Bag(thing=object(), rule=closure(1), rng=random.Random(1), lines=iter([])))["values"]
        self.assertNotRegex(" ".join(values.values()), "0x")

    def test_a_huge_state_is_cut_in_the_list_and_whole_in_the_digest(self):
        big = [[n] for n in range(60)]
        states = [Bag(**{f"a{n}": big for n in range(20)}, last=last) for last in (1, 2)]
        first, second = map(snapshot, states)
        self.assertEqual(400, len(first["values"]))
        self.assertNotEqual(first["digest"], second["digest"])

    def test_a_queue_or_a_counter_that_the_class_shares_belongs_to_the_state(self):
        one = Queued()
        seen = {snapshot(one)["digest"]}
        for change in (lambda: Queued.line.append(1), lambda: Queued.counts.update("a")):
            change()
            seen.add(snapshot(one)["digest"])
        self.assertEqual(3, len(seen))
        self.assertLessEqual({"Queued.line", "Queued.counts"}, set(snapshot(one)["values"]))

    def test_what_the_class_shares_belongs_to_the_state(self):
        shared = type("Holder", (Bag,), {"seen": [], "__module__": Bag.__module__})
        before = snapshot(shared())
        shared.seen.append(1)
        self.assertNotEqual(before["digest"], snapshot(shared())["digest"])

    def test_a_value_counts_by_its_own_class_whatever_it_says(self):
        self.assertEqual(digest(x=Liar(1)), digest(x=Liar(1)))
        self.assertNotEqual(digest(x=Liar(1)), digest(x=Liar(2)))

    def test_what_a_file_puts_in_the_place_of_numpy_is_no_hindrance(self):
        real = sys.modules.get("numpy")
        sys.modules["numpy"] = types.ModuleType("numpy")
        try:
            self.assertNotEqual(digest(x=Bag(a=1)), digest(x=Bag(a=2)))
            self.assertEqual({"kind": "disturb"}, disturb(1, None))
        finally:
            del sys.modules["numpy"]
            if real is not None:
                sys.modules["numpy"] = real


if __name__ == "__main__":
    unittest.main()
