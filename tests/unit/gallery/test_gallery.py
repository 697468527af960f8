"""Every table and figure of the gallery on both bundled collections, and the worked examples to the printed digit."""

from __future__ import annotations

import itertools
import re
from functools import cache

import numpy as np
import pandas as pd
import pytest

from irviz.errors import IrvizError
from irviz.figures.direct import PLOT, box_of
from irviz.gallery import PAPERS, paper, views
from irviz.gallery.comparison import (
    EVERY_COLLECTION,
    comparison_table,
    difference_mark,
    digits,
    drawings,
    is_as_printed,
    mark,
    printed_beside,
)
from irviz.gallery.graded import few
from irviz.gallery.means import gain_scatter
from irviz.gallery.page import PRINTED_TABLE
from irviz.gallery.paper import FOLDER, Comparison, Evidence, as_number, published_table, tables
from irviz.gallery.sources import with_degrees
from irviz.menu import page_named
from irviz.stats.scores import Scores, score
from irviz.ui.show import text_width
from irviz.workspace.context import Context, Dataset
from irviz.workspace.glossary import in_words
from irviz.workspace.panel import Panel, Table
from irviz.workspace.view import View, settle
from tests.degenerate import COLLECTIONS
from tests.panels import Listener, context_of, opened_once

PAGE = page_named("gallery")
ITEMS = [(one.key, item.key) for one in PAPERS for item in one.items]
SEVERAL = {"table4", "table4power", "table5", "table6", "figure2"}  #: of "aspects": they need more than one


@cache
def some_of(name: str) -> Context:
    """Of some topics and systems: what is asked of every item does not depend on how many there are."""
    whole = opened_once(name)
    return context_of(Dataset(name, name.title(), whole.subset(whole.topics[:8], whole.systems[:12])))


@pytest.fixture(scope="module")
def several() -> Context:
    return context_of(Dataset("multiaspect", "Multiaspect", opened_once("multiaspect")))


@pytest.fixture(scope="module")
def single() -> Context:
    return context_of(Dataset("adhoc", "Ad hoc", opened_once("adhoc")))


def panel_of(context: Context, one: str, item: str, **texts: str) -> Panel:
    values, complaints = settle(PAGE.controls, {"paper": one, one: item, "trials": "20", **texts}, context)
    assert complaints == []
    return PAGE.panel(context, values)


def all_words(panel: Panel) -> str:
    drawn = [drawing for row in panel.drawings for drawing in row.values()]
    said = [panel.sentence, *panel.notes, *(drawing.title + drawing.alt for drawing in drawn)]
    return " ".join([*said, *(table.about for table in panel.tables.values())]).replace("Achieved significance", "")


@pytest.mark.parametrize(
    ("name", "one", "item"),
    [("multiaspect", *both) for both in ITEMS] + [("adhoc", *both) for both in ITEMS if both[0] == "aspects"],
)
def test_every_item_is_drawn_or_says_what_it_needs(name, one, item):
    context = some_of(name)
    panel = panel_of(context, one, item)
    assert panel.sentence.endswith(".") and "nan" not in panel.sentence
    assert all(len(table.frame) for table in panel.tables.values())
    if one == "aspects" and item in SEVERAL and len(context.collection.aspects) == 1:
        assert "here. It needs judgments on at least two aspects, and adhoc has only relevance." in panel.sentence
        return
    assert panel.drawings
    for row in panel.drawings:
        for drawing in row.values():
            assert len(drawing.alt) > 40 and drawing.title
            assert drawing.figure.layout.template.layout.paper_bgcolor == "rgba(0,0,0,0)"
    words = all_words(panel)
    if re.search(r"p-value|significan|α = |separate|Tukey", words):
        assert re.search(r"corrected for|shuffles over|HSD over", words), "of which family are these p-values?"
    if paper(one).item(item).needs:
        assert any(note.startswith(f"Recomputed on {context.dataset.title}, whose topics") for note in panel.notes)


@pytest.mark.parametrize(("one", "item"), [(a, b) for a, b in ITEMS if paper(a).item(b).printed_numbers is not None])
def test_every_printed_number_stands_beside_its_own(several, one, item):
    frame = panel_of(several, one, item).tables[PRINTED_TABLE].frame
    assert len(frame) == len(paper(one).item(item).printed_numbers())
    known = frame[frame["recomputed"].notna() & frame["published"].notna()]
    assert len(known) > 0.7 * len(frame)
    assert np.allclose(known["difference"], known["recomputed"] - known["published"])


