"""SPADE self-play generated game"""

import random
import re


class FenceRowEnv:
    """Posts of a closed fence."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.long, self.wide, self.gap = rng.randint(20, 60) * 6, rng.randint(20, 60) * 6, rng.choice([2, 3, 6])
        return f"A field of {self.long} by {self.wide} metres gets a closed fence with a post every {self.gap} metres. How many posts? Reply with \\boxed{{number}}.", {}

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
        return str(2 * (self.long + self.wide) // self.gap)
