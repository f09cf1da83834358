import itertools
import random
import re


class ChoirRowEnv:
    """One question: the only order of five singers that the statements allow."""

    NAMES = ("Ada", "Bruno", "Chiara", "Dieter", "Elif", "Farid", "Greta", "Hugo")

    def __init__(self, max_turns=3, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self._won = False
        self._order = ()
        self._clues = []
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self._won = False
        singers = rng.sample(self.NAMES, 5)
        self._order = tuple(singers)
        self._clues = self._choose_clues(rng)
        names = ", ".join(sorted(singers))
        return (
            f"Five singers stand in a row, places 1 to 5 from the left: {names}.\n"
            + "\n".join(f"- {self._text(clue)}" for clue in self._clues)
            + "\nOnly one order fits. Give the five initials from left to right, as in \\boxed{VWXYZ}."
        ), {}

    def _choose_clues(self, rng):
        place = {name: index for index, name in enumerate(self._order)}
        clues = []
        for first, second in itertools.permutations(sorted(self._order), 2):
            if place[first] < place[second]:
                clues.append(("left", first, second))
            if abs(place[first] - place[second]) > 1 and first < second:
                clues.append(("apart", first, second))
            if place[second] - place[first] == 2:
                clues.append(("two", first, second))
        rng.shuffle(clues)
        chosen = []
        while len(self._fitting(chosen)) > 1:
            chosen.append(clues.pop())
        for clue in list(chosen):
            rest = [other for other in chosen if other != clue]
            if len(self._fitting(rest)) == 1:
                chosen = rest
        return chosen

    def _fitting(self, clues):
        return [order for order in itertools.permutations(sorted(self._order)) if all(self._holds(clue, order) for clue in clues)]

    @staticmethod
    def _holds(clue, order):
        kind, first, second = clue
        gap = order.index(second) - order.index(first)
        return gap > 0 if kind == "left" else abs(gap) > 1 if kind == "apart" else gap == 2

    @staticmethod
    def _text(clue):
        kind, first, second = clue
        if kind == "left":
            return f"{first} stands somewhere to the left of {second}."
        if kind == "apart":
            return f"{first} and {second} do not stand next to each other."
        return f"Exactly one singer stands between {first} and {second}, and {first} is the one further left."

    def _answer(self):
        return "".join(name[0] for name in self._order)

    def step(self, action):
        if self._won or self.turns >= self.max_turns:
            return "The question is closed.", 0.0, self._won, not self._won, {}
        self.turns += 1
        over = self.turns >= self.max_turns
        match = re.search(r"\\boxed\{\s*([A-Za-z]{5})\s*\}", action)
        if not match:
            return "Reply with five initials in a box, as \\boxed{VWXYZ}.", 0.0, False, over, {}
        if match.group(1).upper() == self._answer():
            self._won = True
            return "That is the order.", 1.0, True, False, {}
        return "That order does not fit all statements.", 0.0, False, over, {}

    def solution(self):
        return self._answer()
