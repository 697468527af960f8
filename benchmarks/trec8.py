"""A simulated collection of TREC-8's size: 129 runs × 50 topics × 1,000 ranks.

Written once into ``benchmarks/.cache`` (not kept in git) and reused while the
parameters stay the same.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from functools import cache
from pathlib import Path

import irviz
from irviz.collection.model import Collection
from irviz.collection.simulate import Simulation

FOLDER = Path(__file__).parent / ".cache" / "trec8"
BUNDLE = FOLDER.with_name("trec8.irviz")
SIMULATION = Simulation(systems=129, topics=50, depth=1000, grades=4, aspects=2, pool_depth=100, families=41, seed=8)


@cache
def folder() -> Path:
    """The folder of the collection's files, written where it is missing or of other parameters."""
    card = FOLDER / "collection.json"
    wanted = json.loads(json.dumps(asdict(SIMULATION)))
    if not card.is_file() or json.loads(card.read_text(encoding="utf-8"))["simulation"] != wanted:
        unfinished = FOLDER.with_name("unfinished")
        for old in (unfinished, FOLDER):
            shutil.rmtree(old, ignore_errors=True)
        BUNDLE.unlink(missing_ok=True)
        print(f"Writing a collection of TREC-8's size into {FOLDER} (once) …", flush=True)
        SIMULATION.write(unfinished, title="TREC-8's size")
        unfinished.rename(FOLDER)
    return FOLDER


def qrels() -> dict[str, Path]:
    """The qrels files by aspect."""
    return {aspect: folder() / f"qrels.{aspect}" for aspect in SIMULATION.aspect_names}


def runs() -> list[Path]:
    """The run files."""
    return sorted((folder() / "runs").iterdir())


def load(documents: int | str = 100) -> Collection:
    """Parse and compile the files."""
    return irviz.load_collection(qrels(), folder() / "runs", documents=documents)


@cache
def bundle() -> Path:
    """The collection as one ``.irviz`` file."""
    folder()
    if not BUNDLE.is_file():
        load().save(BUNDLE)
    return BUNDLE


@cache
def collection() -> Collection:
    """The compiled collection."""
    return irviz.open_collection(str(bundle()))
