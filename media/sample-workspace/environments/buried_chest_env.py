import random
import re

MOVES = {"north": (0, -1), "south": (0, 1), "west": (-1, 0), "east": (1, 0)}
SIZE = 9


class BuriedChestEnv:
    """Several turns: walk over a field, listen to a detector, dig once in the right place."""

    def __init__(self, max_turns=24, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.over = False
        self.here = (0, 0)
        self.chest = (0, 0)
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.over = False
        self.here = (SIZE // 2, SIZE // 2)
        self.chest = self.here
        while self._distance() < 3:
            self.chest = (rng.randrange(SIZE), rng.randrange(SIZE))
        return (
            f"You stand in the middle of a field of {SIZE} by {SIZE} squares. Somewhere a chest is buried. The detector beeps louder "
            "the fewer steps it is away. Reply with one of \\boxed{north}, \\boxed{south}, \\boxed{west}, \\boxed{east}, or "
            "\\boxed{dig}. You may dig only once. " + self._beep()
        ), {}

    def _distance(self):
        return abs(self.here[0] - self.chest[0]) + abs(self.here[1] - self.chest[1])

    def _beep(self):
        distance = self._distance()
        if distance == 0:
            return "The detector screams."
        return "The detector beeps loudly." if distance <= 3 else "The detector beeps." if distance <= 6 else "The detector is silent."

    def step(self, action):
        if self.over:
            return "The search is over.", 0.0, True, False, {}
        self.turns += 1
        over = self.turns >= self.max_turns
        match = re.search(r"\\boxed\{\s*(north|south|west|east|dig)\s*\}", action.lower())
        if not match:
            return "Nothing happens. Use one of the listed words in \\boxed{}.", 0.0, False, over, {}
        word = match.group(1)
        if word == "dig":
            self.over = True
            if self._distance() == 0:
                return "The spade hits wood. You found the chest.", 1.0, True, False, {}
            return "Only earth. The chest stays hidden.", 0.0, True, False, {}
        dx, dy = MOVES[word]
        x, y = self.here[0] + dx, self.here[1] + dy
        if not (0 <= x < SIZE and 0 <= y < SIZE):
            return "A hedge stops you. " + self._beep(), 0.0, False, over, {}
        self.here = (x, y)
        return self._beep(), 0.0, False, over, {}

    def solution(self):
        dx, dy = self.chest[0] - self.here[0], self.chest[1] - self.here[1]
        words = ["east" if dx > 0 else "west"] * abs(dx) + ["south" if dy > 0 else "north"] * abs(dy) + ["dig"]
        return "\n".join(f"\\boxed{{{word}}}" for word in words)
