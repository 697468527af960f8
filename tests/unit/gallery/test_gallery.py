"""Every table of the papers on bundled collections, the worked examples to the printed digit, views against pages."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from functools import cache
from textwrap import dedent

import numpy as np
import pandas as pd
import pytest

from irviz.errors import IrvizError
from irviz.gallery import paper
from irviz.gallery.comparison import (
    EVERY_COLLECTION,
    comparison_table,
    digits,
    drawings,
    mark,
    printed_beside,
)
from irviz.gallery.page import _item as fold_of_item
from irviz.gallery.paper import (
    FOLDER,
    ITEMS,
    Comparison,
    Evidence,
    Item,
    as_number,
    published_table,
    read_paper,
)
from irviz.gallery.tables import TABLES, compared, few, prepared, table_of, view_of_item, with_degrees
from irviz.menu import page_named
from irviz.stats.scores import Scores, score
from irviz.workspace.context import Context, Dataset
from irviz.workspace.data import context_of as context_of_link
from irviz.workspace.data import library
from irviz.workspace.view import settle
from tests.panels import Listener, context_of, opened_once

TABLE_NAMES = sorted(path.stem for path in FOLDER.glob("*.csv"))
PRINTED = [name for name, item in ITEMS.items() if item.csv]
EXAMPLES = ("aspects.table1", "aspects.table3", "means.table1")


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


def frame_of(context: Context, name: str) -> pd.DataFrame:
    own = EVERY_COLLECTION if name in EXAMPLES else ()
    return comparison_table(ITEMS[name], table_of(Evidence(context, 20), name), own)


@pytest.mark.parametrize("name", PRINTED)
def test_every_printed_number_stands_beside_its_own(several, name):
    frame = frame_of(several, name)
    assert len(frame) == len(ITEMS[name].printed)
    known = frame[frame["recomputed"].notna() & frame["published"].notna()]
    assert len(known) > 0.7 * len(frame)
    assert np.allclose(known["difference"], known["recomputed"] - known["published"])
    drawn = [drawing for row in drawings(ITEMS[name], frame) for drawing in row.values()]
    assert drawn and all(drawing.figure.data for drawing in drawn)


@pytest.mark.parametrize("name", [name for name in PRINTED if name.startswith("aspects.") and name not in EXAMPLES])
def test_one_aspect_is_refused_where_several_are_needed(name):
    with pytest.raises(IrvizError, match="It needs judgments on at least two aspects, and adhoc has only relevance"):
        table_of(Evidence(some_of("adhoc"), 20), name)


@pytest.mark.parametrize(("page", "table"), TABLES)
def test_a_table_without_its_page_is_the_table_of_the_page(page, table):
    """What a claim asks without figures is what the page shows under the same settings."""
    context = context_of(some_of("adhoc").dataset, measures="AP,nDCG@10,RBP(p=0.8)")
    values, _ = settle(page_named(page).controls, {"trials": "30", "seed": "3"}, context)
    shown, alone = (
        page_named(page).panel(context, values).tables[table].frame,
        TABLES[page, table][1](context, values, 100),
    )
    keys = [name for name in ("reference", "measure") if name in shown]
    (value,) = {"Kendall's τ", "mean", "share", "zero"} & set(shown)
    both = shown.merge(alone, on=keys, suffixes=("", "_alone"))
    assert len(both) == len(shown)
    np.testing.assert_array_equal(both[value], both[f"{value}_alone"])


@pytest.mark.parametrize("name", [name for name in ITEMS if ITEMS[name].view])
def test_the_view_of_an_item_opens_on_the_loaded_data(name):
    context = context_of(Dataset("dl2021", "DL", opened_once("dl2021")))
    found = view_of_item(Evidence(context, 100), ITEMS[name])
    if found is None:  # its measures are not of these grades, or of one aspect
        assert name in ("graded.table2", "graded.figure1", "aspects.table4", "aspects.table4power")
        return
    view, same = found
    assert same is not name.startswith("scales.table")  # of two and three degrees, and the data have four
    opened, complaints = context_of_link(view.values, library(), page_named(view.page))
    values, more = settle(page_named(view.page).controls, view.values, opened)
    assert not complaints and not more and values and opened.dataset.key == "dl2021"


def test_the_example_of_the_documentation_is_a_new_paper(several, tmp_path, monkeypatch):
    """The view of its page is joined with the printed numbers; its names are mapped to those of irviz."""
    block = re.search(r"(?m)^    \[\[paper\]\]\n(?:(?:    .*)?\n)+", (FOLDER / "README.md").read_text(encoding="utf-8"))
    (row,) = tomllib.loads(dedent(block[0]))["paper"]
    csv = "measure,cutoff,published\nP,10,0.81\nP,5,0.7\nBpref,,0.9\n"
    (tmp_path / "example_tau.csv").write_text(csv, encoding="utf-8")
    monkeypatch.setattr(paper, "FOLDER", tmp_path)
    items: dict[str, Item] = {}
    read_paper(row, {}, items)
    item = items["example.table1"]
    found = compared(Evidence(several), item).values
    context = context_of(several.dataset, measures="AP,P@10,P@5,Bpref")
    values, _ = settle(page_named("similarity").controls, {}, context)
    frame = page_named("similarity").panel(context, values).tables["Overall"].frame
    known = frame[frame["reference"] == "AP"].set_index("measure")["Kendall's τ"]
    assert found == {("P", "10"): known["P@10"], ("P", "5"): known["P@5"], ("Bpref", ""): known["Bpref"]}
    (tmp_path / "other.csv").write_text("measure,cutoff,published\nP,10,n/a\n", encoding="utf-8")
    for name, wrong, told in (
        ("table", "Overal", "Overall"),
        ("value", "Kendall", "Kendall's τ"),
        ("keys", (), "keys"),
        ("keys", ("measure",), "keys"),
        ("keys", ("measur",), "measure"),
        ("join", {"measure": "{measure}{cut}"}, "join"),
        ("join", {**item.join, "measur": "AP"}, "measure"),
        ("join", {**item.join, "measure": "{measur}"}, "measure"),
        ("where", {"measure": "Q"}, "where"),
        ("view", {"page": "similarty"}, "similarity"),
        ("view", {**item.view, "coeficient": "tau"}, "coefficient"),
        ("view", {**item.view, "coefficient": "kendall"}, "kendall"),
        ("csv", ("exampel_tau",), "example_tau"),
        ("csv", ("other",), "n/a"),
    ):
        with pytest.raises(IrvizError, match=told):
            compared(Evidence(several), replace(item, **{name: wrong}))


@pytest.mark.parametrize("name", ["name", "title", "csv", "keys", "unit", "view", "table", "join", "value"])
def test_an_item_that_cannot_be_read_refuses_itself_alone(name):
    """A field that is missing, misspelt or of another type, and a key that another item has."""
    good = {"name": "Table 1", "title": "τ", "csv": ["t"], "keys": ["k"], "unit": "τ", "view": {"page": "similarity"}}
    good |= {"table": "Overall", "join": {"measure": "{k}"}, "value": "Kendall's τ"}
    left = {field: value for field, value in good.items() if field != name}
    wrong = {"left": left, "misspelt": good | {f"{name}x": 5}, "typed": good | {name: 5}, "good": good}
    items: dict[str, Item] = {}
    rows = [{"key": "good", **good}, *({"key": key, **row} for key, row in wrong.items())]
    read_paper({"key": "p", "cite": "P", "runs": "r", "item": rows}, {}, items)
    assert [key for key, item in items.items() if not item.refusal] == ["p.good"]
    assert len(items) == 5
    assert all("papers.toml, p." in item.refusal for key, item in items.items() if key != "p.good")
    with pytest.raises(IrvizError, match=name):
        fold_of_item(some_of("adhoc"), items["p.left"], 0)


def test_the_orders_of_label_tuples_come_out_as_printed(single):
    frame = frame_of(single, "aspects.table1")
    assert len(frame) == 90 and set(frame["mark"]) == {"= as printed"}


def test_the_three_documents_come_out_as_printed_but_for_mm(single):
    frame = frame_of(single, "aspects.table3")
    others = frame[frame["measure"] != "MM"]
    assert len(others) == 120 and set(others["mark"]) == {"= as printed"}
    mm = frame[frame["measure"] == "MM"]
    half = np.abs(mm["recomputed"] / 2 - mm["published"]) < 6e-5
    assert mm.loc[~half, "ranking"].tolist() == ["d1 d2", "d1 d3"]
    assert np.allclose(mm.loc[~half, "recomputed"], 0.4)


def test_the_means_of_four_systems_come_out_as_printed(single):
    frame = frame_of(single, "means.table1")
    unprinted = frame[frame["mark"] == "– not printed"]
    assert unprinted[["system", "mean", "recomputed"]].to_numpy().tolist() == [["S2", "HM", 0.0]]
    assert (frame["mark"] == "= as printed").sum() == 23


def test_measures_on_one_interval_scale_agree_topic_by_topic():
    frame = frame_of(some_of("adhoc"), "scales.table1")
    same = frame[(frame["mode"] == "Topic by topic") & (frame["published"] == 1.0)]
    assert same["recomputed"].tolist() == [1.0] * 5


def test_rbp_parts_from_rbto_only_below_the_precision_of_a_double(single):
    cut = with_degrees(single.collection.subset(depth=50), 2)
    scores = score(cut, ["RBP(p=0.5)@50", "RBTO@50"])
    assert np.array_equal(
        np.argsort(scores.order("RBP(p=0.5)@50"), axis=1, kind="stable"),
        np.argsort(scores.order("RBTO@50"), axis=1, kind="stable"),
    )


def test_a_collection_of_too_few_degrees_keeps_what_it_has():
    context = context_of(Dataset("two", "Two degrees", with_degrees(opened_once("adhoc"), 2)))
    with pytest.raises(IrvizError, match="It needs judgments of 4 degrees, and adhoc has 2"):
        table_of(Evidence(context), "graded.table3")
    half = table_of(Evidence(context), "scales.table1")
    assert {key[0] for key in half.values} == {"binary"} and len(half.values) == 10
    assert any(note.startswith("Left out: It needs judgments of 3 degrees") for note in half.notes)


def test_imported_scores_have_what_needs_scores_only():
    topics, systems = tuple("abcdefghijklmnopqrst"), tuple("uvwxyz")
    scores = Scores(np.random.default_rng(1).random((2, 20, 6)), ("AP", "P@10"), topics, systems)
    on = Evidence(context_of(Dataset("mine", "Mine", imported_scores=scores)), 20)
    assert frame_of(on.context, "means.table2")["recomputed"].notna().sum() == 6
    with pytest.raises(IrvizError, match="Only scores are loaded"):
        table_of(on, "scales.table1")
    other = context_of(Dataset("mine", "Mine", imported_scores=scores.select(["P@10"])))
    with pytest.raises(IrvizError, match="It needs scores by AP"):
        table_of(Evidence(other, 20), "means.table3")


def test_merged_grades_keep_what_is_below_and_unjudged(single):
    whole = single.collection
    three = with_degrees(whole, 3)
    assert three.grades == ((0.0, 1.0, 2.0),) and whole.grades == ((0.0, 1.0, 2.0, 3.0),)
    labels = whole.labels[:, :, 0]
    assert np.array_equal(three.labels[:, :, 0], np.where(labels == 3, 2, labels))
    with pytest.raises(IrvizError, match="It needs judgments of 4 degrees, and adhoc has 3"):
        with_degrees(three, 4)


def test_a_collection_is_prepared_as_a_paper_has_it(single):
    context, notes = prepared(Evidence(single), "3", "20", "best", "few2")
    assert len(context.collection.grades[0]) == 3 and context.depth == context.collection.depth == 20
    assert len(context.systems) == 30 == 0.75 * len(single.systems) and len(context.topics) == 12 and len(notes) == 4
    topics, _ = few(with_degrees(single.collection, 3), 2)
    assert len(topics) == 12


def test_the_same_seed_gives_the_same_numbers(single):
    found = [table_of(Evidence(single, 20, 1, seed), "users.table3").values for seed in (0, 0, 1)]
    assert found[0] == found[1] != found[2]


def test_progress_can_stop_the_work():
    def stop(share: float, words: str) -> None:
        assert 0 <= share <= 1 and words
        raise KeyboardInterrupt

    with Listener(stop), pytest.raises(KeyboardInterrupt):
        table_of(Evidence(some_of("adhoc"), 20), "scales.table3")


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_published_tables_are_numbers_or_empty(name):
    frame = published_table(name)
    assert len(frame)
    if "published" in frame and name != "gap_collections":
        assert np.isfinite([as_number(text) for text in frame["published"]]).all()


def test_published_tables_are_those_of_the_reference(shared):
    known = [name for name in TABLE_NAMES if (shared / "reference" / f"{name}.csv").is_file()]  # of the five papers
    assert known
    for name in known:
        assert (FOLDER / f"{name}.csv").read_bytes() == (shared / "reference" / f"{name}.csv").read_bytes()


def test_an_unknown_published_table_is_named():
    with pytest.raises(IrvizError, match=r"There is no published table `toma_ordr`\. Did you mean toma_order"):
        published_table("toma_ordr")


def test_marks_say_how_a_number_differs():
    assert [mark("0.40", x, 0.05) for x in (0.404, 0.44, 0.46, 0.3, np.nan)] == [
        "= as printed",
        "≈ within chance",
        "▲ higher",
        "▼ lower",
        "– not here",
    ]
    assert [mark("0.40", x) for x in (0.404, 0.44, 0.39)] == ["= as printed", "▲ higher", "▼ lower"]
    assert [mark("0.40", x, None) for x in (0.404, 0.44, 0.39)] == ["= the same", "▲ higher", "▼ lower"]
    assert mark("", 0.3, 0.05) == "– not printed"
    assert mark("1", 1.0000000001) == "= as printed" and mark("37", 37.6) == "▲ higher"


def test_a_comparison_keeps_the_order_of_the_paper():
    frame = comparison_table(ITEMS["means.table1"], Comparison({("S1", "AM"): 0.28}), EVERY_COLLECTION)
    assert frame["mark"].tolist()[0] == "= as printed" and set(frame["mark"][1:]) == {"– not here", "– not printed"}


def test_many_printed_collections_leave_the_rows_of_a_figure_their_height():
    rows, few, many = ["a", "b"], {"one": np.zeros(2)}, {f"n{i}": np.zeros(2) for i in range(9)}
    low, high = (printed_beside(rows, printed, np.ones(2), "τ").layout for printed in (few, many))
    assert high.height - low.height >= 20 * (len(many) - 2)  # one line an entry on a phone
    assert high.legend.maxheight >= 20 * (len(many) + 1)  # no bar to scroll in a legend


def test_printed_numbers_are_shown_with_one_place_more_than_is_printed():
    shown = {name: digits(ITEMS[name]) for name in PRINTED}
    assert shown["aspects.table1"] == 0, "classes are counted"
    assert shown["aspects.table4power"] == 3 and shown["means.table2"] == 1, "shares in percent"
    assert shown["scales.table1"] == shown["users.table3"] == 4
