"""SPADE self-play generated game"""

import random
import re


class EveryThirdEnv:
    """Every third number falls."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.n = rng.randint(60, 400)
        return f"Write 1 to {self.n} and strike out every third one. Which number stands at place 40 of the rest? Reply with \\boxed{{number}}.", {}

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
        return str(59)
