"""Every page without a browser: what it says and draws, and what widgets of it do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from irviz.collection.catalogue import open_collection
from irviz.measures import measure
from irviz.measures.language.base import family
from irviz.menu import PAGES
from irviz.ui import parameters, show, sidebar, widgets
from irviz.ui.parameters import suggestions
from irviz.workspace.page import Page
from irviz.workspace.panel import Panel
from tests.app.driving import add_measure, assert_sound, chosen, errors, figures, open_page, said, warnings


@pytest.fixture
def unfolded(monkeypatch) -> None:
    """Everything that is folded away is unfolded; rows of findings draw little."""
    monkeypatch.setattr("irviz.gallery.page.TRIALS", 10)
    monkeypatch.setattr("irviz.gallery.page.REPEATS", 1)
    for module in (parameters, show, sidebar):
        monkeypatch.setattr(module, "fold", _unfolded)


def _unfolded(label: str, key: str, content: Callable[[], object], expanded: bool = False) -> bool:
    content()
    return True


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_of_several_aspects_has_something_to_see_and_what_is_folded_away_can_be_drawn(page, unfolded):
    collection = {"judges": "adhoc", "users": "tiangong"}.get(page.name, "multiaspect")
    at = open_page(page.name, collection=collection)
    assert_sound(at)
    assert at.header[0].value == page.title and (page.lab or page.question in said(at))
    assert figures(at) and not errors(at) and not warnings(at)
    if page.lab:
        return
    assert_worded(at.session_state["irviz"].page_work.panel)
    if not page.lab:  # which has no sidebar until it is tried on a collection
        assert at.selectbox(key=".summary").label == "Average over topics"
    assert len(at.dataframe) + len(at.table) >= 1
    without = {f"{page.name}.{one.name}" for one in page.controls if not one.widget}
    keys = {one.key for one in at if getattr(one, "key", None)}
    assert keys and not keys & without


def assert_worded(panel: Panel) -> None:
    """There is a sentence, every figure says what it shows, and every table has rows."""
    assert panel.sentence.endswith(".")
    for drawing in (drawing for row in panel.drawings for drawing in row.values()):
        assert len(drawing.alt) > 40 and drawing.title
        assert drawing.figure.layout.template.layout.paper_bgcolor == "rgba(0,0,0,0)"
    assert all(len(table.frame) for table in panel.tables.values())


def test_moving_p_changes_the_figure_and_keeps_the_choice():
    at = open_page("scores", measure="RBP(p=0.8)")
    before = figures(at)[0]["data"][0]["x"]
    at.slider(key="adjust.3.RBP.p").set_value(0.5).run()
    assert_sound(at)
    assert figures(at)[0]["data"][0]["x"] != before
    assert at.selectbox(key="scores.measure").value == "RBP(p=0.5)"
    assert chosen(at)[3] == "RBP(p=0.5)"


def test_the_view_before_is_in_grey_until_other_data_are_chosen():
    at = open_page("consistency")
    at.selectbox(key="consistency.coefficient").set_value("pearson").run()
    assert_sound(at)
    grey = [trace for trace in figures(at)[0]["data"] if trace.get("zorder") == -1]
    assert grey and at.query_params["before"].endswith("coefficient=")
    at.selectbox(key="sidebar.collection").set_value("dl2021").run()
    assert "before" not in at.query_params
    assert not [trace for trace in figures(at)[0]["data"] if trace.get("zorder") == -1]


def test_a_written_measure_is_added_and_a_bad_one_is_said_beside_the_box():
    at = open_page("scores")
    for text, label in (("nDCG @ 20", "nDCG@20"), ("ndcg_cut_5", "nDCG@5"), ("R@10", "R@10")):
        add_measure(at, text)
        assert_sound(at)
        assert chosen(at)[-1] == label and not errors(at)
    good = chosen(at)
    add_measure(at, "RBP(p=1.2)")
    assert chosen(at) == good and at.selectbox(key="sidebar.add").value is None
    assert errors(at) == ["`p` of RBP must lie in (0, 1); got 1.2. For a fixed depth use P@k."]
    add_measure(at, "P@1," * 6_000)  # a browser could send a hundred times as many, which took 20 seconds to read
    assert errors(at) == ["it is 24,000 characters long; at most 20,000 are read"]


def test_the_box_offers_what_is_not_chosen_and_measures_of_all_aspects_first():
    box = open_page("scores").selectbox(key="sidebar.add")
    assert {"R@10", "GAP(g=[0.33,0.33,0.34])"} <= set(box.options) and "AP" not in box.options
    offered = open_page("scores", collection="multiaspect").selectbox(key="sidebar.add").options
    first = [label for label in offered if label.startswith(("TOMA", "CAM", "MM"))]
    assert offered[: len(first)] == first and len(first) == 5


def test_all_binary_measures_count_from_one_grade_and_pages_follow():
    at = open_page("scores", measures="AP,nDCG@10,P@10,ERR@20", measure="P@10", collection="dl2021")
    before, box = figures(at)[0]["data"][0]["x"], at.number_input(key="sidebar.relevant")
    assert box.value == 1  # links say what they always said
    box.set_value(2.0).run()
    assert_sound(at)
    assert at.query_params["measures"] == "AP(rel=2),nDCG@10,P(rel=2)@10,ERR@20"
    assert at.selectbox(key="scores.measure").value == "P(rel=2)@10"
    again = open_page("scores", measures="P(rel=2)@10", collection="dl2021")
    assert figures(at)[0]["data"][0]["x"] == figures(again)[0]["data"][0]["x"] != before
    at.number_input(key="sidebar.relevant").set_value(0.0).run()
    assert "`rel` of AP must" in errors(at)[0] and at.number_input(key="sidebar.relevant").value == 2
    at.number_input(key="sidebar.relevant").set_value(1.0).run()
    assert at.query_params["measures"] == "AP,nDCG@10,P@10,ERR@20" and not errors(at)


def test_grades_of_relevance_that_differ_are_left_until_one_is_chosen():
    at = open_page("scores", measures="AP,AP(rel=2),P(rel=3)@10")
    assert at.number_input(key="sidebar.relevant").value is None
    at.number_input(key="sidebar.relevant").set_value(2.0).run()
    assert errors(at) == ["AP(rel=2) is already in the list."] and chosen(at) == ["AP", "AP(rel=2)", "P(rel=3)@10"]
    assert at.number_input(key="sidebar.relevant").value is None
    shown = open_page("scores", measures="nDCG@10,RBP(p=0.8)")
    assert "sidebar.relevant" not in [one.key for one in shown.number_input]


def test_a_measure_is_removed_and_the_last_one_stays():
    at = open_page("scores", measures="AP,P@10")
    at.button(key="sidebar.remove").click().run()
    assert chosen(at) == ["P@10"] and "sidebar.remove" not in [one.key for one in at.button]


def test_a_graded_measure_that_is_written_by_its_name_fits_the_grades():
    at = open_page("scores", collection="dl2021")
    add_measure(at, "GAP@10")
    assert chosen(at)[-1] == "GAP(g=[0.33,0.33,0.34])@10"
    assert not errors(at) and not warnings(at)


def test_of_many_topics_any_can_be_typed_and_one_that_is_not_there_changes_nothing(monkeypatch):
    monkeypatch.setattr(widgets, "_LONGEST_LIST", 10)
    last, at = open_collection("adhoc").topics[-1], open_page("topics")
    for typed in (last, "no topic"):
        box = at.selectbox(key="topics.topic")
        assert typed not in box.options
        box.options.append(typed)  # AppTest knows no new options
        at = box.set_value(typed).run()
        assert f"Topic `{last}`" in said(at) and at.selectbox(key="topics.topic").value == last
    assert warnings(at)[0].startswith("Topic: `no topic` is none of ")


def test_a_track_counts_from_its_own_grade_at_one_press_and_the_page_measure_is_the_sidebars():
    at = open_page("scores", collection="dl2021", measures="AP,nDCG@10,RBP(p=0.8)")
    assert not [one.key for one in at.slider if one.key.startswith("adjust")], "AP is on the page, not RBP"
    at.button(key="sidebar.track").click().run()
    assert_sound(at)
    assert "`AP(rel=2)`" in said(at)
    assert "sidebar.track" not in [one.key for one in at.button]
    at.button_group(key="sidebar.measures").set_value("RBP(p=0.8)").run()
    assert at.selectbox(key="scores.measure").value == "RBP(p=0.8)"
    assert at.slider(key="adjust.2.RBP.p").value == 0.8


def test_the_weights_of_aspects_are_handles_called_after_them():
    at = open_page("scores", collection="multiaspect", measures="CAM(AP,p=[0.5,0.3,0.2])")
    html = next(one.proto.body for one in at.get("html") if "irviz-shares" in one.proto.body)
    for aspect in ("relevance", "credibility", "correctness"):
        assert f"<span>{aspect} <output>" in html
    at.text_input(key="adjust.0.CAM.p").set_value("[0.2,0.2,0.6]").run()
    assert chosen(at) == ["CAM(AP,p=[0.2,0.2,0.6])"]
    at.text_input(key="adjust.0.CAM.p").set_value("[0.2,0.2,0.5]").run()
    assert chosen(at) == ["CAM(AP,p=[0.2,0.2,0.6])"] and "sum to 1" in errors(at)[0]


def test_the_levels_of_aspects_are_points_of_a_plane():
    at = open_page("scores", collection="multiaspect", measures="TOMA(nDCG,distance='manhattan')")
    html = next(one.proto.body for one in at.get("html") if "irviz-plane" in one.proto.body)
    for handle in ("relevance, level 3", "credibility, level 2", "correctness, level 2"):
        assert f'aria-label="{handle}"' in html
    places = "[[0,1,2,4],[0,1,2],[0,1,1]]"
    at.text_input(key="adjust.0.TOMA.embedding").set_value(places).run()
    assert chosen(at) == [f"TOMA(nDCG,distance='manhattan',embedding={places})"]


def test_another_collection_forgets_the_topics_of_the_last():
    at = open_page("scores", topics="401,402")
    assert at.session_state["irviz"].texts[""]["topics"] == "401,402"
    at.selectbox(key="sidebar.collection").set_value("multiaspect").run()
    assert_sound(at)
    assert "topics" not in at.session_state["irviz"].texts[""] and not warnings(at)


def test_the_aspect_of_a_page_is_forgotten_where_there_is_none():
    at = open_page("collection", collection="multiaspect", aspect="credibility")
    assert "grade of credibility" in said(at)
    at.selectbox(key="sidebar.collection").set_value("adhoc").run()
    assert_sound(at)
    assert "grade of relevance" in said(at)


@pytest.mark.parametrize("page", [page.name for page in PAGES if not page.lab])
def test_two_systems_and_three_topics_are_drawn(page):
    systems = "cobalt-bm25,cobalt-bm25-qe"
    assert not errors(open_page(page, collection="adhoc", systems=systems, topics="401,402,403"))


@pytest.mark.parametrize("collection", ["adhoc", "multiaspect"])
def test_the_parameters_of_every_measure_have_widgets(collection, unfolded, monkeypatch):
    """One measure of a kind, with and without a cutoff; where there are several aspects, those that look at them.

    The page beside the widgets is left out.
    """
    monkeypatch.setattr(Page, "draw_panel", lambda *_: Panel("Not drawn."))
    several = collection == "multiaspect"
    offered = [measure(one) for one in suggestions(open_collection(collection))]
    offered = [one for one in offered if one.several_aspects or not several or one.symbol == "AP"]
    written = list({(type(one), one.cutoff is None): one for one in offered}.values())
    users = [user for user in family("browsing model") if user not in ("P", "DCG") and not several]
    written += [measure(f"CWLA(C={user},A=PE(beta=0.5))") for user in users]
    written += map(measure, ("CWLA(C=P@10,A=ERR)", "CWLA(C=INST(T=50),A=ERG)@20", "DCG(base=1.5,gains=[0,1,2,3])@10"))
    at = open_page("scores", collection=collection, measures=",".join(map(str, dict.fromkeys(written))))
    assert len(chosen(at)) > (5 if several else 40)
    for label in chosen(at):
        at.button_group(key="sidebar.measures").set_value(label).run()
        assert_sound(at)
        assert errors(at) == []


def test_a_collection_is_saved_with_pseudonyms_under_a_key_that_is_long_enough():
    def offered(at) -> list[str]:
        return [one.proto.label for one in at.get("download_button") if one.proto.label.startswith(("Save", "Who"))]

    at = open_page("collection")
    assert offered(at) == ["Save as .irviz"]
    at.checkbox(key="saving.pseudonyms").check().run()
    key = at.text_input(key="saving.key").value
    assert len(key) == 32 and offered(at) == ["Who is who (CSV, for you alone)", "Save as .irviz"]
    assert at.run().text_input(key="saving.key").value == key
    at.text_input(key="saving.key").set_value("short").run()
    assert any("at least 16" in text for text in errors(at)) and offered(at) == []
