"""SPADE self-play generated game"""

import random
import re


class TicketChangeEnv:
    """Change from a note after several tickets."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.n, self.price = rng.randint(2, 9), rng.randint(135, 875)
        return f"{self.n} tickets cost {self.price} cents each. How many cents come back from a note of 100.00? Reply with \\boxed{{number}}.", {}

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
        return str(10000 - self.n * self.price)
