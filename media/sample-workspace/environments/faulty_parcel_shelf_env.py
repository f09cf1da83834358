import random


class ParcelShelfEnv(ToolUseBaseEnv):
    """Faulty: the declared parameter is not the method's, so a call by the schema always fails, and the answer was never set."""

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        shelves = [f"{row}{number}" for row in "ABCDEF" for number in range(1, 10)]
        self._state = {"parcels": {f"P{number}": rng.choice(shelves) for number in rng.sample(range(100, 999), 20)}}
        self._parcel = rng.choice(sorted(self._state["parcels"]))
        self._tools = {
            "locate": {
                "description": "Tell where a parcel is.",
                "parameters": {"type": "object", "properties": {"parcel_id": {"type": "string"}}, "required": ["parcel_id"]},
            },
        }
        return f"On which shelf is parcel {self._parcel}? Reply as <answer>SHELF</answer>.", {}

    def tool_locate(self, parcel):
        return self._state["parcels"].get(parcel, "unknown parcel")

    def solution(self):
        return f"1. locate(parcel={self._parcel!r})\nANSWER: {self._state['parcels'][self._parcel]}"
