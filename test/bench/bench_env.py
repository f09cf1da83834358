"""The same calls as the bench makes, in one bare Python process: ``python3 bench_env.py FILE STEPS`` prints seconds as JSON."""

import json
import sys
import time

path, steps = sys.argv[1], int(sys.argv[2])
with open(path, encoding="utf-8") as file:
    source = file.read()
began = time.perf_counter()
namespace = {"__name__": "dynamic_game"}
exec(compile(source, path, "exec"), namespace)
env = next(value for name, value in namespace.items() if name.endswith("Env") and callable(value))()
loaded = time.perf_counter()
env.reset(seed=1)
start = time.perf_counter()
for _ in range(steps):
    env.step("no answer")
print(json.dumps({"load": loaded - began, "steps": time.perf_counter() - start}))
