import random
import re


class TollRoadEnv:
    """One question: the cheapest way through a ladder of towns with tolls."""

    def __init__(self, max_turns=3, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self._won = False
        self._north = []
        self._south = []
        self._cross = []
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self._won = False
        self._north = [rng.randint(101, 899) for _ in range(6)]
        self._south = [rng.randint(101, 899) for _ in range(6)]
        self._cross = [rng.randint(40, 320) for _ in range(6)]
        return (
            "Two roads run side by side through six gates. Each gate takes a toll in coins.\n"
            f"North road, gates in order: {self._listed(self._north)}\n"
            f"South road, gates in order: {self._listed(self._south)}\n"
            "After each gate but the last there is a bridge to the other road, with a toll of its own, in order: "
            f"{self._listed(self._cross[:5])}\n"
            "A cart starts before the first gate of the north road and must pass six gates, one of each pair; it may end on either road. "
            "How many coins does the cheapest way take? Give the whole number, for example \\boxed{9999}."
        ), {}

    @staticmethod
    def _listed(numbers):
        return " ".join(str(number) for number in numbers)

    def _cheapest(self):
        north, south = self._north[0], 10**6
        for gate in range(1, 6):
            bridge = self._cross[gate - 1]
            north, south = (
                min(north, south + bridge) + self._north[gate],
                min(south, north + bridge) + self._south[gate],
            )
        return min(north, south)

    def step(self, action):
        if self._won or self.turns >= self.max_turns:
            return "The question is closed.", 0.0, self._won, not self._won, {}
        self.turns += 1
        over = self.turns >= self.max_turns
        match = re.search(r"\\boxed\{\s*([0-9]{1,6})\s*\}", action)
        if not match:
            return "Reply with one whole number in a box, as \\boxed{9999}.", 0.0, False, over, {}
        if int(match.group(1)) == self._cheapest():
            self._won = True
            return "That is the least toll.", 1.0, True, False, {}
        return "That is not the least toll.", 0.0, False, over, {}

    def solution(self):
        return str(self._cheapest())