def test_the_orders_of_label_tuples_come_out_as_printed(single):
    frame = panel_of(single, "aspects", "table1").tables[PRINTED_TABLE].frame
    assert len(frame) == 90
    assert set(frame["mark"]) == {"= as printed"}


def test_the_three_documents_come_out_as_printed_but_for_mm(single):
    frame = panel_of(single, "aspects", "table3").tables[PRINTED_TABLE].frame
    others = frame[frame["measure"] != "MM"]
    assert len(others) == 120
    assert set(others["mark"]) == {"= as printed"}
    mm = frame[frame["measure"] == "MM"]
    half = np.abs(mm["recomputed"] / 2 - mm["published"]) < 6e-5
    assert mm.loc[~half, "ranking"].tolist() == ["d1 d2", "d1 d3"]
    assert np.allclose(mm.loc[~half, "recomputed"], 0.4)


def test_the_means_of_four_systems_come_out_as_printed(single):
    frame = panel_of(single, "means", "table1").tables[PRINTED_TABLE].frame
    unprinted = frame[frame["mark"] == "– not printed"]
    assert unprinted[["system", "mean", "recomputed"]].to_numpy().tolist() == [["S2", "HM", 0.0]]
    assert (frame["mark"] == "= as printed").sum() == 23


def test_measures_on_one_interval_scale_agree_topic_by_topic():
    frame = panel_of(some_of("adhoc"), "scales", "table1").tables[PRINTED_TABLE].frame
    same = frame[(frame["mode"] == "topic by topic") & (frame["published"] == 1.0)]
    assert len(same) == 5
    assert same["recomputed"].tolist() == [1.0] * 5


def test_rbp_parts_from_rbto_only_below_the_precision_of_a_double(single):
    cut = with_degrees(single.collection.subset(depth=50), 2)
    scores = score(cut, ["RBP(p=0.5)@50", "RBTO@50"])
    assert np.array_equal(
        np.argsort(scores.order("RBP(p=0.5)@50"), axis=1, kind="stable"),
        np.argsort(scores.order("RBTO@50"), axis=1, kind="stable"),
    )


def test_the_rate_and_the_total_of_gain_rank_alike_where_reading_is_fixed():
    values = paper("users").item("figure1").recompute(Evidence(some_of("adhoc"), 20)).values
    assert [values[model, "ERG", "ETG"] for model in ("Precision", "DCG", "RBP")] == [1.0, 1.0, 1.0]
    assert values["Precision", "ERG", "avg"] == 1.0


def test_a_collection_of_too_few_degrees_is_told_so():
    collection = with_degrees(opened_once("adhoc"), 2)
    context = context_of(Dataset("two", "Two degrees", collection))
    panel = panel_of(context, "graded", "table3")
    assert panel.sentence == (
        "Table 3 of Ferrante et al. 2014 cannot be recomputed here. It needs judgments of 4 degrees, and adhoc has 2 "
        "(0, 1). Load a collection with more grades."
    )
    assert set(panel.tables[PRINTED_TABLE].frame["mark"]) == {"– not here"}
    half = panel_of(context, "scales", "table1")
    assert half.tables[PRINTED_TABLE].frame["recomputed"].notna().sum() == 10
    assert any(note.startswith("The half on graded relevance is left out.") for note in half.notes)


def test_imported_scores_have_what_needs_scores_only():
    scores = Scores(
        np.random.default_rng(1).random((2, 20, 6)), ("AP", "P@10"), tuple("abcdefghijklmnopqrst"), tuple("uvwxyz")
    )
    context = context_of(Dataset("mine", "Mine", imported_scores=scores))
    low = panel_of(context, "means", "table2")
    assert "These scores contain no nDCG and no RBP0.95." in low.notes
    assert low.tables[PRINTED_TABLE].frame["recomputed"].notna().sum() == 6
    assert panel_of(context, "means", "figure9").drawings
    refused = panel_of(context, "scales", "table1")
    start = "Table 1 of Ferrante et al. 2019 cannot be recomputed here. Only scores are loaded (Mine)"
    assert refused.sentence.startswith(start)
    other = context_of(Dataset("mine", "Mine", imported_scores=scores.select(["P@10"])))
    assert panel_of(other, "means", "figure1").sentence == (
        "Figure 1 of Ravana & Moffat 2009 cannot be recomputed here. It needs scores by AP, and the imported scores "
        "do not include it. Load a matrix called AP as well."
    )


