"""``python -m envwright_debug EPISODE.json``: loads the environment as the run does, replays its actions and stops before one step."""

from __future__ import annotations

import json
import sys
from typing import Any, Dict, List, Optional

from envwright_host.loader import compile_source, construct, execute, require_methods


def load(file: str, max_turns: Optional[int]) -> Any:
    """Builds the environment as in play (run contract §2.3). Its code keeps the name of its file, so that breakpoints bind."""
    with open(file, encoding="utf-8-sig") as text:
        loaded = execute(compile_source(text.read(), file))
    instance = construct(loaded.chosen(), "play", max_turns)
    require_methods(instance)
    return instance


def carry_out(env: Any, action: str, calls: Optional[List[Dict[str, Any]]]) -> Any:
    """One step of the episode: an action, or the tool calls of a reply, which neither count as turns nor pay (run contract §4)."""
    if calls is None:
        return env.step(action)
    return [env.execute_tool(call["name"], call["arguments"]) for call in calls]


def main(path: str) -> None:
    """Replays the episode. ``stopAt`` counts from 1; there the debugger stops, one step into which is the environment's own."""
    with open(path, encoding="utf-8") as text:
        episode: Dict[str, Any] = json.load(text)
    env = load(episode["file"], episode["maxTurns"])
    if episode["warmReset"]:
        env.reset(seed=123)
    print(env.reset(seed=episode["seed"]))
    for number, step in enumerate(episode["steps"], start=1):
        if number == episode["stopAt"]:
            breakpoint()  # Step into the next line: it is the step that was chosen.
        result = carry_out(env, step["action"], step["calls"])
        print(f"step {number}: {result!r}")


if __name__ == "__main__":
    main(sys.argv[1])
