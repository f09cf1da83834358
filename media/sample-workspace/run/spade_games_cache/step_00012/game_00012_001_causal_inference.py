"""SPADE self-play generated game"""

import random
import re


class DriftScaleEnv:
    """Take out the drift of a scale."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.a, self.d, self.k = rng.randint(200, 900), rng.randint(2, 9), rng.randint(5, 30)
        return f"A scale gains {self.d} grams a day. After {self.k} days it shows {self.a + self.d * self.k} grams. What does the thing weigh? Reply with \\boxed{{number}}.", {}

    def step(self, action):
        self.turns += 1
        over = self.turns >= self.max_turns
        match = re.search(r"\\boxed\{\s*(-?\d{1,6})\s*\}", action)
        if not match:
            return "Reply with one number in \\boxed{}.", 0.0, False, over, {}
        if int(match.group(1)) == int(self.solution()):
            return "Right.", 1.0, True, False, {}
        return "No.", 0.0, False, over, {}

    def solution(self):
        return str(self.a)
