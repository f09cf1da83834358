"""A live run as the run contract tells of it: loads its memory once, overwrites the whole file at every regeneration.

``python3 live_run.py CACHE_DIR link|bare NAME FIRST_ROLLOUT``. Goes on until ``CACHE_DIR/stop`` is there, then saves once more, prints
the names of its own records and ends. While ``CACHE_DIR/pause`` is there it rests, and says so in ``CACHE_DIR/paused``.
"""

import json
import logging
import os
import sys
import time
import types

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "python"), os.path.join(HERE, "..", "..", "src", "python")]

from stand_in import EnvironmentMemory, stand_in  # noqa: E402

INTERVAL = 2
CAPACITY = 100_000
PAUSE_SECONDS = 0.02


class LargeMemory(EnvironmentMemory):
    """Nothing is evicted, so that whatever is missing was lost."""

    def __init__(self):
        super().__init__(CAPACITY)


def main(cache_dir, kind, name, first):
    logging.disable(logging.CRITICAL)
    modules = stand_in(LargeMemory, name)
    sys.modules.update(modules)
    run = modules["spade.slime.spade_rollout"]
    generate = run.spade_generate_rollout
    if kind == "link":
        from envwright_link.rollout import generate
    args = types.SimpleNamespace(spade_cache_dir=cache_dir, spade_game_regeneration_interval=INTERVAL)
    marker = lambda word: os.path.join(cache_dir, word)  # noqa: E731
    rollout_id = first
    while not os.path.exists(marker("stop")):
        if os.path.exists(marker("pause")):
            with open(marker("paused"), "w"):
                pass
        else:
            try:
                generate(args, rollout_id, None)
            except OSError:
                pass  # A full disk under the run's own save: it goes on, as it would with its next checkpoint.
            os.makedirs(marker(f"step_{rollout_id:05d}"), exist_ok=True)
            rollout_id += 1
        time.sleep(PAUSE_SECONDS)
    for last in (rollout_id + rollout_id % INTERVAL, rollout_id + rollout_id % INTERVAL + INTERVAL):
        generate(args, last, None)
    print(json.dumps([r.game_file for r in run._ENV_MEMORY.records if r.game_file.startswith("game_")]))


main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
