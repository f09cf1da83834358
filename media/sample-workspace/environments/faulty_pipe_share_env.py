import math
import random
import re


class PipeShareEnv:
    """Faulty twice: its own solution cannot win, since the pattern stops at the first brace, and a win would be flagged as truncated."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.pair = (2, 3)
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        a = rng.randint(2, 40)
        self.pair = (a, a + rng.randint(1, 25))
        return (
            f"One pipe fills a tank in {self.pair[0]} hours, another in {self.pair[1]} hours. How many hours do both need together? "
            "Reply with a LaTeX fraction in lowest terms, as \\boxed{\\frac{a}{b}}."
        ), {}

    def step(self, action):
        self.turns += 1
        over = self.turns >= self.max_turns
        match = re.search(r"\\boxed\{([^}]+)\}", action)
        if match and match.group(1) == self.solution():
            return "The tank is full.", 1.0, False, True, {}
        return "The tank is not full yet.", 0.0, False, over, {}

    def solution(self):
        top, bottom = self.pair[0] * self.pair[1], self.pair[0] + self.pair[1]
        shared = math.gcd(top, bottom)
        return f"\\frac{{{top // shared}}}{{{bottom // shared}}}"
