import random
import re

COLOURS = ["amber", "azure", "coral", "ivory", "jade", "lilac", "olive", "ruby", "sepia", "teal"]


class MoodRingEnv:
    """Faulty: the seed is taken and never used, so no two plays are on the same instance and the gap between arms means nothing."""

    def __init__(self, max_turns=6, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.ring = ()
        self.reset()

    def reset(self, seed=None):
        self.turns = 0
        self.ring = tuple(random.sample(COLOURS, 3))
        return (
            "A ring shows three different colours in a hidden order, out of: " + ", ".join(COLOURS) + ". Name all three in order as "
            "\\boxed{first second third}. You will hear how many are in their place."
        ), {}

    def step(self, action):
        self.turns += 1
        match = re.search(r"\\boxed\{([a-z ]+)\}", action.lower())
        guess = tuple(match.group(1).split()) if match else ()
        if guess == self.ring:
            return "The ring glows.", 1.0, True, False, {}
        hits = sum(a == b for a, b in zip(guess, self.ring))
        return f"{hits} in place.", 0.0, False, self.turns >= self.max_turns, {}

    def solution(self):
        return " ".join(self.ring)
