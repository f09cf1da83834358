import random
import re


class ClockAngleEnv:
    """One question: the smaller angle between the hands of a clock."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.over = False
        self.hour = 12
        self.minute = 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.over = False
        self.hour = rng.randint(1, 12)
        self.minute = rng.randint(1, 59)
        return (
            f"A clock shows {self.hour}:{self.minute:02d}. How many degrees is the smaller angle between its hands? "
            "Reply with \\boxed{degrees}, halves as .5."
        ), {}

    def _half_degrees(self):
        gap = abs(self.hour % 12 * 60 - self.minute * 11) % 720
        return min(gap, 720 - gap)

    def step(self, action):
        if self.over:
            return "The question was answered already.", 0.0, True, False, {}
        self.turns += 1
        over = self.turns >= self.max_turns
        match = re.search(r"\\boxed\{\s*(\d{1,3}(?:\.\d{1,3})?)\s*\}", action)
        if not match:
            return "Please reply with one number, as \\boxed{degrees}.", 0.0, False, over, {}
        if float(match.group(1)) * 2 == self._half_degrees():
            self.over = True
            return "That is the angle.", 1.0, True, False, {}
        return "That is not the angle.", 0.0, False, over, {}

    def solution(self):
        half = self._half_degrees()
        return f"{half // 2}.5" if half % 2 else str(half // 2)
