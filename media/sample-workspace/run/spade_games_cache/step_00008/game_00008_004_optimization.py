"""SPADE self-play generated game"""

import random
import re


class WeighingInEnv:
    """Fewest weighings to find the heavy coin."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.k = rng.randint(3, 9)
        self.n = 3 ** self.k - rng.randint(0, 3 ** self.k // 3)
        return f"Among {self.n} coins one is heavier. How many weighings on a balance are enough? Reply with \\boxed{{number}}.", {}

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
        return str(self.k)
