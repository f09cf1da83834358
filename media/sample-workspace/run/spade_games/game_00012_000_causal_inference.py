"""SPADE self-play generated game"""

import random
import re


class DimmerBoxEnv:
    """Which of the switches did it."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.n, self.m = rng.randint(40, 400), rng.randint(40, 400)
        return f"With the valve open {self.n} bottles break a day, with it shut {self.m} less than twice as many. How many break with it shut? Reply with \\boxed{{number}}.", {}

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
        return str(2 * self.n - self.m)