def test_merged_grades_keep_what_is_below_and_unjudged(single):
    whole = single.collection
    three = with_degrees(whole, 3)
    assert three.grades == ((0.0, 1.0, 2.0),) and whole.grades == ((0.0, 1.0, 2.0, 3.0),)
    labels = whole.labels[:, :, 0]
    assert np.array_equal(three.labels[:, :, 0], np.where(labels == 3, 2, labels))
    with pytest.raises(IrvizError) as caught:
        with_degrees(three, 4)
    assert str(caught.value) == (
        "It needs judgments of 4 degrees, and adhoc has 3 (0, 1, 2). Load a collection with more grades."
    )


def test_few_highly_relevant_documents_say_which_rule_chose_them(single):
    topics, words = few(with_degrees(single.collection, 3), 2)
    assert len(topics) == 12
    assert words.startswith("The paper's rule for few highly relevant documents, R(1) ≥ 10·R(2), fits no topic here.")


def test_the_same_seed_gives_the_same_numbers(single):
    found = [paper("users").item("table3").recompute(Evidence(single, 20, 1, seed)).values for seed in (0, 0, 1)]
    assert found[0] == found[1] != found[2]


def test_progress_can_stop_the_work():
    def stop(share: float, words: str) -> None:
        assert 0 <= share <= 1 and words
        raise KeyboardInterrupt

    with Listener(stop), pytest.raises(KeyboardInterrupt):
        paper("scales").item("figure1").recompute(Evidence(some_of("adhoc"), 20))


@pytest.mark.parametrize("view", views(), ids=lambda view: view.to_query())
def test_prepared_views_open_their_item(several, view):
    again = View.from_url(view.to_url())
    values, complaints = settle(PAGE.controls, again.values, several)
    assert complaints == [] and again == view
    assert (values["paper"], values[values["paper"]]) == ITEMS[views().index(view)]


@pytest.mark.parametrize("name", tables())
def test_published_tables_are_numbers_or_empty(name):
    frame = published_table(name)
    assert len(frame)
    if "published" in frame and name != "gap_collections":
        assert np.isfinite([as_number(text) for text in frame["published"]]).all()


def test_published_tables_are_those_of_the_reference(shared):
    for name in tables():
        assert (FOLDER / f"{name}.csv").read_bytes() == (shared / "reference" / f"{name}.csv").read_bytes()


def test_an_unknown_published_table_is_named():
    with pytest.raises(IrvizError) as caught:
        published_table("toma_ordr")
    assert str(caught.value).startswith("There is no published table `toma_ordr`. Did you mean toma_order")


def test_marks_say_how_a_number_differs():
    assert [mark("0.40", x, 0.05) for x in (0.404, 0.44, 0.46, 0.3, np.nan)] == [
        "= as printed",
        "≈ within chance",
        "▲ higher",
        "▼ lower",
        "– not here",
    ]
    assert [mark("0.40", x) for x in (0.404, 0.44, 0.39)] == ["= as printed", "▲ higher", "▼ lower"]
    assert [difference_mark("0.40", x) for x in (0.404, 0.44, 0.39)] == ["= the same", "▲ higher", "▼ lower"]
    assert mark("", 0.3, 0.05) == "– not printed"
    assert is_as_printed("1", 1.0000000001) and not is_as_printed("37", 37.6)


def test_a_comparison_keeps_the_order_of_the_paper():
    item = paper("means").item("table1")
    frame = comparison_table(item, item.printed_numbers(), Comparison("", {("S1", "AM"): 0.28}), EVERY_COLLECTION)
    assert isinstance(frame, pd.DataFrame)
    assert frame["mark"].tolist()[0] == "= as printed" and set(frame["mark"][1:]) == {"– not here", "– not printed"}


def test_figures_say_printed_once_and_reach_as_far_as_the_shares():
    drawn = printed_beside(["a"], {"": np.array([0.5])}, np.array([0.4]), "τ")
    assert "printed" in [trace.name for trace in drawn.data]
    low = gain_scatter(["AP", "RR"], {"x": np.array([0.1, 0.42])}, {"x": np.array([0.0, 0.1])}, ("share", "gain"))
    assert 42 < low.layout.xaxis.range[1] < 60


BUNDLED = ("adhoc", "dl2021", "multiaspect")
LOW = [[0.391, 0.2045, 0.1455, 0.317, 0.0615], [0.2072, 0.0294, 0.0506, 0.0395, 0.091]]
LOW += [[0.3427, 0.1719, 0.175, 0.3333, 0.0542]]
GAINS = {
    "Figure 9, 50 splits": [
        [0.0061, -0.0844, -0.0571, -0.029, -0.0198],
        [0.0044, -0.0764, -0.0079, -0.0694, 0.0092],
        [-0.0138, -0.0251, -0.0004, -0.0167, -0.0357],
    ],
    "Figure 10, 1,000 splits": [
        [0.0997, 0.083, 0.1769, 0.1442, 0.0104],
        [0.018, 0.0568, 0.0159, 0.0207, 0.0002],
        [0.0802, 0.0612, 0.1092, 0.1024, 0.009],
    ],
}


