"""Modules with the names and signatures of a run's own (run contract §7, §9)."""

import json
import os
import types
from dataclasses import asdict, dataclass, field


@dataclass
class GameRecord:
    game_file: str
    skill: str
    code_snippet: str
    actor_win_rate: float
    regret: float = 0.0
    rollout_id: int = 0
    metadata: dict = field(default_factory=dict)


class EnvironmentMemory:
    """Load once, add at the end, cut, save in place: as the run contract §7 tells."""

    def __init__(self, max_size=200):
        self.max_size = max_size
        self.records = []

    def add(self, game_file, skill, game_code, actor_win_rate, regret=0.0, rollout_id=0, metadata=None):
        self.records.append(GameRecord(game_file, skill, game_code[:2000], actor_win_rate, regret, rollout_id, metadata or {}))
        del self.records[: -self.max_size]

    def high_regret_seeds(self, n, skill):
        fit = [r for r in self.records if r.skill == skill and 0.15 <= r.actor_win_rate <= 0.85]
        return sorted(fit, key=lambda r: -r.regret)[:n]

    def low_quality_examples(self, n, skill):
        return [r for r in self.records if r.skill == skill and (r.actor_win_rate > 0.9 or r.actor_win_rate < 0.1)][:n]

    def save(self, path):
        with open(path, "w") as file:
            json.dump([asdict(r) for r in self.records], file, indent=2)

    @classmethod
    def load(cls, path):
        memory = cls()
        with open(path) as file:
            memory.records = [GameRecord(**r) for r in json.load(file)]
        return memory


def stand_in(memory_class, name=""):
    """Modules with the run's names; the rollout regenerates every second time: draws, adds its own record, saves."""
    env_memory = types.ModuleType("spade.core.env_memory")
    env_memory.EnvironmentMemory = memory_class
    rollout = types.ModuleType("spade.slime.spade_rollout")
    rollout._ENV_MEMORY = None
    rollout.calls = []

    def spade_generate_rollout(args, rollout_id, data_source, evaluation=False):
        rollout.calls.append((rollout_id, evaluation))
        if evaluation:
            return "evaluated"
        path = os.path.join(args.spade_cache_dir, "env_memory.json")
        if rollout._ENV_MEMORY is None:
            rollout._ENV_MEMORY = memory_class.load(path) if os.path.exists(path) else memory_class()
        memory = rollout._ENV_MEMORY
        if rollout_id % args.spade_game_regeneration_interval == 0:
            memory.high_regret_seeds(2, "Optimization")
            memory.low_quality_examples(1, "Optimization")
            memory.add(f"game_{name}{rollout_id}.py", "Optimization", "own", 0.5, 0.1, rollout_id)
            memory.save(path)
        return f"rollout {rollout_id}"

    spade_generate_rollout.__module__ = "spade.slime.spade_rollout"
    rollout.spade_generate_rollout = spade_generate_rollout
    return {
        "spade": types.ModuleType("spade"),
        "spade.core": types.ModuleType("spade.core"),
        "spade.core.env_memory": env_memory,
        "spade.slime": types.ModuleType("spade.slime"),
        "spade.slime.spade_rollout": rollout,
    }
