"""Names in figures are shown sign for sign."""

from __future__ import annotations

import html

from hypothesis import given
from hypothesis import strategies as st

from irviz.figures.axes import ticks
from irviz.figures.text import labels, plotly_escape, short


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


def test_ticks_thin_out_where_there_is_no_room():
    assert ticks([str(i) for i in range(10)], room=4)["tickvals"] == [0, 3, 6, 9]
