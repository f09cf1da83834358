import random
import re


class FreightLiftEnv:
    """Several turns: bring all crates up with a lift that carries little, before the shift ends."""

    def __init__(self, max_turns=14, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self._weights = []
        self._limit = 0
        self._below = []
        self._trips_left = 0
        self._labels = {}
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self._limit = rng.randint(30, 40)
        self._weights = []
        trips = rng.randint(3, 4)
        for _ in range(trips):
            first = rng.randint(self._limit // 3, self._limit // 2)
            self._weights += [first, self._limit - first - rng.randint(0, 1)]
        rng.shuffle(self._weights)
        self._labels = {chr(ord("A") + index): weight for index, weight in enumerate(self._weights)}
        self._below = sorted(self._labels)
        self._trips_left = trips
        return (
            f"{len(self._below)} crates stand below, each with a letter. A lift carries one or two crates a trip, at most {self._limit} kg, "
            f"and has power for {trips} trips. Bring all crates up.\n"
            "You do not know the weights; a scale tells them. Actions: \\boxed{weigh A} tells the weight of one crate, \\boxed{lift A B} or "
            "\\boxed{lift A} makes a trip. A trip that is too heavy uses power and brings nothing up.\n" + self._view()
        ), {}

    def _view(self):
        return f"Below: {' '.join(self._below)}. Trips left: {self._trips_left}."

    def step(self, action):
        ended = not self._below or self._trips_left == 0
        if ended or self.turns >= self.max_turns:
            return "The shift is over.", 0.0, ended, not ended, {}
        self.turns += 1
        over = self.turns >= self.max_turns
        match = re.search(r"\\boxed\{\s*([a-zA-Z]{1,8})((?:\s+[a-zA-Z]){0,2})\s*\}", action)
        if not match:
            return "Act in a box, as \\boxed{weigh A} or \\boxed{lift A B}. " + self._view(), 0.0, False, over, {}
        verb, crates = match.group(1).lower(), match.group(2).upper().split()
        if not crates or len(set(crates)) != len(crates) or any(crate not in self._below for crate in crates):
            return "Name one or two different crates that are still below. " + self._view(), 0.0, False, over, {}
        if verb == "weigh" and len(crates) == 1:
            return f"Crate {crates[0]} weighs {self._labels[crates[0]]} kg. " + self._view(), 0.0, False, over, {}
        if verb != "lift":
            return "Weigh one crate, or lift one or two. " + self._view(), 0.0, False, over, {}
        return self._lift(crates, over)

    def _lift(self, crates, over):
        self._trips_left -= 1
        if sum(self._labels[crate] for crate in crates) > self._limit:
            text = "The lift creaks and stays below: too heavy. "
        else:
            self._below = [crate for crate in self._below if crate not in crates]
            text = "The lift goes up. "
        if not self._below:
            return text + "All crates are up.", 1.0, True, False, {}
        if self._trips_left == 0:
            return text + "The power is used up and crates are left below.", 0.0, True, False, {}
        return text + self._view(), 0.0, False, over, {}

    def _pairs(self, left):
        """A way to lift these crates in pairs that fit, None when there is none."""
        if not left:
            return []
        first, rest = left[0], left[1:]
        for partner in rest:
            if self._labels[first] + self._labels[partner] <= self._limit:
                others = self._pairs([crate for crate in rest if crate != partner])
                if others is not None:
                    return [[first, partner]] + others
        return None

    def solution(self):
        pairs = self._pairs(self._below) or [[crate] for crate in self._below]
        return "\n".join(f"\\boxed{{lift {' '.join(pair)}}}" for pair in pairs)
