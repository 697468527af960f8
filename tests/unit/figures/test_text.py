"""Names in figures are shown sign for sign."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviz.figures.axes import named_ticks, stand_out, ticks
from irviz.figures.theme import common_start, figure, labels, plotly_escape, short


@given(st.text(max_size=40))
def test_an_escaped_name_holds_no_markup_and_reads_back(name):
    escaped = plotly_escape(name)
    assert not set("<>$%{}") & set(escaped)
    control = {chr(i) for i in (*range(32), 127)}
    assert html.unescape(escaped) == "".join(" " if sign in control else sign for sign in name) or max(name) >= "\x80"


@given(st.text(max_size=80), st.integers(3, 30))
def test_a_short_name_is_short(name, most):
    assert len(short(name, most)) <= most


def test_long_names_keep_both_ends():
    assert labels(["harbor-rerank-noprior-v2"], 12) == ["harbor…or-v2"]


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


def test_a_common_start_is_said_once_beside_the_names_and_only_where_it_is_left_out():
    for names, title in ((RUNS, "names begin with IRTask1__"), (["a-short-name", "a-short-one"], None)):
        drawn = figure([], 300)
        drawn.update_yaxes(**named_ticks(names, 50))
        stand_out(drawn, names, [1])
        assert drawn.layout.yaxis.title.text == title


def test_expressions_and_lone_names_keep_their_start():
    assert common_start(["CWLA(C=RBP(p=0.8),A=ERG)", "CWLA(C=RBP(p=0.8),A=ETG)"], 10) == ""
    assert common_start(["one-long-name"], 5) == "" and common_start(["a-b-c-d", "a-b-c-e"], 9) == ""
    assert common_start(["run-1-", "run-1-x"], 3) == "run-"


def test_ticks_thin_out_where_there_is_no_room():
    assert ticks([str(i) for i in range(10)], room=4)["tickvals"] == [0, 3, 6, 9]
