"""Some rollouts of a run with the link module, in one process: ``python3 rollouts.py CACHE_DIR MAX_SIZE FIRST LAST``. Regenerates at every second."""

import os
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "python"), os.path.join(HERE, "..", "..", "src", "python")]

from envwright_link.rollout import generate  # noqa: E402
from stand_in import EnvironmentMemory, stand_in  # noqa: E402

cache_dir, size, first, last = sys.argv[1], *map(int, sys.argv[2:])


class SizedMemory(EnvironmentMemory):
    def __init__(self):
        super().__init__(size)


sys.modules.update(stand_in(SizedMemory))
args = types.SimpleNamespace(spade_cache_dir=cache_dir, spade_game_regeneration_interval=2, spade_use_env_memory=True, rollout_batch_size=24, spade_mode="games")
for rollout_id in range(first, last + 1):
    generate(args, rollout_id, None)
