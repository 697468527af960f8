"""Margins are wide enough for what stands in them, before a browser has drawn anything."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from irviz.figures.axes import chart, rows
from irviz.figures.squares import square
from irviz.figures.theme import heatmap, scatter
from irviz.ui.show import text_width, with_margins
from irviz.workspace.panel import Table, decimals

#: texts and how wide chromium draws them in Source Sans of 1,000 pixels (the type that Streamlit comes with)
DRAWN = {
    "nDCG@10": 3995,
    "RBP(p=0.8)": 4474,
    "GAP(g=[0.5,0.5])": 6470,
    "BM25-Wr–mw": 5580,
    "Illicit fjord, 1,000.50%": 8672,
    "QUOTATIONS": 5262,
    "mean τ": 2977,
}


def margins(drawn):
    side = with_margins(drawn).layout
    return side.margin.l, side.margin.b, side.xaxis.automargin, side.yaxis.automargin


def line(y=(0.0, 1.0), **x):
    return chart([scatter(x=[0, 1], y=list(y))], 300, {"range": [0, 1], **x}, {"range": [0, 1]})


@pytest.mark.parametrize("text", DRAWN)
def test_a_text_is_never_wider_than_thought_and_hardly_narrower(text):
    assert 1.0 <= text_width(text, 1000) / DRAWN[text] <= 1.25


def test_signs_are_counted_as_they_are_drawn():
    assert text_width("a&lt;b") == text_width("a<b".replace("<", "="))
    assert text_width("e\u0301") == text_width("e")
    assert text_width("検索") == 2 * 11


def test_longer_names_and_titles_get_more_room():
    names = ["AP", "nDCG(at=5,base=2)@10"]
    cells = heatmap(z=np.zeros((2, 2)), x=[0, 1], y=[0, 1])
    short, long = (with_margins(square(cells, [name, "AP"])).layout.margin for name in names)
    assert long.l - short.l == pytest.approx(text_width(names[1]) - text_width("AP"), abs=1)
    left, below, *_ = margins(line())
    titled = line(title={"text": "rank"})
    assert margins(titled)[:2] == (left, pytest.approx(below + 27, abs=1))


def test_labels_that_plotly_may_turn_are_left_to_it():
    assert margins(line())[2:] == (False, False)
    assert margins(line(tickvals=[0, 1], ticktext=["a long name", "another"]))[2:] == (None, False)
    assert margins(line(tickvals=[0, 1], ticktext=["a long name", "another"], tickangle=-45))[2:] == (False, False)
    named = chart([scatter(x=["a", "b"], y=[0, 1])], 300, {}, {})
    assert margins(named)[2:] == (None, False)


def test_rows_share_a_margin_and_a_wider_one_is_kept():
    upper, lower = ([scatter(x=[0, 1], y=[0, 1])] for _ in range(2))
    ys = [{"range": [0, 1]}, {"tickvals": [0, 1], "ticktext": ["a", "w" * 20]}]
    drawn = with_margins(rows([upper, lower], (1, 1), 300, {"range": [0, 1]}, ys))
    assert drawn.layout.margin.l >= text_width("w" * 20)
    assert drawn.layout.yaxis.automargin is drawn.layout.yaxis2.automargin is False
    kept = line()
    kept.update_layout(margin={"l": 500, "t": 33})
    assert (with_margins(kept).layout.margin.l, kept.layout.margin.t) == (500, 33)
    assert with_margins(kept).layout.margin.l == 500  # once more changes nothing


# Numbers in tables have as many places as they say something with.


def test_ranks_are_whole_numbers_and_means_of_ranks_are_not():
    frame = pd.DataFrame(
        {
            "rank": [1.0, np.nan, 3.0],
            "mean rank": [1.0, 2.5, 3.0],
            "score": [1.0, 0.0, 1.0],
            "topics": [37.0, np.inf, 41.0],
        }
    )
    table = Table(frame, "Numbers.", 4)
    assert [decimals(table, name) for name in frame] == [0, 4, 4, 0]
