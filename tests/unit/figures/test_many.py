"""Of many topics and many systems, figures show distributions and points: few enough to read, and the same numbers."""

from __future__ import annotations

import html
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irviz
from irviz.explore.scores import GROUPS, ecdf, topic_heatmap
from irviz.figures import unchecked
from irviz.figures.pools import topic_grade_bars
from irviz.figures.ranking import MOST_LINES, slope
from irviz.figures.theme import MOST_TOPICS, labels, plotly_escape, short
from irviz.menu import PAGES
from irviz.publish.draw import draw
from irviz.workspace.context import Dataset
from irviz.workspace.data import library
from irviz.workspace.view import View
from tests.panels import context_of, drawing_of, panel_of

RNG = np.random.default_rng(3)
TOPICS = 1_000


def test_grades_of_many_topics_are_shares_of_them():
    counts = RNG.integers(0, 6, (TOPICS, 2))
    bars = topic_grade_bars([str(t) for t in range(TOPICS)], counts, ["grade 1", "grade 2"]).data
    assert len(bars) == 2
    for g, one in enumerate(bars):
        share = {int(x): float(y) for x, y in zip(one.x, one.y, strict=True)}
        assert share == pytest.approx({n: (counts[:, g] == n).mean() for n in range(6)})


def test_many_topics_are_groups_of_a_heatmap_with_the_same_mean():
    values = np.sort(RNG.random((TOPICS, 3)), axis=0)[::-1]
    cells, _ = topic_heatmap([str(t) for t in range(TOPICS)], ["a", "b", "c"], values, "AP", (0.0, 1.0)).data
    assert cells.z.shape == (3, GROUPS) and len(cells.x) == GROUPS
    np.testing.assert_allclose(cells.z.mean(axis=1), values.mean(axis=0), atol=1e-4)


def test_a_curve_of_many_topics_keeps_its_shares():
    values = RNG.random((TOPICS, 1))
    curve = ecdf(["a"], values, [0], "AP").data[0]
    assert len(curve.x) <= MOST_TOPICS and curve.y[-1] == 1.0
    np.testing.assert_allclose(curve.y, [(values.round(4) <= x).mean() for x in curve.x], atol=2 / TOPICS)


def test_curves_of_many_systems_are_a_band_with_nine_in_ten_of_them():
    values = np.sort(RNG.random((40, 200)), axis=0)
    band, marked = ecdf([f"s{i}" for i in range(200)], values, [7], "AP").data
    low, high = np.quantile(np.delete(values, 7, axis=1), [0.05, 0.95], axis=1)
    np.testing.assert_allclose(band.x[:-1], [*low, *high[::-1]], atol=1e-3)  # a gap ends it
    assert list(band.y[:40]) == list(band.y[-2:39:-1]) and list(marked.x) == list(values[:, 7].round(4))


def test_the_page_on_many_topics_shows_how_they_spread_without_those_at_0():
    topics = MOST_TOPICS + 20
    qrels = ("q", "".join(f"{t} 0 d 1\n{t} 0 e {t % 2}\n" for t in range(topics)).encode())
    runs = [
        (name, "".join(f"{t} Q0 {'xd'[(t + k) % 3 > 0]} 1 9 r\n{t} Q0 e 2 8 r\n" for t in range(topics)).encode())
        for name, k in (("r", 1), ("s", 2), ("t", 3))
    ]
    context = context_of(Dataset("many", "Many", irviz.load_collection(qrels, runs)), measures="AP")
    panel = panel_of(context, "topics")
    frame, drawing = panel.tables["Topics"].frame, drawing_of(panel, "topics")
    zeros = int((frame["falls short by"] == 0).sum())
    assert sum(drawing.figure.data[0].y) + zeros == topics == len(frame)


def test_many_systems_are_points_by_both_ranks():
    count = MOST_LINES + 40
    left, right = np.arange(1, count + 1), RNG.permutation(count) + 1
    drawn = slope([f"s{i}" for i in range(count)], left, right, ("AP", "RR"), [3, 90])
    points = {name: (x, y) for one in drawn.data for name, x, y in zip(one.customdata, one.x, one.y, strict=True)}
    assert points == {f"s{i}": (left[i], right[i]) for i in range(count)}
    assert [one.name for one in drawn.data if one.showlegend] == [f"s{i}: {left[i]} → {right[i]}" for i in (3, 90)]
    assert drawn.layout.legend.y < 0 and drawn.layout.legend.yanchor == "top", "below all points"
    assert len(slope(list(map(str, range(count))), left, left, ("AP", "RR"), []).data) == 1, "nobody moves"


