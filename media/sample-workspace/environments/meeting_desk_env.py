import random


class MeetingDeskEnv(ToolUseBaseEnv):
    """Tool use with several user messages: the next wish shows when the one before is met."""

    ROOMS = ["Linden", "Maple", "Rowan", "Willow"]

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        rooms = self.ROOMS[:]
        rng.shuffle(rooms)
        self._busy, self._first, self._second = rooms[0], rooms[1], rooms[2]
        self._hour = rng.randint(9, 15)
        self._state = {
            "bookings": [{"room": self._busy, "hour": self._hour, "title": "audit"}],
            "notices": [],
        }
        self._tools = {
            "list_bookings": {
                "description": "List the bookings of a room.",
                "parameters": {"type": "object", "properties": {"room": {"type": "string"}}, "required": ["room"]},
            },
            "book": {
                "description": "Book a room for one hour.",
                "parameters": {
                    "type": "object",
                    "properties": {"room": {"type": "string"}, "hour": {"type": "integer"}, "title": {"type": "string"}},
                    "required": ["room", "hour", "title"],
                },
            },
            "cancel": {
                "description": "Cancel a booking.",
                "parameters": {
                    "type": "object",
                    "properties": {"room": {"type": "string"}, "hour": {"type": "integer"}},
                    "required": ["room", "hour"],
                },
            },
            "notify": {
                "description": "Send a notice to everybody.",
                "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
            },
        }
        first, second, hour = self._first, self._second, self._hour
        self._user_messages = [
            f"Please book {first} at {hour} for the planning meeting, with the title 'planning'.",
            f"{first} turned out too small. Cancel it and book {second} at {hour} instead, same title.",
            f"Good. Now tell everybody with the notice 'planning moved to {second}'.",
        ]
        self._message_criteria = [
            lambda s: any(b["room"] == first and b["hour"] == hour and b["title"] == "planning" for b in s["bookings"]),
            lambda s: any(b["room"] == second and b["title"] == "planning" for b in s["bookings"])
            and not any(b["room"] == first for b in s["bookings"]),
            lambda s: f"planning moved to {second}" in s["notices"],
        ]
        self._current_msg = 0
        self._expected_answer = "done"
        return (
            self._user_messages[0] + " More wishes may follow in the results of your tools. When none is left, reply <answer>done</answer>."
        ), {}

    def execute_tool(self, name, arguments):
        result = super().execute_tool(name, arguments)
        if self._current_msg < len(self._message_criteria) and self._message_criteria[self._current_msg](self._state):
            self._current_msg += 1
            if self._current_msg < len(self._user_messages):
                result["output"] += f"\n\nUser: {self._user_messages[self._current_msg]}"
        return result

    def _check_answer(self, answer):
        return answer.strip().lower() == "done" and self._current_msg == len(self._user_messages)

    def tool_list_bookings(self, room):
        hours = [f"{b['hour']}: {b['title']}" for b in self._state["bookings"] if b["room"] == room]
        return "; ".join(hours) if hours else f"{room} is free all day."

    def tool_book(self, room, hour, title):
        if room not in self.ROOMS:
            return f"There is no room {room}."
        if any(b["room"] == room and b["hour"] == hour for b in self._state["bookings"]):
            return f"{room} is taken at {hour}."
        self._state["bookings"].append({"room": room, "hour": hour, "title": title})
        return f"Booked {room} at {hour}."

    def tool_cancel(self, room, hour):
        kept = [b for b in self._state["bookings"] if not (b["room"] == room and b["hour"] == hour)]
        if len(kept) == len(self._state["bookings"]):
            return f"{room} has no booking at {hour}."
        self._state["bookings"] = kept
        return f"Cancelled {room} at {hour}."

    def tool_notify(self, text):
        self._state["notices"].append(text)
        return "Sent."

    def solution(self):
        return "\n".join([
            f"1. book(room={self._first!r}, hour={self._hour}, title='planning')",
            f"2. cancel(room={self._first!r}, hour={self._hour})",
            f"3. book(room={self._second!r}, hour={self._hour}, title='planning')",
            f"4. notify(text='planning moved to {self._second}')",
            "ANSWER: done",
        ])