def test_titles_of_items_fit_the_menu_of_a_phone():
    titles = [f"{item.name}: {item.title}" for one in PAPERS for item in one.items]
    assert [title for title in titles if text_width(title, 14) > 340] == [], "340 pixels by estimate are seen whole"


@pytest.mark.parametrize("gains", GAINS.values(), ids=GAINS)
def test_names_beside_the_points_of_a_figure_are_readable_on_a_phone(gains):
    """The points of a figure on the bundled collections, five measures each."""
    names = ("AP", "P@10", "nDCG", "RBP0.95", "SP")
    share, gain = (dict(zip(BUNDLED, map(np.array, rows), strict=True)) for rows in (LOW, gains))
    drawn = gain_scatter(names, share, gain, ("low", "gain"))
    across, up = drawn.layout.xaxis.range, drawn.layout.yaxis.range
    points = [
        np.array([(x - across[0]) / (across[1] - across[0]), (y - up[0]) / (up[1] - up[0])]) * PLOT
        for trace in drawn.data
        for x, y in zip(trace.x, trace.y, strict=True)
    ]
    sides = [side for trace in drawn.data for side in trace.textposition]
    boxes = [box_of(point, name, side) for point, name, side in zip(points, names * 3, sides, strict=True)]
    assert not _overlapping(boxes)
    assert _overlapping([box_of(point, name, "top center") for point, name in zip(points, names * 3, strict=True)])


def _overlapping(boxes: list[np.ndarray]) -> bool:
    return any(
        max(one[0], other[0]) < min(one[1], other[1]) and max(one[2], other[2]) < min(one[3], other[3])
        for one, other in itertools.combinations(boxes, 2)
    )


def test_an_item_says_which_of_several_aspects_it_looks_at():
    context = context_of(Dataset("two", "Two aspects", COLLECTIONS["two aspects"]()))
    for one, item in (("scales", "table1"), ("users", "figure1"), ("graded", "table2"), ("means", "figure6")):
        assert panel_of(context, one, item).sentence.endswith(" The aspect is relevance.")
    for one, item in (("aspects", "table4"), ("aspects", "table1"), ("means", "table1")):
        assert "The aspect is" not in panel_of(context, one, item).sentence


def test_many_printed_collections_leave_the_rows_of_a_figure_their_height():
    rows, few, many = ["a", "b"], {"one": np.zeros(2)}, {f"n{i}": np.zeros(2) for i in range(9)}
    low, high = (printed_beside(rows, printed, np.ones(2), "τ").layout for printed in (few, many))
    assert high.height - low.height >= 20 * (len(many) - 2)  # one line an entry on a phone
    assert high.legend.maxheight >= 20 * (len(many) + 1)  # no bar to scroll in a legend


def test_printed_numbers_are_shown_with_one_place_more_than_is_printed():
    shown = {
        f"{one.key} {item.key}": digits(item, item.printed_numbers())
        for one in PAPERS
        for item in one.items
        if item.printed_numbers
    }
    assert shown["aspects table1"] == 0, "classes are counted"
    assert shown["aspects table4power"] == 3 and shown["means table2"] == 1, "shares in percent"
    assert shown["scales table1"] == shown["users table3"] == 4


@pytest.mark.parametrize(("one", "item"), ITEMS)
def test_printed_cells_are_read_as_words_and_downloaded_as_they_are(one, item):
    row = paper(one).item(item)
    if row.printed_numbers is None:
        return
    printed = row.printed_numbers()
    table = Table(printed, "", words=row.words)
    read = set(in_words(table)[list(row.keys)].to_numpy().ravel())
    codes = [text for text in read if re.search(r"[a-z]_[a-z]|eps|\w=|e-\d", text) and "trec_eval's" not in text]
    assert not codes, f"{one} {item}: {codes}"
    assert table.frame is printed and list(row.keys) == [name for name in printed if name in row.keys]


def test_a_figure_of_printed_numbers_reads_as_its_table():
    item = paper("means").item("table3")
    values = dict.fromkeys(item.printed_numbers()[list(item.keys)].itertuples(index=False, name=None), 0.7)
    drawn = drawings(item, comparison_table(item, item.printed_numbers(), Comparison("", values)))
    ticks = {text for row in drawn for one in row.values() for text in one.figure.layout.yaxis.ticktext}
    assert "eGM with ε = 0.01 · AP" in ticks and not [text for text in ticks if "eps" in text]
