"""SPADE self-play generated game"""

import random
import re


class DoubleLessEnv:
    """Twice the last, less one number."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.a, self.b = rng.randint(5, 40), rng.randint(1, 4)
        return f"A row starts with {self.a}; each number is twice the one before, less {self.b}. What is the sixth? Reply with \\boxed{{number}}.", {}

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
        return str(32 * self.a - 31 * self.b)
