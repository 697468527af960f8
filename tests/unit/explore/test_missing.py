"""Pages on imported scores some of which are missing: averages over what is there, all else on the common topics."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irviz
from irviz.errors import IrvizError
from irviz.menu import PAGES, page_named
from irviz.stats.scores import Scores
from irviz.workspace.context import Dataset
from irviz.workspace.panel import Panel
from irviz.workspace.view import settle
from tests.panels import context_of, facts_of

RNG = np.random.default_rng(11)
VALUES = np.clip(RNG.random((2, 24, 8)) / 2 + np.linspace(0, 0.5, 8), 0, 1)
VALUES[0, 5, 2] = VALUES[1, 9, 7] = np.nan
HOLED = Scores(VALUES, ("AP", "nDCG@10"), tuple(f"t{i:02d}" for i in range(24)), tuple(f"s{i}" for i in range(8)))
#: pages that show the scores of all topics, and one that shows no imported scores
OTHERS = (*(page.name for page in PAGES if "holes" in page.uses), "collection")


def opened(scores: Scores) -> Dataset:
    return Dataset("mine", "Mine", imported_scores=scores)


def shown(scores: Scores, name: str) -> Panel | str:
    """The panel, or why there is none."""
    page = page_named(name)
    context = context_of(opened(scores), "holes" in page.uses)
    try:
        return page.draw_panel(context, settle(page.controls_for({}), {}, context)[0])
    except IrvizError as refusal:
        return str(refusal)


@pytest.mark.parametrize("name", [page.name for page in PAGES if "measures" in page.uses and page.name not in OTHERS])
def test_a_page_is_that_of_the_common_topics(name: str) -> None:
    holed, rest = shown(HOLED, name), shown(HOLED.common(), name)
    if isinstance(holed, str) or isinstance(rest, str):
        assert holed == rest
        return
    assert holed.sentence == rest.sentence
    (left_out,) = [note for note in holed.notes if note not in rest.notes]
    assert "2 of 24" in left_out and tuple(note for note in holed.notes if note != left_out) == rest.notes
    for title, table in rest.tables.items():
        pd.testing.assert_frame_equal(holed.tables[title].frame, table.frame)


def test_averages_are_over_what_is_there() -> None:
    panel = shown(HOLED, "scores")
    table = panel.tables["Systems"].frame.set_index("system")
    for i, name in enumerate(HOLED.systems):
        own = [x for x in VALUES[0, :, i] if x == x]
        assert table["mean AP"][name] == pytest.approx(sum(own) / len(own))
        ends = stats.t.interval(0.95, len(own) - 1, np.mean(own), stats.sem(own))
        assert (table.low[name], table.high[name]) == pytest.approx(ends)
        assert (table.topics[name], table.lowest[name], table["median"][name]) == (len(own), min(own), np.median(own))
    facts = facts_of(panel)
    assert (facts["topics"].value, facts["topics with a score of every system"].value) == (24, 23)
    averaged = shown(HOLED, "aggregation").tables["Systems"].frame.set_index("system")
    assert averaged["geometric"].to_dict() == pytest.approx(irviz.summarise(HOLED["AP"], "geometric").to_dict())
    alike = irviz.similarity(HOLED).matrix().loc["AP", "nDCG@10"]
    assert shown(HOLED, "similarity").tables["Overall"].frame.iloc[0, 2] == alike


def test_a_leaderboard_uses_what_is_there() -> None:
    board = shown(HOLED, "aggregation").tables["Leaderboard"].frame
    expected = irviz.leaderboard(HOLED.select(["AP"]), "borda", trials=200).reset_index()
    pd.testing.assert_frame_equal(board, expected)
    assert board.set_index("system").present["s2"] == 23 / 24


def test_the_numbers_of_topics_follow_the_choice() -> None:
    few = context_of(opened(HOLED), only="s0,s1", measures="AP")
    assert len(few.topics) == 24 and few.missing == () and not np.isnan(few.scores().values).any()
    assert len(context_of(opened(HOLED), holes=True).topics) == 24
    all_systems = context_of(opened(HOLED))
    assert len(all_systems.topics) == 22 and "topics" not in all_systems.texts
    assert len(context_of(opened(HOLED), measures="AP").topics) == 23


def test_another_measure_with_fewer_scores_is_refused() -> None:
    with pytest.raises(IrvizError, match=r"^1 of 23 topics lack a score by nDCG"):
        context_of(opened(HOLED), measures="AP").scores(["nDCG@10"])


def test_without_a_common_topic_a_page_says_why() -> None:
    values = VALUES.copy()
    values[:, :12, 0] = values[:, 12:, 1] = np.nan
    none = Scores(values, HOLED.measures, HOLED.topics, HOLED.systems)
    assert "s0 lacks most" in str(shown(none, "discriminative"))
    panel = shown(none, "scores")
    assert np.isfinite(panel.tables["Systems"].frame.low).all() and "p" not in panel.tables["Systems"].frame


def test_a_system_without_a_score_by_a_measure_is_left_out() -> None:
    values = VALUES.copy()
    values[1, :, 3] = np.nan
    gone = opened(Scores(values, HOLED.measures, HOLED.topics, HOLED.systems))
    context = context_of(gone)
    assert "s3" not in context.systems and len(context.systems) == 7 and "`s3`" in "".join(context.missing)
    assert "s3" in context_of(gone, measures="AP").systems
