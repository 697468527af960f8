"""Every result draws the figure of its page, and refuses in one sentence where there is none."""

from __future__ import annotations

import sys

import pandas as pd
import plotly.graph_objects as go
import pytest

import irviz
from irviz.collection.model import Collection


@pytest.fixture(scope="module")
def c() -> Collection:
    whole = irviz.open_collection("adhoc")
    return whole.subset(whole.topics[:12], whole.systems[:5], 50)


@pytest.fixture(scope="module")
def results(c: Collection) -> dict[str, object]:
    s, (a, b, *_) = irviz.score(c, ["AP", "nDCG@10", "P@5"]), c.systems
    claim, few = f"`{a}` > `{b}`", irviz.worlds(c, measures=["AP", "P@5"], test="t", topics="all")
    jury = irviz.open_collection("adhoc")
    people = pd.DataFrame({"topic": c.topics, "satisfaction": range(12)})
    preferred = pd.DataFrame({"topic": c.topics, "a": a, "b": b, "winner": [a, b, a] * 4})
    groups = dict(zip(c.topics, "xyz" * 4, strict=True))
    return {
        "scores": s,
        "similarity": irviz.similarity(s),
        "consistency": irviz.consistency(s, trials=20),
        "significance": irviz.significance(s["AP"], trials=50),
        "power": irviz.discriminative_power(s, trials=50),
        "reduction": irviz.pool_reduction(c, ["AP", "P@5"], rates=(0.5, 0.1)),
        "sweep": irviz.sweep(c, "RBP(p={})", [0.5, 0.8], trials=20, splits=20),
        "conclusion": irviz.conclusion(c, claim, few, trials=20, exchanges=20),
        "groups": irviz.by_group(s, "AP", claim, groups=groups),
        "order": irviz.undisputed(c, few),
        "steps": irviz.equal_steps(c, ["RR@5", "P@5"]),
        "judges": irviz.judges(jury, ["P@5"], trials=20),
        "replaced": irviz.replaced(jury, ["P@5"], *jury.judges[:2], shares=(0, 1), repeats=1),
        "corrected": irviz.prediction_powered(s, s, "AP", claim, topics=6),
        "satisfaction": irviz.satisfaction(s.select(systems=[a]), people, trials=20),
        "preferences": irviz.preferences(s, preferred),
    }


def test_every_result_is_drawn(results: dict[str, object]) -> None:
    for name, result in results.items():
        figure = result.plot()  # type: ignore[attr-defined]
        assert isinstance(figure, go.Figure) and len(figure.data), name


def test_what_no_page_draws_is_refused(c: Collection) -> None:
    for result in (c, irviz.power(irviz.score(c, "AP")["AP"]), irviz.scale_type("RR@2")):
        with pytest.raises(irviz.IrvizError):
            result.plot()


def test_without_plotly_it_says_so(results: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "irviz.plots", raising=False)
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    with pytest.raises(irviz.IrvizError, match="plotly, which is not installed"):
        results["similarity"].plot()  # type: ignore[attr-defined]
