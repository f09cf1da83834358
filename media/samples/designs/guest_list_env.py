import random

from tool_use_base_env import ToolUseBaseEnv


class GuestListEnv(ToolUseBaseEnv):
    """Tool use, several messages: keep the guest list of a dinner while the host changes his mind."""

    NAMES = ("Amal", "Britta", "Cem", "Dora", "Edon", "Fanni", "Goran", "Hilde", "Ivo", "Jelka", "Kaya", "Luka")

    def __init__(self, max_turns=16, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        self._paid = False
        people = rng.sample(self.NAMES, 6)
        self._first, self._second, self._third = people[0], people[1], people[2]
        self._table = rng.randint(3, 8)
        self._state = {
            "people": {name: {"seat": 0, "meal": ""} for name in people[3:]},
            "known": sorted(people),
        }
        self._tools = {
            "list_guests": self._tool("All guests with table and meal", {}),
            "add_guest": self._tool("Puts somebody on the list", {"name": "string"}),
            "remove_guest": self._tool("Takes somebody off the list", {"name": "string"}),
            "seat_guest": self._tool("Gives a guest a table", {"name": "string", "table": "integer"}),
            "set_meal": self._tool("Notes the meal of a guest", {"name": "string", "meal": "string"}),
        }
        first, second, third, table = self._first, self._second, self._third, self._table
        self._user_messages = [
            f"Please put {first} and {second} on the guest list.",
            f"Seat {first} at table {table}, and note a vegan meal for {second}.",
            f"{second} has just cancelled. {third} comes instead, at table {table} too, and eats what {second} would have eaten.",
        ]
        self._message_criteria = [
            lambda state: first in state["people"] and second in state["people"],
            lambda state: state["people"].get(first, {}).get("seat") == table and state["people"].get(second, {}).get("meal") == "vegan",
            lambda state: second not in state["people"] and state["people"].get(third) == {"seat": table, "meal": "vegan"},
        ]
        self._current_msg = 0
        self._expected_answer = "done"
        return self._user_messages[0] + " Answer done when nothing more is asked.", {}

    @staticmethod
    def _tool(description, properties):
        schema = {name: {"type": kind} for name, kind in properties.items()}
        return {"description": description, "parameters": {"type": "object", "properties": schema, "required": list(properties)}}

    def _told(self, text):
        if self._current_msg < len(self._message_criteria) and self._message_criteria[self._current_msg](self._state):
            self._current_msg += 1
            if self._current_msg < len(self._user_messages):
                return f"{text}\nUser: {self._user_messages[self._current_msg]}"
            return f"{text}\nUser: Thank you, that is all."
        return text

    def tool_list_guests(self):
        rows = [f"{name}: table {guest['seat'] or 'none'}, meal {guest['meal'] or 'none'}" for name, guest in sorted(self._state["people"].items())]
        return self._told("\n".join(rows) or "Nobody is on the list.")

    def tool_add_guest(self, name=""):
        if name not in self._state["known"]:
            return self._told(f"Nobody called {name} is in the address book.")
        self._state["people"].setdefault(name, {"seat": 0, "meal": ""})
        return self._told(f"{name} is on the list.")

    def tool_remove_guest(self, name=""):
        gone = self._state["people"].pop(name, None) if isinstance(name, str) else None
        return self._told(f"{name} is not on the list." if gone is None else f"{name} is off the list.")

    def tool_seat_guest(self, name="", table=0):
        guest = self._state["people"].get(name) if isinstance(name, str) else None
        if guest is None or not isinstance(table, int) or not 1 <= table <= 20:
            return self._told("There is no such guest on the list, or no such table.")
        guest["seat"] = table
        return self._told(f"{name} sits at table {table}.")

    def tool_set_meal(self, name="", meal=""):
        guest = self._state["people"].get(name) if isinstance(name, str) else None
        if guest is None:
            return self._told(f"{name} is not on the list.")
        guest["meal"] = str(meal).strip().lower()[:40]
        return self._told(f"Noted for {name}.")

    def _check_answer(self, answer):
        if self._paid or self.turn_count > self.max_turns:
            return False
        self._paid = str(answer).strip().lower() == "done" and self._current_msg == len(self._user_messages)
        return self._paid

    def solution(self):
        steps = [
            f"add_guest(name={self._first!r})", f"add_guest(name={self._second!r})", f"seat_guest(name={self._first!r}, table={self._table})",
            f"set_meal(name={self._second!r}, meal='vegan')", f"remove_guest(name={self._second!r})", f"add_guest(name={self._third!r})",
            f"seat_guest(name={self._third!r}, table={self._table})", f"set_meal(name={self._third!r}, meal='vegan')",
        ]
        return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1)) + "\nANSWER: done"
