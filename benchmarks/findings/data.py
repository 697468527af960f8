"""What a finding is, and the real collections that answer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd

from irviz.collection.catalogue import open_collection
from irviz.collection.load import load_collection
from irviz.gallery import paper
from irviz.gallery.item import Found, RandomTrials
from irviz.stats.scores import load_scores
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Opened
from irviz.workspace.view import settle

DRAWS = RandomTrials(trials=2000, repeats=10, seed=0)
COVID, CLEF, TREC7, WEB13 = "TREC-COVID round 1", "CLEF eHealth 2018", "TREC-7 ad hoc", "TREC Web 2013"
TREC8 = "TREC-8 ad hoc"
RUNS, SCORED = (COVID, CLEF), (COVID, CLEF, TREC7, WEB13)
ASPECTS = ("relevance", "understandability", "trust")


@dataclass(frozen=True)
class Check:
    """One collection's answer: whether the finding is seen there, and the numbers."""

    where: str
    seen: bool
    numbers: str


@dataclass(frozen=True)
class Finding:
    """What a paper found, and what the collections say to it.  `remark` explains, where something needs to be."""

    cite: str
    claim: str
    checks: tuple[Check, ...]
    remark: str = ""

    @property
    def verdict(self) -> str:
        seen = sum(check.seen for check in self.checks)
        if seen == len(self.checks):
            return "holds"
        return "does not hold" if not seen else f"holds in {seen} of {len(self.checks)}"


@dataclass(frozen=True, eq=False)
class Data:
    """The real collections of a folder, and what the gallery finds on them, computed once."""

    folder: Path
    found: dict[tuple[str, str, str], Found] = field(default_factory=dict)

    @cached_property
    def contexts(self) -> dict[str, Context]:
        covid, clef = self.folder / "trec-covid-round1", self.folder / "clef-ehealth-2018"
        qrels = {aspect: clef / f"qrels.{aspect}.txt" for aspect in ASPECTS}
        trec7 = {"AP": "ap", "P@10": "p10", "RR": "rr"}
        web13 = {**trec7, "nDCG@20": "ndcg20", "ERR@20": "err20"}
        return {
            COVID: _context(Opened(COVID, COVID, load_collection(covid / "qrels.txt", covid / "runs"))),
            CLEF: _context(Opened(CLEF, CLEF, load_collection(qrels, clef / "runs"))),
            TREC7: _context(Opened(TREC7, TREC7, imported=_matrices(self.folder / "trec7-adhoc", trec7))),
            WEB13: _context(Opened(WEB13, WEB13, imported=_matrices(self.folder / "trec-web2013", web13))),
        }

    @cached_property
    def own(self) -> Context | None:
        """The papers' own collection, TREC-8 ad hoc as submitted; None where the folder does not hold it."""
        file = self.folder / "trec8-adhoc.irviz"
        return _context(Opened(TREC8, TREC8, open_collection(str(file)))) if file.is_file() else None

    def repeated(self, key: str, item: str) -> Found:
        """What an item of the paper gallery gives on the papers' own collection."""
        assert self.own is not None
        print(f"{TREC8}: {key} {item}", file=sys.stderr, flush=True)
        return paper(key).item(item).find(self.own, DRAWS)

    def gallery(self, where: str, key: str, item: str) -> Found:
        """What an item of the paper gallery gives on a collection."""
        place = (where, key, item)
        if place not in self.found:
            print(f"{where}: {key} {item}", file=sys.stderr, flush=True)
            self.found[place] = paper(key).item(item).find(self.contexts[where], DRAWS)
        return self.found[place]

    def curves(self, where: str, key: str, item: str) -> pd.DataFrame:
        """Self-τ under reduced pools: a row a figure and measure, a column a share."""
        return self.gallery(where, key, item).tables["Curves"].frame.set_index(["figure", "measure"])


def _matrices(folder: Path, names: dict[str, str]):
    return load_scores({measure: folder / "scores" / f"{name}.csv" for measure, name in names.items()})


def _context(opened: Opened) -> Context:
    return Context.of(opened, settle(SIDEBAR_CONTROLS, {}, opened)[0])


def each(places: Iterable[str], ask: Callable[[str], tuple[bool, str]]) -> tuple[Check, ...]:
    """Put a question to each of several collections; the answer is whether the finding is seen, and the numbers."""
    return tuple(Check(where, *ask(where)) for where in places)
