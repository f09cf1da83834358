import random
import re


class GreenhousePollinationEnv:
    """Several turns, grounded: find out what keeps a greenhouse crop from setting fruit, then put it right."""

    CAUSES = ("hives", "vents", "lamps", "misting")
    SETTINGS = {"hives": ("open", "closed"), "vents": ("open", "closed"), "lamps": ("day", "night"), "misting": ("morning", "noon")}

    def __init__(self, max_turns=16, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self._now = {}
        self._wanted = {}
        self._order = []
        self._over = False
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self._over = False
        self._wanted = {name: rng.choice(self.SETTINGS[name]) for name in self.CAUSES}
        wrong = rng.sample(self.CAUSES, rng.randint(2, 3))
        self._now = {name: self._other(name, self._wanted[name]) if name in wrong else self._wanted[name] for name in self.CAUSES}
        self._order = rng.sample(self.CAUSES, len(self.CAUSES))
        return (
            "A greenhouse of tomatoes flowers but sets no fruit. Bumblebees carry the pollen; whether it is ripe, dry and carried depends on "
            "four settings, and here each variety wants its own.\n"
            "Actions: \\boxed{look} shows how far a truss gets, \\boxed{set NAME VALUE} changes a setting and takes a day, \\boxed{harvest} ends the season.\n"
            + self._panel()
        ), {}

    def _other(self, name, value):
        first, second = self.SETTINGS[name]
        return second if value == first else first

    def _panel(self):
        shown = ", ".join(f"{name} {self._now[name]} (or {self._other(name, self._now[name])})" for name in self.CAUSES)
        return f"Panel: {shown}."

    def _stage(self):
        return next((index for index, name in enumerate(self._order) if self._now[name] != self._wanted[name]), len(self._order))

    def _look(self):
        stages = (
            "the flowers stay shut", "the flowers open, but shed no pollen", "pollen falls, but no flower holds it",
            "the flowers hold pollen, but drop off", "the trusses set fruit",
        )
        return f"A week on, {stages[self._stage()]}."

    def step(self, action):
        if self._over or self.turns >= self.max_turns:
            return "The season is over.", 0.0, self._over, not self._over, {}
        self.turns += 1
        over = self.turns >= self.max_turns
        match = re.search(r"\\boxed\{\s*([a-z]{3,8})(?:\s+([a-z]{4,8})\s+([a-z]{3,8}))?\s*\}", action.lower())
        if not match:
            return "Act in a box: \\boxed{look}, \\boxed{set NAME VALUE} or \\boxed{harvest}. " + self._panel(), 0.0, False, over, {}
        verb, name, value = match.groups()
        if verb == "look" and name is None:
            return f"{self._look()} {self._panel()}", 0.0, False, over, {}
        if verb == "harvest" and name is None:
            self._over = True
            if self._stage() == len(self._order):
                return "The crates fill.", 1.0, True, False, {}
            return "There is nothing to harvest.", 0.0, True, False, {}
        if verb == "set" and name in self.SETTINGS and value in self.SETTINGS[name]:
            self._now[name] = value
            return f"Done. {self._panel()}", 0.0, False, over, {}
        return "There is no such action. " + self._panel(), 0.0, False, over, {}

    def solution(self):
        wrong = [name for name in self._order if self._now[name] != self._wanted[name]]
        if not wrong:
            return "Everything is as the variety wants it, so harvest now and the season is won."
        return (
            "Look before and after each change: a change that lets the trusses get further was wrong before, one that sets them back was right. "
            "The settings to change, in the order in which they hold the plants back, are " + " and then ".join(f"the {name}" for name in wrong)
            + ". When the trusses set fruit, harvest."
        )
