"""Realistic collections from a seed, written as TREC files.

Teaching, tests and benchmarks need collections that anyone may copy.  The model behind
them is in :mod:`irviz.collection.simulate.model`; here are its parameters and its files.
From a shell::

    python -m irviz.collection.simulate mine --systems 20 --topics 30
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from irviz.collection.simulate.model import (
    SimulatedSystems,
    SimulatedTopic,
    draw_systems,
    draw_topic,
    machine_grades,
    printed_scores,
    qrels_lines,
)
from irviz.errors import IrvizError, choose

_MACHINE = 1 << 20  # the streams of the second judge begin behind those of the topics
SIMULATED_ASPECTS = ("relevance", "credibility", "correctness", "readability")

_LIMITS = {
    "systems": (1, 1000),
    "topics": (1, 1000),
    "depth": (1, 10_000),
    "pool_depth": (1, 10_000),
    "aspects": (1, 4),
    "families": (1, 1000),
    "first_topic": (0, 1_000_000),
    "seed": (0, 2**63),
}


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """Parameters of a simulated collection; equal parameters give equal files on any machine.

    Parameters
    ----------
    systems, topics : int from 1 to 1000
    depth : int
        Documents a system returns for a topic, at most.
    grades : int from 2 to 5, or a tuple with one per aspect
        Number of grades, 0 (not relevant) included; each is about half as frequent as the one below.
    aspects : int from 1 to 4
        Of `SIMULATED_ASPECTS`, in that order.
    correlation : float in [0, 1]
        Between the merits that the grades of any two aspects are cut from, among relevant documents.
    pool_depth : int
        Judged are the first `pool_depth` documents of seven systems in eight; at most `depth`.
    families : int, at most `systems`
        Groups of a base run and its near-duplicates.
    dependent : bool
        Documents of the lowest grade of the first aspect have the lowest grade of all.
    first_topic : int
        Number of the first topic; the others follow.
    seed : int
    """

    systems: int = 20
    topics: int = 25
    depth: int = 100
    grades: int | tuple[int, ...] = 3
    aspects: int = 1
    correlation: float = 0.5
    pool_depth: int = 30
    families: int = 6
    dependent: bool = True
    first_topic: int = 401
    seed: int = 0

    def __post_init__(self) -> None:
        for name, (low, high) in _LIMITS.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise IrvizError(f"`{name}` of a simulation must be a whole number from {low} to {high}; got {value}.")
        if not 0.0 <= self.correlation <= 1.0:
            raise IrvizError(f"`correlation` of a simulation must lie in [0, 1]; got {self.correlation}.")
        if len(self.levels) != self.aspects or not all(g in (2, 3, 4, 5) for g in self.levels):
            raise IrvizError(
                f"`grades` of a simulation must be a number from 2 to 5, or one for each of the {self.aspects} "
                f"aspects; got {self.grades}."
            )
        for name, limit in (("families", "systems"), ("pool_depth", "depth")):
            value, most = getattr(self, name), getattr(self, limit)
            if value > most:
                raise IrvizError(f"`{name}` of a simulation must be at most `{limit}`, {most}; got {value}.")

    @property
    def levels(self) -> tuple[int, ...]:
        """Number of grades of every aspect."""
        return (self.grades,) * self.aspects if isinstance(self.grades, int) else tuple(self.grades)

    @property
    def aspect_names(self) -> tuple[str, ...]:
        return SIMULATED_ASPECTS[: self.aspects]

    @cached_property
    def drawn(self) -> SimulatedSystems:
        """The systems, as drawn from the seed."""
        return draw_systems(self._stream(0), self.systems, self.families, self.aspects, self.topics)

    def topic(self, index: int) -> SimulatedTopic:
        """The topic at `index`, drawn from a stream of its own: without drawing those before it."""
        return draw_topic(self._stream(1 + index), self, index, self.drawn)

    def _stream(self, key: int) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(self.seed, spawn_key=(key,))))

    def qrels_lines(self, topic: SimulatedTopic, aspect: int) -> Iterator[str]:
        """``topic 0 document grade`` of the judged documents, by document."""
        return qrels_lines(topic, topic.judged, topic.grades[:, aspect])

    def run_lines(self, topic: SimulatedTopic, system: int) -> Iterator[str]:
        """``topic Q0 document rank score system``, best first; ranks count from 1."""
        shown = printed_scores(topic.scores[system], int(self.drawn.family[system]))
        name, tag = topic.name, self.drawn.names[system]
        for rank, (i, score) in enumerate(zip(topic.ranking[system].tolist(), shown, strict=True), start=1):
            yield f"{name} Q0 {topic.documents[i]} {rank} {score} {tag}\n"

    def machine_lines(self, topic: SimulatedTopic, index: int) -> Iterator[str]:
        """The judgments of a machine beside those of people, drawn from a stream of their own."""
        grades = machine_grades(self._stream(_MACHINE + index), topic, self.drawn, self.levels[0])
        return qrels_lines(topic, grades >= 0, grades)

    def write(
        self,
        folder: str | Path,
        *,
        title: str = "Simulated collection",
        description: str = "",
        compress: bool = False,
        machine: bool = False,
    ) -> Path:
        """Write ``collection.json``, one qrels file an aspect and ``runs/`` with one file per system.

        With `machine` a second judge's file lies beside the first aspect's.  Returns the
        folder.  Files of an earlier writing are replaced; a folder that
        holds anything else is refused, and left as it is.
        """
        folder, suffix = Path(folder), ".gz" if compress else ""
        qrels = {name: f"qrels.{name}{suffix}" for name in self.aspect_names}
        runs = {name: f"runs/{name}{suffix}" for name in self.drawn.names}
        second = f"qrels.machine{suffix}"
        _refuse_strangers(folder, {"collection.json", *qrels.values(), *runs.values(), *[second] * machine})
        (folder / "runs").mkdir(parents=True, exist_ok=True)
        text: dict[str, list[str]] = {file: [] for file in [*qrels.values(), *runs.values(), *[second] * machine]}
        for index in range(self.topics):
            topic = self.topic(index)
            for aspect, file in enumerate(qrels.values()):
                text[file].append("".join(self.qrels_lines(topic, aspect)))
            for system, file in enumerate(runs.values()):
                text[file].append("".join(self.run_lines(topic, system)))
            if machine:
                text[second].append("".join(self.machine_lines(topic, index)))
        for file, parts in text.items():
            _write(folder / file, "".join(parts).encode("ascii"))
        about: dict[str, object] = {"title": title, "description": description, "qrels": qrels, "runs": "runs"}
        if machine:
            about["judges"] = {"people": next(iter(qrels.values())), "machine": second}
        about["simulation"] = asdict(self)
        _write(folder / "collection.json", (json.dumps(about, indent=2, ensure_ascii=False) + "\n").encode())
        return folder


def _write(path: Path, content: bytes) -> None:
    """Write bytes, packed where the name ends in ``.gz``."""
    if path.suffix != ".gz":
        path.write_bytes(content)
        return
    with (  # without name and time; `gzip.compress` would write another header with another Python
        path.open("wb") as file,
        gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=file, mtime=0) as stream,
    ):
        stream.write(content)


def _refuse_strangers(folder: Path, ours: set[str]) -> None:
    if folder.is_file():
        raise IrvizError(f"{folder} is a file. Name a folder to write the simulated collection into.")
    for path in sorted(folder.rglob("*")) if folder.is_dir() else []:
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in ours:
            raise IrvizError(
                f"{folder} already holds {name}, which does not belong to this simulation. Choose an empty folder."
            )


#: simulations that are kept in ``data/``, each with what else :meth:`Simulation.write` is told
RECIPES: dict[str, tuple[Simulation, dict[str, Any]]] = {
    "adhoc": (
        Simulation(systems=40, topics=50, depth=200, grades=4, pool_depth=40, families=11, seed=7),
        {
            "title": "Ad hoc search (simulated)",
            "description": "40 systems in 11 families search a newswire for 50 topics; documents are graded 0 to 3.",
            "machine": True,
        },
    ),
    "multiaspect": (
        Simulation(
            systems=24,
            topics=40,
            depth=100,
            grades=(4, 3, 3),
            aspects=3,
            correlation=0.35,
            pool_depth=40,
            families=8,
            first_topic=1,
            seed=7,
        ),
        {
            "title": "Relevance, credibility and correctness (simulated)",
            "description": "24 systems in 8 families search the web for 40 health topics; relevant documents are also "
            "graded for credibility and correctness.",
        },
    ),
}


def write_simulation(arguments: Sequence[str] | None = None) -> int:
    """Write a recipe, or a simulation with the parameters given, into a folder."""
    parser = argparse.ArgumentParser(
        prog="python -m irviz.collection.simulate", description="Write a simulated collection."
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--recipe", help=f"a bundled collection: {', '.join(RECIPES)}; other options are then ignored")
    parser.add_argument("--compress", action="store_true", help="write .gz files")
    for field in fields(Simulation):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=json.loads, default=field.default)
    given = vars(parser.parse_args(arguments))
    try:
        print(_run(**given))
    except (IrvizError, OSError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    return 0


def _run(folder: Path, recipe: str | None, compress: bool, **parameters: object) -> Path:
    if recipe is None:
        grades = parameters["grades"]
        parameters["grades"] = tuple(grades) if isinstance(grades, list) else grades
        return replace(Simulation(), **parameters).write(folder, compress=compress)  # type: ignore[arg-type]
    choose("recipe", recipe, RECIPES)
    simulation, about = RECIPES[recipe]
    return simulation.write(folder, compress=True, **about)
