"""SPADE self-play generated game"""

import random
import re


class StairNumbersEnv:
    """Next in a row of second differences."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.a, self.b, self.c = rng.randint(2, 30), rng.randint(2, 12), rng.randint(2, 9)
        return f"Continue: {', '.join(str(self.a + self.b * i + self.c * i * i) for i in range(5))}. Reply with \\boxed{{number}}.", {}

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
        return str(self.a + self.b * 5 + self.c * 25)
