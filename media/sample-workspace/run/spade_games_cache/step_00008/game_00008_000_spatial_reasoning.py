"""SPADE self-play generated game"""

import random
import re


class WalkBackEnv:
    """Steps home on a grid."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.a, self.b, self.c = rng.randint(20, 90), rng.randint(20, 90), rng.randint(1, 19)
        return f"You go {self.a} blocks north, {self.b} east and {self.c} south. How many blocks is the shortest way back along the streets? Reply with \\boxed{{number}}.", {}

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
        return str(self.a - self.c + self.b)
