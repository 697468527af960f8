"""Writes nuggets.tsv: simulated assignments of nuggets. Run in this folder: python make.py"""

import random
from pathlib import Path

SYSTEMS = {"terse": (0.55, 0.15), "verbose": (0.45, 0.45), "hedging": (0.3, 0.35), "grounded": (0.5, 0.3), "baseline": (0.25, 0.2)}
HEDGES = {"terse": 0.05, "verbose": 0.1, "hedging": 0.4, "grounded": 0.1, "baseline": 0.15}


def rows():
    draw = random.Random(2026)
    for topic in range(1, 26):
        easy = draw.uniform(-0.2, 0.25)
        for nugget in range(1, draw.randint(7, 13)):
            vital = nugget <= 2 or draw.random() < 0.35
            for system, chances in SYSTEMS.items():
                chance = max(0.02, min(0.95, chances[not vital] + easy))
                word = "support" if draw.random() < chance else "partial" if draw.random() < HEDGES[system] else "not"
                yield f"{topic}", f"nugget {nugget}", "vital" if vital else "okay", system, word


lines = ["\t".join(("topic", "nugget", "importance", "system", "support")), *map("\t".join, rows())]
Path(__file__).with_name("nuggets.tsv").write_text("\n".join(lines) + "\n")
