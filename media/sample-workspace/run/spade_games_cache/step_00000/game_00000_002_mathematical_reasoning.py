"""SPADE self-play generated game"""

import random
import re


class TwoTapsEnv:
    """Water in a tank after two taps ran."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.a, self.b, self.t = rng.randint(7, 40), rng.randint(2, 30), rng.randint(11, 90)
        return f"One tap brings {self.a} litres a minute, a drain takes {self.b}. How many litres more are in the tank after {self.t} minutes? Reply with \\boxed{{number}}.", {}

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
        return str((self.a - self.b) * self.t)
