"""Makes the calls of recorded plans on an environment without any host: what the environment's own time is.

Counted are what the battery makes of the file: compiling it, importing it once a run, and every call. Not counted are this interpreter's
start and the reading of the plans. Prints wall time and processor time, in milliseconds.
"""

import json
import random
import sys
import time

sys.path.insert(0, sys.argv[1])
from envwright_host.loader import execute  # noqa: E402

document = json.load(sys.stdin)
sys.stdout = open("/dev/null", "w")


def carry_out(run: dict, factory: object) -> None:
    instances: dict = {}
    for op in run["ops"]:
        name, on = op["op"], op.get("on", 0)
        try:
            if name == "construct":
                instances[on] = factory() if op["construction"] == "play" else factory(max_turns=op["maxTurns"] or 1000)
            elif name == "disturb":
                random.seed(op["seed"])
            elif name == "reset":
                instances[on].reset(seed=op["seed"])
            elif name == "solution":
                instances[on].solution()
            elif name == "criteria":
                for criterion in getattr(instances[on], "_message_criteria", ()):
                    criterion(instances[on]._state)
            elif name == "tool":
                instances[on].execute_tool(op["name"], op["arguments"])
            elif name == "openings":
                for action in op["actions"]:
                    instances[on].reset(seed=op["seed"])
                    instances[on].step(action)
            elif name == "steps":
                for count in range(op["count"]):
                    result = instances[on].step(op["actions"][count % len(op["actions"])]["text"])
                    if op["stopAtEnd"] and (result[2] or result[3]):
                        break
        except Exception:
            continue


clocks = time.perf_counter, time.process_time
started = [clock() for clock in clocks]
code = compile(document["source"], "env.py", "exec")
for plan in document["plans"]:
    for run in plan["runs"]:
        carry_out(run, execute(code).chosen())
sys.__stdout__.write(json.dumps([(clock() - start) * 1000 for clock, start in zip(clocks, started)]))
