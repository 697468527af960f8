"""Realistic collections from a seed, written as TREC files.

Teaching, tests and benchmarks need collections that anyone may copy.  From a shell::

    python -m benchmarks.simulate mine --systems 20 --topics 30

In the model, documents have merit, and systems observe it with noise.  A document that answers a topic
has a *merit* on every aspect; its grades are cut from it.  A system scores a document by

    strength(topic, system) · (1 + Σ taste(system, aspect) · merit(document, aspect)) + noise

if the document is within the system's reach, and by the noise alone if not. Reach is the share
of relevant documents that a family's way of matching can find at all; it sets recall, taste
sets early precision, so that measures can disagree. Strength is the ease of the topic + the
quality of the system + random strengths of this family and this system on the topic. Ease
varies most, as in real collections (D. Banks, P. Over and N.-F. Zhang, Information Retrieval
1(1), 1999). The noise has a part that all systems share (documents that deceive everyone), a
part of the family, and a part of the system's own; a variant of a base run has little of its
own, hence near-duplicates.

All latent numbers are multiples of 2⁻¹⁰, so that sums and products are exact and files
come out equal on every machine.
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
from numpy.random import Generator
from numpy.typing import NDArray

from irviz.errors import IrvizError, choose

CORPUS = 520_000  #: documents in the imagined corpus
_SOURCES = ("AX", "BD", "CN", "DL", "EP", "FT", "GR", "HM")
TEAMS = tuple(
    """
    lumen harbor quarry tessera northfield sable wren isobar cobalt larch meridian otter pallas rowan siskin
    umber
""".split()
)
MODELS = ("bm25", "dph", "lmdir", "splade", "colbert", "hybrid", "lmjm", "rerank", "dfr", "dense", "ltr", "tfidf")
VARIANTS = ("prf", "rm3", "desc", "stem", "tuned", "qe", "noprior", "k2", "fuse", "title", "b04", "sdm")

#: How families print scores: printf format, factor and offset of the latent score; factor 0 squashes it into 0–1.
_PRINT_FORMATS = (
    ("%.4f", 4.0, 9.0),
    ("%.6f", 0.0, 0.0),
    ("%.4f", 0.5, -7.5),
    ("%.3f", 6.0, 14.0),
    ("%.5f", 1.0, 0.0),
    ("%.2f", 8.0, 20.0),
)


@dataclass(frozen=True)
class SimulatedSystems:
    """Properties of the systems that are the same on all topics; one entry per system."""

    names: tuple[str, ...]
    family: NDArray[np.intp]
    quality: NDArray[np.float64]
    taste: NDArray[np.float64]  #: systems × aspects
    reach: NDArray[np.float64]
    noise: NDArray[np.float64]
    pooled: NDArray[np.bool_]
    missing: NDArray[np.intp]  #: the topic a system returned nothing for; −1: none
    brief: NDArray[np.bool_]  #: whether the system cuts some of its lists short


@dataclass(frozen=True)
class SimulatedTopic:
    """One simulated topic.

    ``documents`` are identifiers, in bytewise order; ``grades`` documents × aspects;
    ``judged`` marks the pool.  ``ranking[s]`` holds indices of documents, best first
    (empty where system *s* returned nothing), ``scores[s]`` the latent scores.
    """

    name: str
    documents: tuple[str, ...]
    grades: NDArray[np.int64]
    judged: NDArray[np.bool_]
    ranking: list[NDArray[np.intp]]
    scores: list[NDArray[np.float64]]


def dyadic(numbers: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """Round to multiples of 2⁻¹⁰, on which sums and products are exact.

    >>> float(dyadic(0.3))
    0.2998046875
    """
    return np.rint(np.asarray(numbers) * 1024.0) / 1024.0


def draw_systems(rng: Generator, systems: int, families: int, aspects: int, topics: int) -> SimulatedSystems:
    """Families of graded quality, each a base run and its variants."""
    family = np.concatenate([np.arange(families), rng.integers(0, families, systems - families)])
    ladder = np.linspace(-0.65, 0.35, families) if families > 1 else np.zeros(1)
    of_family = rng.permutation(ladder) + 0.15 * rng.standard_normal(families)
    is_base = np.arange(systems) < families
    of_system = np.where(is_base, 0.0, 0.12 * rng.standard_normal(systems))
    taste = (0.7 * rng.random((families, aspects)))[family] + 0.1 * rng.random((systems, aspects))
    reach = (0.45 + 0.5 * rng.random(families))[family] + np.where(is_base, 0.0, 0.3 * rng.random(systems) - 0.1)
    noise = np.where(is_base, 0.25, 0.1 + 0.4 * rng.random(systems))
    unlucky = rng.permutation(systems)
    missing = np.full(systems, -1, dtype=np.intp)
    few = systems // 12 if topics > 3 else 0
    missing[unlucky[:few]] = rng.integers(0, topics, few)
    pooled, brief = np.ones(systems, dtype=bool), np.zeros(systems, dtype=bool)
    pooled[unlucky[few : few + systems // 8]] = False
    brief[unlucky[-(systems // 10) :] if systems >= 10 else []] = True
    return SimulatedSystems(
        _names(rng, family, families),
        family,
        dyadic(of_family[family] + of_system),
        dyadic(taste),
        reach,
        dyadic(noise),
        pooled,
        missing,
        brief,
    )


def _names(rng: Generator, family: NDArray[np.intp], families: int) -> tuple[str, ...]:
    """``team-model`` for a base run, ``team-model-variant`` for the others of its family."""
    models = rng.permutation(len(MODELS))
    names, used = [], [0] * families
    for f in family.tolist():
        again, team = divmod(f, len(TEAMS))
        base = f"{TEAMS[team]}{again + 1 if again else ''}-{MODELS[models[f % len(MODELS)]]}"
        more, variant = divmod(used[f] - 1, len(VARIANTS))
        chosen = VARIANTS[(variant + 5 * f) % len(VARIANTS)]
        names.append(base if used[f] == 0 else f"{base}-{chosen}{more + 1 if more else ''}")
        used[f] += 1
    return tuple(names)


def draw_topic(rng: Generator, given: Simulation, index: int, systems: SimulatedSystems) -> SimulatedTopic:
    """One topic of a simulation: documents, grades, every system's list, the pool."""
    depth, dependent, grades = given.depth, given.dependent, given.levels
    relevant = 6 + int(rng.random() ** 2 * min(320, 50 + depth))
    size = relevant + 600 + 6 * depth
    merit = _merit(rng, relevant, len(grades), float(given.correlation))
    where = np.sort(rng.permutation(size)[:relevant])
    labels = _labels(rng, merit, where, size, grades, dependent)
    scores = _latent(rng, systems, merit, where, size)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :depth]
    lengths = _lengths(rng, systems, index, depth)
    ranking = [row[:length] for row, length in zip(order, lengths.tolist(), strict=True)]
    judged = np.zeros(size, dtype=bool)
    judged[order[systems.pooled, : given.pool_depth]] = True
    judged[where[np.argmax(merit[:, 0])]] = True  # the topic's author knows one answer
    numbers = np.sort(rng.permutation(CORPUS)[:size])
    documents = tuple(f"{_SOURCES[n // 65_000]}{n // 1_000 % 65 + 30}-{n % 1_000:04d}" for n in numbers.tolist())
    list_scores = [scores[s, row] for s, row in enumerate(ranking)]
    return SimulatedTopic(str(given.first_topic + index), documents, labels, judged, ranking, list_scores)


