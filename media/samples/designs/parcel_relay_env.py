import random

from tool_use_base_env import ToolUseBaseEnv


class ParcelRelayEnv(ToolUseBaseEnv):
    """Tool use, one task: find where a parcel is when one of the trackers is down."""

    CITIES = ("Aarhus", "Bergen", "Cork", "Dresden", "Esch", "Faro", "Ghent", "Huelva", "Izola", "Jurmala", "Kotor", "Lugo")

    def __init__(self, max_turns=12, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        self._paid = False
        route = rng.sample(self.CITIES, 6)
        numbers = rng.sample(range(2100, 9900), 4)
        legs = {number: {"depots": rng.sample(route, 4), "bag": f"B{rng.randint(300, 899)}"} for number in numbers}
        self._number = numbers[0]
        bag = legs[self._number]["bag"]
        vans = {leg["bag"]: f"V{rng.randint(10, 99)}{index}" for index, leg in enumerate(legs.values())}
        stops = {van: rng.choice(self.CITIES) for van in vans.values()}
        self._state = {"legs": legs, "vans": vans, "stops": stops}
        self._tools = {
            "track_parcel": self._tool("Scans of a parcel, in order", "number", "integer"),
            "bag_contents": self._tool("The bag that a parcel was put into, by its number", "number", "integer"),
            "van_of_bag": self._tool("The van that carries a bag, by the bag's label", "bag", "string"),
            "van_position": self._tool("The city where a van stands now, by the van's plate", "van", "string"),
        }
        self._expected_answer = stops[vans[bag]]
        return f"Parcel {self._number} should have arrived last week. In which city is it now? Answer with the city alone.", {}

    @staticmethod
    def _tool(description, name, kind):
        return {"description": description, "parameters": {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}}

    def _leg(self, number):
        return self._state["legs"].get(number) if isinstance(number, int) else None

    def tool_track_parcel(self, number=None):
        leg = self._leg(number)
        if leg is None:
            return f"No parcel {number}."
        return f"Scanned in {', '.join(leg['depots'])}. After that the tracker is out of order; the parcel was put into a bag."

    def tool_bag_contents(self, number=None):
        leg = self._leg(number)
        return f"No parcel {number}." if leg is None else f"Parcel {number} is in bag {leg['bag']}."

    def tool_van_of_bag(self, bag=""):
        van = self._state["vans"].get(str(bag).strip().upper())
        return f"No bag {bag}." if van is None else f"The bag is on van {van}."

    def tool_van_position(self, van=""):
        stop = self._state["stops"].get(str(van).strip().upper())
        return f"No van {van}." if stop is None else f"The van stands in {stop}."

    def _check_answer(self, answer):
        if self._paid or self.turn_count > self.max_turns:
            return False
        self._paid = super()._check_answer(answer)
        return self._paid

    def solution(self):
        bag = self._state["legs"][self._number]["bag"]
        van = self._state["vans"][bag]
        return (
            f"1. bag_contents(number={self._number})\n2. van_of_bag(bag={bag!r})\n3. van_position(van={van!r})\n"
            f"ANSWER: {self._expected_answer}"
        )
