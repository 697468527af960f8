"""How fast scores become findings, at the size of TREC-8; and each page's first full answer at 126 systems."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

import irviz
from benchmarks import loops, queries, trec8
from benchmarks.memory import peak_above
from benchmarks.parts.measures import TABLE_1
from benchmarks.timing import Row, limit, once, processor_seconds, seconds, times_as_fast
from irviz.explore.users import grid_of
from irviz.menu import page_named
from irviz.stats.bounds import upper_bounds
from irviz.stats.consistency import consistency, epsilon_sweep
from irviz.stats.incompleteness import pool_reduction
from irviz.stats.significance import discriminative_power
from irviz.stats.similarity import similarity
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Dataset
from irviz.workspace.view import settle

TEN = ("AP", "nDCG", "nDCG@10", "P@10", "Bpref", "RR", "Rprec", "RBP(p=0.8)", "ERR@20", "R@100")
SWEPT = np.logspace(-6, 2, 17)
BOUNDED = ("CAM(nDCG)", "MM(nDCG)", "CAM(AP,binary=True)")
LOOPED = 400  #: pairs on which the bootstrap's loop is timed; its time is proportional to them

_PREPARE = """
import irviz
from benchmarks import trec8
from benchmarks.parts.measures import TABLE_1
from benchmarks.parts.analyses import TEN
c = trec8.collection()
"""
_WORK = """
s = irviz.score(c, [*TABLE_1, "AP"])
irviz.similarity(s, by="topic")
irviz.consistency(s, trials=1000)
irviz.significance(s["AP"], "randomised_tukey", trials=10000)
irviz.significance(s["AP"], "paired_bootstrap", trials=10000)
irviz.pool_reduction(c, list(TEN), repeats=2)
"""


def rows() -> Iterator[Row]:
    """τ, the two randomised tests, consistency, pool reduction, and the memory of them all."""
    cube = irviz.score(trec8.collection(), [*TABLE_1, "AP"])
    yield _tau(cube)
    yield from _tukey(cube)
    yield from _bootstrap(cube)
    yield _consistency(cube)
    yield _pool_reduction()
    yield from _pages()
    yield from _users()
    yield from _equal_steps()
    yield limit("peak memory of the analyses, above the collection", peak_above(_PREPARE, _WORK), 1000, "MB")


def _tau(cube) -> Row:
    taken = seconds(lambda: irviz.similarity(cube, by="topic"))
    loop = once(lambda: loops.topic_tau(cube.values))
    return times_as_fast(f"topic-by-topic τ of {len(cube.measures)} measures", taken, "scipy in a loop", loop, 40)


def _tukey(cube) -> Iterator[Row]:
    taken = seconds(lambda: irviz.significance(cube["AP"], "randomised_tukey", trials=10_000))
    yield limit("randomised Tukey HSD, 10,000 trials", taken, 1.5, "s")
    loop = once(lambda: loops.randomised_tukey(cube.matrix("AP"), 10_000, 0))
    yield times_as_fast("  the same", taken, "loop over trials and topics", loop, 3)


def _bootstrap(cube) -> Iterator[Row]:
    taken = seconds(lambda: irviz.significance(cube["AP"], "paired_bootstrap", trials=10_000))
    yield limit("paired bootstrap, 10,000 samples, 8,256 pairs", taken, 3, "s")
    pairs = list(itertools.combinations(range(len(cube.systems)), 2))
    some = [pairs[i] for i in np.linspace(0, len(pairs) - 1, LOOPED).astype(int)]
    loop = once(lambda: loops.paired_bootstrap(cube.matrix("AP"), some, 10_000, 0)) * len(pairs) / LOOPED
    yield times_as_fast("  the same", taken, f"loop over pairs (from {LOOPED})", loop, 15)


def _consistency(cube) -> Row:
    chosen = cube.select(measures=TABLE_1)
    taken = seconds(lambda: irviz.consistency(chosen, trials=1000))
    return limit(f"consistency, {len(TABLE_1)} measures × 1,000 splits", taken, 4, "s")


def _pages() -> Iterator[Row]:
    """What a page computes by default for ten measures of 126 systems on 50 topics, on all processors where it pays."""
    whole = trec8.collection()
    c = whole.subset(systems=whole.systems[:126])
    cube = irviz.score(c, TEN)
    works = {
        "similarity": (lambda: (similarity(cube), similarity(cube, by="topic")), 1),
        "consistency, 1,000 splits": (lambda: consistency(cube, workers=-1), 1),
        "randomised Tukey HSD, 2,000 shuffles": (lambda: discriminative_power(cube, workers=-1), 1),
        "two-way ANOVA": (lambda: discriminative_power(cube, "anova_tukey"), 1),
        "Kruskal-Wallis": (lambda: discriminative_power(cube, "kruskal_tukey"), 1),
        "paired bootstrap, 2,000 samples": (lambda: discriminative_power(cube, "paired_bootstrap", workers=-1), 2),
        "aggregation: 17 ε × 200 splits": (lambda: epsilon_sweep(cube, SWEPT, trials=200, workers=-1), 1),
        "pool reduction, 6 rates × 5 repeats": (lambda: pool_reduction(c, TEN, repeats=5, workers=1), 3),
    }
    for name, (work, most) in works.items():
        yield limit(f"126 × 50 × 10: {name}", once(work), most, "s")
    yield from _changes(Dataset("trec8", "TREC-8's size", c))
    yield from _bench(whole)
    several = irviz.open_collection("multiaspect")
    yield limit("upper bounds of CAM and MM, 40 topics", once(lambda: upper_bounds(several, BOUNDED)), 3, "s")


def _users() -> Iterator[Row]:
    """Scores and agreement with users of ten measures, and of every browsing model with every aggregation."""
    study = irviz.open_collection("tiangong")
    grid = grid_of({"models": (), "cutoff": 10, "gains": "own", "rel": None}).varying()
    for names, most in ((TEN, 0.3), (grid, 1.5)):
        taken = processor_seconds(lambda some=names: irviz.satisfaction(irviz.score(study, some), study.satisfaction))
        words = f"{len(study.topics):,} queries × {len(names)}: agreement with users, 2,000 samples, processor time"
        yield limit(words, taken, most, "s")


def _equal_steps() -> Iterator[Row]:
    """Every value of ten measures, and all decisions before and after."""
    flat, binary = "gains=[0,1,1,1]", [f"RBP(p={p},rel=1)" for p in (0.3, 0.5, 0.8)]  # its grades are 0 to 3
    bases = ("AP", "RR", "P", "Success", f"nDCG({flat})", f"DCG(base=2,{flat})", f"DCG(base=10,{flat})", *binary)
    whole = trec8.collection()
    for ranks, most in ((10, 2), (20, 4)):
        names = [f"{name}@{ranks}" for name in bases]
        taken = processor_seconds(lambda some=names: irviz.equal_steps(whole, some))
        yield limit(
            f"{len(whole.systems)} × 50 × {len(bases)}: equal steps of {ranks} ranks, processor time", taken, most, "s"
        )


def _changes(opened: Dataset) -> Iterator[Row]:
    """A whole page again after something was changed that needs no new draws, and with one measure changed."""
    moved = tuple("RBP(p=0.85)" if name == "RBP(p=0.8)" else name for name in TEN)
    bootstrap = {"method": "paired_bootstrap"}
    changes: tuple[tuple[str, dict[str, str], tuple[str, ...], dict[str, str], str], ...] = (
        ("discriminative", {}, TEN, {"alpha": "0.01"}, "another α"),
        ("discriminative", bootstrap, TEN, {"alpha": "0.01"}, "another α of the bootstrap"),
        ("consistency", {}, TEN, {"alpha": "0.01"}, "another α"),
        ("aggregation", {}, TEN, {"epsilon": "0.1"}, "another ε"),
        ("discriminative", {}, moved, {}, "another p of RBP"),
        ("incomplete", {}, moved, {}, "another p of RBP"),
    )
    for name, link, measures, change, words in changes:
        _shown(opened, name, TEN, link)
        taken = once(lambda p=name, m=measures, values=link | change: _shown(opened, p, m, values))
        yield limit(f"126 × 50 × 10: {name}, {words}", taken, 0.3, "s")


def _bench(whole: irviz.Collection) -> Iterator[Row]:
    """One move on *What if*: its scores, then all of it; a sweep, and its first values."""
    for systems, share in ((126, 1.0), (40, 0.5)):
        c = whole.subset(systems=whole.systems[:systems])
        name = f"{systems} × 50 × 10: what_if"
        for words, taken, most in _moves(Dataset("trec8", "TREC-8's size", c)):
            yield limit(f"{name}, {words}", taken, most * share, "s")
        values = np.round(np.linspace(0.05, 0.95, 20), 3)
        for count, most in ((5, 1.5), (20, 5)):
            some = values[:: 20 // count]
            taken = once(lambda c=c, some=some: irviz.sweep(c, "RBP(p={})", some, others=TEN))
            yield limit(f"{name}, a sweep of {count} values", taken, most * share, "s")
    for words, taken, _ in _moves(Dataset("queries", "A query log's size", queries.collection())):
        yield limit(f"10,000 × 5: what_if, {words}", taken, 3, "s")


def _moves(opened: Dataset) -> Iterator[tuple[str, float, float]]:
    """Words, seconds and limit of what follows another p of RBP; the state before was on the screen."""
    moved, states = tuple("RBP(p=0.9)" if name == "RBP(p=0.8)" else name for name in TEN), {"before": "RBP(p=0.8)"}
    _shown(opened, "what_if", TEN, {})
    context = _context(opened, moved)
    yield "scores after another p", once(context.scores), 0.2
    yield "all of it", once(lambda: _shown(opened, "what_if", moved, states)), 2


def _shown(opened: Dataset, name: str, measures: Sequence[str], texts: Mapping[str, str]) -> object:
    """What a page computes and draws, without a browser."""
    context = _context(opened, measures)
    return page_named(name).panel(context, settle(page_named(name).controls, texts, context)[0])


def _context(opened: Dataset, measures: Sequence[str]) -> Context:
    return Context.from_values(opened, settle(SIDEBAR_CONTROLS, {"measures": ",".join(measures)}, opened)[0])


def _pool_reduction() -> Row:
    collection = trec8.collection()
    taken = once(lambda: irviz.pool_reduction(collection, list(TEN), repeats=10))
    return limit("pool reduction, 10 measures × 6 rates × 10 repeats", taken, 30, "s")