def _merit(rng: Generator, documents: int, aspects: int, correlation: float) -> NDArray[np.float64]:
    """Normal merits, documents × aspects, every pair of aspects correlated by `correlation`."""
    common = rng.standard_normal((documents, 1))
    specific = rng.standard_normal((documents, aspects))
    return dyadic(np.sqrt(correlation) * common + np.sqrt(1.0 - correlation) * specific)


def _labels(
    rng: Generator,
    merit: NDArray[np.float64],
    where: NDArray[np.intp],
    size: int,
    grades: tuple[int, ...],
    dependent: bool,
) -> NDArray[np.int64]:
    """Grades of all documents: few at the top; 0 for those that do not answer the topic.

    A relevant document has at least grade 1 on the first aspect, and may have 0 on the
    others.  Unless `dependent`, the others are graded for not relevant documents too.
    """
    labels = np.zeros((size, len(grades)), dtype=np.int64)
    for aspect, levels in enumerate(grades):
        lowest = 1 if aspect == 0 else 0
        if aspect and not dependent:
            labels[:, aspect] = _cut(rng.random(size), levels, 0)
        labels[where, aspect] = _cut(merit[:, aspect], levels, lowest)
    return labels


def _cut(merit: NDArray[np.float64], levels: int, lowest: int) -> NDArray[np.int64]:
    """Grades `lowest` … `levels` − 1 by order of merit, each about half as frequent as the one below."""
    weights = 2 ** np.arange(levels - 1 - lowest, -1, -1)
    place = np.argsort(np.argsort(merit, kind="stable"), kind="stable")
    ends = len(merit) - np.cumsum(weights[::-1])[::-1][1:] * len(merit) // weights.sum()
    return lowest + np.searchsorted(ends, place, side="right")


