"""SPADE self-play generated game"""

import random
import re


class HatQueueEnv:
    """How many hats of one colour can be left."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.red, self.blue = rng.randint(20, 400), rng.randint(20, 400)
        return f"A box holds {self.red} red and {self.blue} blue hats. People take one red and one blue hat together until a colour is gone. How many hats are left? Reply with \\boxed{{number}}.", {}

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
        return str(abs(self.red - self.blue))
