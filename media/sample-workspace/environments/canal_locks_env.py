import random
import re

GATES = ("upper", "middle", "lower")


class CanalLocksEnv:
    """Grounded on a text about canals: find by experiment which gate leaks, and by how much. What is hidden stays hidden."""

    def __init__(self, max_turns=12, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.over = False
        self.levels = {}
        self.leak = ("upper", 0)
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.over = False
        self.leak = (rng.choice(GATES), rng.randint(3, 29))
        self.levels = {gate: rng.randint(120, 200) for gate in GATES}
        return (
            "A keeper looks after three chambers of a canal: upper, middle and lower. One gate loses water every hour, always the same "
            "amount. Levels in centimetres: " + self._show() + ". Reply with \\boxed{wait} to let an hour pass, \\boxed{fill NAME} to raise a "
            "chamber by 40, or, once, \\boxed{report NAME AMOUNT} with the gate and what it loses in an hour."
        ), {}

    def _show(self):
        return ", ".join(f"{gate} {level}" for gate, level in self.levels.items())

    def step(self, action):
        if self.over:
            return "The report is in.", 0.0, True, False, {}
        self.turns += 1
        over = self.turns >= self.max_turns
        match = re.search(r"\\boxed\{\s*(wait|fill|report)(?:\s+(upper|middle|lower))?(?:\s+(\d{1,3}))?\s*\}", action.lower())
        if not match:
            return "The keeper does not understand. Use wait, fill or report in \\boxed{}.", 0.0, False, over, {}
        verb, gate, amount = match.groups()
        if verb == "report" and gate and amount:
            self.over = True
            if (gate, int(amount)) == self.leak:
                return "The gate is mended.", 1.0, True, False, {}
            return "The engineers find nothing there.", 0.0, True, False, {}
        if verb == "fill" and gate:
            self.levels[gate] += 40
        # Weather moves every chamber alike, so one look cannot tell the leak from a dry day.
        dry = (self.turns * 7) % 5
        for name in GATES:
            loss = dry + (self.leak[1] if name == self.leak[0] else 0)
            self.levels[name] = max(0, self.levels[name] - loss)
        return "An hour later: " + self._show() + ".", 0.0, False, over, {}

    def solution(self):
        return (
            "Wait an hour and compare how far the three levels fell. Two fall by the same amount, which is the weather. The third falls "
            f"further, and the difference is its leak: report {self.leak[0]} with {self.leak[1]}."
        )