def test_an_ending_that_all_names_share_is_left_out():
    assert labels(["input.a.dat", "input.b.dat"]) == ["input.a", "input.b"]
    assert labels(["a.dat", "b.run"]) == ["a.dat", "b.run"] and labels(["only.dat"]) == ["only.dat"]
    assert labels(["RBP(p=0.5)", "RBP(p=0.8)"]) == ["RBP(.5)", "RBP(.8)"]


# Names in figures are shown sign for sign.


@given(st.text(max_size=40))
def test_an_escaped_name_holds_no_markup_and_reads_back(name):
    escaped = plotly_escape(name)
    assert not set("<>$%{}") & set(escaped)
    control = {chr(i) for i in (*range(32), 127)}
    assert html.unescape(escaped) == "".join(" " if sign in control else sign for sign in name) or max(name) >= "\x80"


@given(st.text(max_size=80), st.integers(3, 30))
def test_a_short_name_is_short(name, most):
    assert len(short(name, most)) <= most


RUNS = ["IRTask1__CUNI__CUNI_en.run3"] + [
    f"IRTask1__baselines__{model}_{way}.out"
    for model in ("elastic_BM25f", "indri_okapi", "indri_tfidf", "indri_dirichlet", "terrier_TF_IDF")
    for way in ("noqe", "qe")
]


@pytest.mark.parametrize("most", [18, 22, 26])
def test_what_differs_is_left_of_names_that_begin_alike(most):
    shown = labels(RUNS, most)
    assert shown[0].endswith("_en.run3") and len(set(shown)) == len(RUNS)
    ends = (
        "25f_noqe",
        "25f_qe",
        "api_noqe",
        "api_qe",
        "idf_noqe",
        "idf_qe",
        "let_noqe",
        "let_qe",
        "IDF_noqe",
        "IDF_qe",
    )
    assert [end in text for end, text in zip(ends, shown[1:], strict=True)] == [True] * len(ends)
    assert all(text.startswith("…") and "IRTask1" not in text for text in shown)


# What plotly has not checked is what it makes of the same: tests have figures checked, a dashboard does not wait.


FEW = {"trials": "100", "repeats": "1", "models": "RBP,RR"}
OPENER = library()


def pictures(name: str) -> dict[str, object]:
    """The figures of a page on a bundled collection, as a browser is sent them."""
    one = next(page for page in PAGES if page.name == name)
    few = {control.name: FEW[control.name] for control in one.controls if control.name in FEW}
    texts = {"step": "free"} if one.lab else {"collection": "tiangong" if name == "users" else "adhoc", **few}
    found = draw(View.from_texts(name, **texts), OPENER).panel
    sent = {f"{i} {key}": one.figure.to_json() for i, row in enumerate(found.drawings) for key, one in row.items()}
    return {key: _without_nothing(json.loads(text)) for key, text in sent.items()}


def _without_nothing(part: object) -> object:
    """A figure without empty lists and nothing at all: plotly's check takes these out."""
    if isinstance(part, dict):
        inner = {key: _without_nothing(one) for key, one in part.items()}
        return {key: one for key, one in inner.items() if one is not None and one != []}
    return [_without_nothing(one) for one in part] if isinstance(part, list) else part


@pytest.mark.parametrize("name", [page.name for page in PAGES])
def test_figures_are_the_same_checked_or_not(name, monkeypatch):
    checked = pictures(name)
    monkeypatch.setattr(unchecked, "VALIDATES", False)
    found = pictures(name)
    assert (checked or name == "findings") and list(checked) == list(found), "rows of findings are folded"
    for key, picture in checked.items():
        assert found[key] == picture, key


def test_far_numbers_of_judged_documents_share_bars_and_small_ones_have_their_own():
    counts = np.concatenate([np.zeros(200, int), np.ones(100, int), np.repeat([10, 1000], 350)])[:, None]
    (one,) = topic_grade_bars([str(t) for t in range(TOPICS)], counts, ["grade 1"]).data
    share = dict(zip(one.x, one.y.tolist(), strict=True))
    assert {name: part for name, part in share.items() if part} == {"0": 0.2, "1": 0.1, "10–19": 0.35, "1,000": 0.35}
    assert list(share)[:6] == ["0", "1", "2", "3–4", "5–9", "10–19"]
