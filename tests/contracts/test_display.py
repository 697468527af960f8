"""Whatever irviz hands back shows itself: in one line, and as safe text with its numbers in a notebook."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
import re
import typing
from collections.abc import Callable
from functools import cache

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.display import LONGEST_LINE, MOST_ROWS, Displayable, purpose

HOSTILE = "<script>alert(1)</script>\n$x$"
FLOORS = ("irviz.collection", "irviz.stats", "irviz.multiverse", "irviz.labs")
for floor in FLOORS:
    for module in pkgutil.walk_packages(importlib.import_module(floor).__path__, f"{floor}."):
        if not module.name.endswith("__main__"):  # a program: importing it runs it
            importlib.import_module(module.name)


def kinds(base: type = Displayable) -> set[type]:
    """Every class that shows itself."""
    below = set(base.__subclasses__())
    return below.union(*map(kinds, below))


def test_a_repr_counts_things_and_not_the_length_of_arrays():
    asked = pd.DataFrame({"topic": ["1", "1", "2"], "system": ["a", "b", "a"], "satisfaction": [1, 2, 3]})
    chosen = pd.DataFrame({"topic": ["1", "1"], "a": ["x", "y"], "b": ["z", "z"], "winner": ["x", ""]})
    assert repr(irviz.load_satisfaction(asked)) == "<irviz Satisfaction: 3 answers about 2 topics and 2 systems>"
    assert repr(irviz.load_preferences(chosen)) == "<irviz Preferences: 2 preferences on 1 topic>"
    c = irviz.open_collection("multiaspect")
    one, two = c.systems[:2]
    worlds = irviz.worlds(c, measure=["AP"], average=["mean"], test=["t"], unjudged=["not_relevant"])
    assert repr(worlds) == f"<irviz Worlds: {len(worlds)} of {worlds.product} combinations, seed 0>"
    found = irviz.conclusion(c, f"{one} > {two}", worlds, trials=9)
    holds = round(found.holds * len(found))
    assert repr(found) == f"<irviz Conclusion: holds in {holds} of {len(found)} worlds: {found.claim}>"
    apart = irviz.dominance(c, one, two)
    assert repr(apart).endswith(f"on {apart.count('first')} of 40 topics, {two} on {apart.count('second')}>")
    assert repr(c.documents).endswith(" identifiers>")


KINDS = sorted((kind for kind in kinds() if dataclasses.is_dataclass(kind)), key=lambda kind: kind.__name__)


@cache
def scores() -> irviz.stats.scores.Scores:
    """Of systems with hostile names."""
    rows = [(qid, f"d{i}", (i + int(qid)) % 3) for qid in "1234" for i in range(4)]
    qrels = pd.DataFrame(rows, columns=["qid", "docno", "label"])
    runs = {f"{HOSTILE}{s}": qrels.assign(score=[(i * s) % 5 for i in range(len(qrels))]) for s in range(1, 5)}
    return irviz.score(irviz.collection_from_frames(qrels, runs), ["AP", "nDCG@2"])


RESULTS: dict[str, Callable[[], object]] = {
    "Collection": lambda: irviz.open_collection("multiaspect"),
    "Scores": scores,
    "Similarity": lambda: irviz.similarity(scores()),
    "Consistency": lambda: irviz.consistency(scores(), trials=5),
    "Significance": lambda: irviz.significance(scores()["AP"], trials=20),
    "PoolReduction": lambda: irviz.pool_reduction(irviz.open_collection("multiaspect"), ["RR"], rates=(1, 0.5)),
    "Worlds": lambda: irviz.worlds(scores()),
    "Conclusion": lambda: irviz.conclusion(scores(), f"`{scores().systems[0]}` is best", trials=9),
    "UndisputedOrder": lambda: irviz.undisputed(scores()),
    "Power": lambda: irviz.power(scores()),
    "ScaleType": lambda: irviz.scale_type("nDCG", grades=4, depth=5),
}


def markup(text: str) -> set[str]:
    return set(re.findall(r"<(\w+)", text))


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_one_line_and_a_safe_table(name: str):
    result = RESULTS[name]()
    assert type(result).__name__ == name
    line, page = repr(result), result._repr_html_()
    assert line.isprintable()
    assert len(line) <= LONGEST_LINE
    assert markup(page) <= {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    assert page.count("<tr") <= 60
    assert 'class="irviz tex2jax_ignore' in page  # a $ starts no formula


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_result_says_what_it_is_whatever_it_holds(kind: type):
    result = object.__new__(kind)
    for field in dataclasses.fields(kind):
        object.__setattr__(result, field.name, filled(str(field.type)))
    line = repr(result)
    assert "\n" not in line
    assert len(line) <= LONGEST_LINE or kind.__name__ == "Collection"
    assert "<" not in purpose(kind)
    assert len(purpose(kind)) > 10


def filled(kind: str) -> object:
    """Something of the kind that an annotation names, as hostile as it can be."""
    if any(word in kind for word in ("Array", "Floats", "Groups", "Padded", "Lists")):
        return np.zeros((3, 2, 100))
    if kind.startswith(("tuple", "Mapping", "dict", "list")):
        return tuple(f"{HOSTILE}{i}" for i in range(1000)) if "str" in kind else tuple(range(1000))
    return {"str": HOSTILE * 9, "int": 10**30, "float": 1 / 3, "float | None": None}.get(kind, HOSTILE)


def test_what_public_functions_return_shows_itself():
    missing = set()
    for name in irviz.__all__:
        function = getattr(irviz, name)
        if inspect.isfunction(function):
            found = typing.get_type_hints(function).get("return")
            if dataclasses.is_dataclass(found) and not hasattr(found, "symbol"):
                missing |= {found} - kinds()
    assert missing == set()


def test_a_line_names_what_was_asked_and_counts_the_rest():
    assert repr(RESULTS["ScaleType"]()) == (
        "<irviz ScaleType: measure nDCG, grades 0, 1, 2, 3, depth 5, order rank, kind neither, "
        "witness (0, 0, 0, 0, 3), (0, 0, 0, 1, 0), 1,024 runs>"
    )


def test_the_numbers_are_shown_and_the_rest_is_counted():
    found = irviz.similarity(scores())
    assert f"<td>{found.values[0, 1]}</td>" in found._repr_html_()
    page = RESULTS["PoolReduction"]()._repr_html_()
    assert "rows.</p>" not in page
    cube = irviz.score(irviz.open_collection("multiaspect"), [f"P@{k}" for k in range(1, MOST_ROWS + 6)])
    assert f"The first {MOST_ROWS} of {MOST_ROWS + 5} rows." in cube._repr_html_()
