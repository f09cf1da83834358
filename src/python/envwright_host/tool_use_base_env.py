"""The base class of tool-use environments, written to the run contract §3.

The loader injects the class by name and makes this module importable as ``tool_use_base_env``. What it does is the
contract; the wording of its texts is ours.
"""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Tuple

StepTuple = Tuple[str, float, bool, bool, dict]

_ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
_CALL = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)
_NO_PARAMETERS = {"type": "object", "properties": {}}


class ToolUseBaseEnv:
    """An environment whose actions are tool calls and one final answer.

    A subclass gives ``reset``, ``solution`` and a ``tool_<name>`` method for each entry of ``_tools``.
    """

    def __init__(self, max_turns: int = 10, **kwargs: Any) -> None:
        self.max_turns = max_turns
        self.turn_count = 0
        self._tools: Dict[str, Dict[str, Any]] = {}
        self._state: Dict[str, Any] = {}
        self._call_history: List[Dict[str, Any]] = []
        self._expected_answer: Any = None
        self.reset()

    def reset(self, seed: Any = None) -> Tuple[str, dict]:
        """To be given by the subclass."""
        raise NotImplementedError("a tool-use environment must define reset()")

    def solution(self) -> str:
        """To be given by the subclass."""
        raise NotImplementedError("a tool-use environment must define solution()")

    def close(self) -> None:
        """Nothing to let go of."""

    def get_tools(self) -> List[Dict[str, Any]]:
        """The declared tools as a function-calling schema."""
        return [
            {
                "type": "function",
                "function": {
                    "name": name,
                    "description": about.get("description", ""),
                    "parameters": about.get("parameters", dict(_NO_PARAMETERS)),
                },
            }
            for name, about in self._tools.items()
        ]

    def execute_tool(self, name: str, arguments: Dict[str, Any]) -> Dict[str, Any]:
        """Runs one native call. It costs no turn and pays nothing; a failure is a return code of 1."""
        method = getattr(self, f"tool_{name}", None)
        if method is None:
            return {"output": f"There is no tool named '{name}'", "returncode": 1}
        try:
            return {"output": self._call(method, name, arguments), "returncode": 0}
        except Exception as error:
            return {"output": f"{name} failed: {error}", "returncode": 1}

    def step(self, action: str) -> StepTuple:
        """One turn in text: an answer, a tool call, or neither; which comes first decides in that order."""
        self.turn_count += 1
        last_turn = self.turn_count >= self.max_turns
        answer = _ANSWER.search(action)
        if answer is not None:
            return self._answer_turn(answer.group(1).strip(), last_turn)
        call = _CALL.search(action)
        if call is None:
            return self._format_turn("Call a tool, or give the result as <answer>result</answer>.", last_turn)
        try:
            request = json.loads(call.group(1))
            name, arguments = request.get("name", ""), request.get("arguments", {})
        except (json.JSONDecodeError, AttributeError):
            return self._format_turn("The tool call is not a JSON object.", last_turn)
        return self._tool_turn(name, arguments if isinstance(arguments, dict) else {}, last_turn)

    def _answer_turn(self, answer: str, last_turn: bool) -> StepTuple:
        if self._check_answer(answer):
            return "That is right.", 1.0, True, False, {}
        if last_turn:
            return f"That is not right. Solution:\n{self.solution()}", 0.0, False, True, {}
        return self._incorrect_answer_feedback(), 0.0, False, False, {}

    def _format_turn(self, complaint: str, last_turn: bool) -> StepTuple:
        if last_turn:
            return self._out_of_turns(), 0.0, False, True, {}
        return complaint, -0.1, False, False, {}

    def _tool_turn(self, name: Any, arguments: Dict[str, Any], last_turn: bool) -> StepTuple:
        method = getattr(self, f"tool_{name}", None)
        if method is None:
            if last_turn:
                return self._out_of_turns(), 0.0, False, True, {}
            return f"There is no tool named '{name}'. The tools are: {', '.join(self._tools)}", 0.0, False, False, {}
        try:
            text = self._call(method, name, arguments)
        except Exception as error:
            text = f"{name} failed: {error}"
        observation = f"Result of the tool:\n{text}"
        if last_turn:
            return f"{observation}\n\n{self._out_of_turns()}", 0.0, False, True, {}
        return observation, 0.0, False, False, {}

    def _call(self, method: Any, name: Any, arguments: Dict[str, Any]) -> str:
        """Calls the tool and keeps the call; a call that raised is not kept."""
        result = method(**arguments)
        self._call_history.append({"name": name, "arguments": arguments, "result": str(result)})
        return str(result)

    def _out_of_turns(self) -> str:
        return f"No turns are left. Solution:\n{self.solution()}"

    def _obs_suffix(self) -> str:
        """Empty; older generated files append it to their observations."""
        return ""

    def _incorrect_answer_feedback(self) -> str:
        """What a refused answer is told; with several user messages it names the one that is still open."""
        text = "That is not right yet. Go on with the tools."
        messages, current = getattr(self, "_user_messages", None), getattr(self, "_current_msg", None)
        if isinstance(messages, (list, tuple)) and isinstance(current, int) and 0 <= current < len(messages):
            return f'{text} Message {current + 1} of {len(messages)} is still open: "{messages[current]}"'
        return text

    def _check_answer(self, answer: str) -> bool:
        """Equal ignoring case and outer blanks, or both numbers within 0.01 once ``$`` and ``,`` are dropped."""
        given, expected = str(answer).strip(), str(self._expected_answer).strip()
        if given.lower() == expected.lower():
            return True
        try:
            return abs(_amount(given) - _amount(expected)) < 0.01
        except (ValueError, TypeError):
            return False


def _amount(text: str) -> float:
    return float(text.replace("$", "").replace(",", "").strip())