def _latent(
    rng: Generator, systems: SimulatedSystems, merit: NDArray[np.float64], where: NDArray[np.intp], size: int
) -> NDArray[np.float64]:
    """Scores, systems × documents."""
    count, families = len(systems.names), int(systems.family.max()) + 1
    ease = 0.2 + 3.0 * rng.random()
    affinity = 0.3 * rng.standard_normal(families)[systems.family] + 0.08 * rng.standard_normal(count)
    strength = np.maximum(dyadic(ease + systems.quality + affinity), 0.0)
    appeal = np.ones((count, len(merit)))
    for aspect in range(merit.shape[1]):
        appeal += systems.taste[:, aspect, None] * merit[None, :, aspect]
    appeal *= rng.random((families, len(merit)))[systems.family] < systems.reach[:, None]
    noise = (
        0.6 * dyadic(rng.standard_normal(size)) + 0.75 * dyadic(rng.standard_normal((families, size)))[systems.family]
    )
    noise += systems.noise[:, None] * dyadic(rng.standard_normal((count, size)))
    noise[:, where] += strength[:, None] * appeal
    return noise


def _lengths(rng: Generator, systems: SimulatedSystems, index: int, depth: int) -> NDArray[np.intp]:
    """How many documents every system returns for the topic: `depth`, fewer, or none."""
    share = np.where(systems.brief & (rng.random(len(systems.names)) < 0.4), rng.random(len(systems.names)) ** 2, 1.0)
    lengths = np.maximum(1, (share * depth).astype(np.intp))
    lengths[systems.missing == index] = 0
    return lengths


def printed_scores(scores: NDArray[np.float64], family: int) -> list[str]:
    """Latent scores as the family prints them; rounding leaves a few ties."""
    form, factor, offset = _PRINT_FORMATS[family % len(_PRINT_FORMATS)]
    scaled = factor * scores + offset if factor else 0.5 + 0.5 * scores / (1.0 + np.abs(scores))
    return [form % score for score in scaled.tolist()]


# -- A second judge of a simulated collection: a machine that mostly agrees with the people, with a bias of its own
#
# It judges the same documents, except a few.  It raises and lowers grades by one.  It raises most
# often the grades of documents at the first ranks of one family of systems, a large family below
# the median: a judge that favours the documents that its own kind retrieves.

LEFT_OUT, LOWERED, RAISED, FAVOURED = 30, 300, 250, 350  #: of a thousand documents
FIRST_RANKS = 15  #: of the favoured family's lists


def machine_grades(rng: Generator, topic: SimulatedTopic, systems: SimulatedSystems, levels: int) -> NDArray[np.int64]:
    """The machine's grade of every document on the first aspect, of as many `levels` as people use; −1: not judged."""
    size = len(topic.documents)
    left_out, moved = rng.integers(0, 1000, size), rng.integers(0, 1000, size)
    liked = np.zeros(size, dtype=bool)
    for system in np.flatnonzero(systems.family == favoured_family(systems)):
        liked[topic.ranking[system][:FIRST_RANKS]] = True
    raised = moved < np.where(liked, FAVOURED, RAISED)
    lowered = ~raised & (moved >= 1000 - LOWERED)
    grades = np.clip(topic.grades[:, 0] + raised - lowered, 0, levels - 1)
    return np.where(topic.judged & (left_out >= LEFT_OUT), grades, -1)


def favoured_family(systems: SimulatedSystems) -> int:
    """The largest family among those that are worse than the median system, so that favour shows."""
    sizes = np.bincount(systems.family)
    quality = np.bincount(systems.family, weights=systems.quality) / sizes
    return int(np.argmax(np.where(quality < np.median(systems.quality), sizes, 0)))


def qrels_lines(topic: SimulatedTopic, judged: NDArray[np.bool_], grades: NDArray[np.int64]) -> Iterator[str]:
    """``topic 0 document grade`` of the documents that somebody judged, by document."""
    for i in np.flatnonzero(judged).tolist():
        yield f"{topic.name} 0 {topic.documents[i]} {grades[i]}\n"


# -- Parameters and files

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
        printed = printed_scores(topic.scores[system], int(self.drawn.family[system]))
        name, tag = topic.name, self.drawn.names[system]
        for rank, (i, score) in enumerate(zip(topic.ranking[system].tolist(), printed, strict=True), start=1):
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
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulate", description="Write a simulated collection.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--recipe", help=f"a bundled collection: {', '.join(RECIPES)}; other options are then ignored")
    parser.add_argument("--compress", action="store_true", help="write .gz files")
    for field in fields(Simulation):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=json.loads, default=field.default)
    options = vars(parser.parse_args(arguments))
    try:
        print(_run(**options))
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


if __name__ == "__main__":
    raise SystemExit(write_simulation())
