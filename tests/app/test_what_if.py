"""The bench as a person uses it: a moved slider leaves the state before in grey; a builder."""

from __future__ import annotations

import json
from types import SimpleNamespace

import streamlit as st

from irviz.collection.catalogue import open_collection
from irviz.figures.significance import P_VALUES
from irviz.ui import page, show, sidebar, widgets
from irviz.ui.measure_picker import TOOLS
from tests.app.driving import add_measure, assert_sound, chosen, figures, open_page, said, turn_to

FEW = {"trials": "50", "repeats": "1"}
P = "adjust.3.CWLA.C.RBP.p"


def texts(at) -> dict[str, str]:
    return at.session_state["irviz"].scope("what_if")


def test_moves_in_quick_succession_are_one(monkeypatch):
    monkeypatch.setattr(page, "BURST", 600)
    at = open_page("what_if", **FEW)
    for p in (0.5, 0.6, 0.9):
        at.slider(key=P).set_value(p).run()
    assert_sound(at)
    assert texts(at)["before"] == "RBP(p=0.8)"


def test_a_moved_slider_compares_with_the_last_settled_state(monkeypatch):
    monkeypatch.setattr(page, "BURST", 0)
    at = open_page("what_if", **FEW)
    assert_sound(at)
    assert "before:" not in said(at) and len(figures(at)) == 5  # the weights of the ranks, too
    at.slider(key=P).set_value(0.5).run()
    assert_sound(at)
    assert texts(at)["before"] == "RBP(p=0.8)"
    at.slider(key=P).set_value(0.9).run()
    assert texts(at)["before"] == "RBP(p=0.5)"
    assert at.selectbox(key="what_if.measure").value == "RBP(p=0.9)"


def test_the_page_is_about_the_measure_whose_parameters_are_shown():
    at = open_page("what_if", **FEW)
    at.button_group(key="sidebar.measures").set_value("nDCG@10").run()
    assert at.selectbox(key="what_if.measure").value == "nDCG@10" and texts(at)["before"] == "RBP(p=0.8)"
    at.selectbox(key="what_if.measure").set_value("AP").run()
    assert_sound(at)
    assert at.button_group(key="sidebar.measures").value == "AP"


def test_a_measure_of_all_aspects_is_one_press_away_and_is_compared_with_what_it_is_made_of():
    at = open_page("what_if", collection="multiaspect", measures="AP,nDCG@10,RBP(p=0.8)", measure="nDCG@10", **FEW)
    at.button_group(key="sidebar.measures").set_value("RBP(p=0.8)").run()
    at.button_group(key="sidebar.measures").set_value("nDCG@10").run()
    at.button(key="aspects.TOMA").click().run()
    assert_sound(at)
    assert texts(at)["before"] == "nDCG@10"
    assert not [button for button in at.button if button.key.startswith("aspects.")]
    add_measure(at, "RBP(p=0.5)")
    assert texts(at)["before"] == "RBP(p=0.8)"


def test_knobs_show_the_measure_in_force_after_other_pages_and_where_their_range_changes():
    label = "TOMA(RBP(p=0.9),distance='manhattan')"
    at = open_page("what_if", collection="multiaspect", measures=f"AP,{label}", measure=label, **FEW)

    def assert_in_force():
        assert at.selectbox(key="adjust.1.TOMA.base").value == "RBP"
        assert at.slider(key="adjust.1.TOMA.base.RBP.p").value == 0.9
        assert at.button_group(key="adjust.1.TOMA.distance").value == "manhattan"

    assert_in_force()
    for name in ("similarity", "similarity", "what_if", "similarity", "what_if"):
        turn_to(at, name).run()
        assert_sound(at)
        assert_in_force()
    at = open_page("what_if", measures="RBP(p=0.99)", measure="RBP(p=0.99)", **FEW)
    at.slider(key="adjust.0.CWLA.C.RBP.p").set_value(0.9).run()
    assert at.slider(key="adjust.0.CWLA.C.RBP.p").value == 0.9 and texts(at)["before"] == "RBP(p=0.99)"


def test_a_moved_grade_is_named_as_the_cause():
    at = open_page("what_if", collection="dl2021", measure="AP(rel=2)", **FEW)
    shown = at.selectbox(key="what_if.measure").value
    at.number_input(key="sidebar.relevant").set_value(1.0).run()
    assert_sound(at)
    assert (shown, texts(at)["before"]) == ("AP(rel=2)", "AP(rel=2)")
    assert at.selectbox(key="what_if.measure").value == "AP"


def test_a_sweep_button_draws_its_parameter_and_a_second_one_another():
    at = open_page("what_if", measures="AP,RBP(p=0.8)@10", measure="RBP(p=0.8)@10", points="3", **FEW)
    at.button(key="sweep.p").click().run()
    assert_sound(at)
    assert "values of p:" in said(at) and texts(at)["sweep"] == "p"
    at.button(key="sweep.cutoff").click().run()
    assert_sound(at)
    assert "values of the cutoff:" in said(at) and texts(at)["sweep"] == "cutoff"
    at.button(key="sweep.cutoff").click().run()
    assert "sweep" not in texts(at) and said(at).count(P_VALUES)


def test_presses_that_come_before_the_run_of_the_last_one_is_done_are_not_lost(monkeypatch):
    at = open_page("what_if", **FEW)
    monkeypatch.setattr(sidebar, "settle_sidebar", lambda *_: st.stop())  # as where another press interrupts the run
    at.slider(key=P).set_value(0.75).run()
    session = at.session_state["irviz"]
    drawn = session.run.values  # of the last run that came so far, and so are the widgets
    monkeypatch.setattr(widgets, "state", lambda: session)
    for p in (0.7, 0.65):
        assert widgets.exchange(session.run.fitted_controls["measures"], drawn["measures"], {3: f"RBP(p={p})"})
    assert session.scope("")["measures"].split(",")[3] == "RBP(p=0.65)"


def test_the_sidebar_has_the_same_widgets_before_and_after_the_figures_and_on_all_pages():
    at = open_page("similarity", measures="AP,RBP(p=0.8)")  # drawn once the first figures are there
    runs = [at.sidebar.selectbox, at.run().sidebar.selectbox, open_page("scores", measures="AP").sidebar.selectbox]
    ids = [{one.key: one.id for one in boxes} for boxes in runs]
    assert ids[0] and ids[0] == ids[1] == ids[2]


def test_the_sidebar_is_there_when_none_of_its_measures_can_be_computed():
    at = open_page("scores", collection="adhoc", measures="ERR(gmax=1)")
    assert at.error and at.sidebar.selectbox


def test_two_clicks_on_a_sweep_before_a_run_is_done_turn_the_same_measure(monkeypatch):
    at = open_page("what_if", measures="AP,RBP(p=0.8)", measure="RBP(p=0.8)", trials="50", repeats="1")
    session = at.session_state["irviz"]
    control = next(one for one in session.run.page.controls if one.name == "measure").fit(session.run.context)
    for module in (show, widgets):
        monkeypatch.setattr(module, "state", lambda: session)
    clicked: dict = {}
    monkeypatch.setattr(show, "st", SimpleNamespace(session_state=clicked))
    for p in (0.2, 0.65):
        clicked["curves"] = {"selection": {"points": [{"customdata": [f"RBP(p={p})", ""]}]}}
        show._take_pick("curves", "what_if", [control])  # as the browser has it: drawn before the first click
    assert session.scope("")["measures"] == "AP,RBP(p=0.65)"
    assert session.scope("what_if")["measure"] == "RBP(p=0.65)"


def test_what_is_clicked_in_a_figure_is_selected_on_every_page_and_the_measure_goes_along():
    first, second = open_collection("adhoc").systems[2:4]
    at = open_page("what_if", measure="P@10", **FEW)
    for clicked, after in (
        ([second], second),
        ([second, first], f"{second},{first}"),
        (["nobody", "0.25"], f"{second},{first}"),
        ([first], second),
        ([], None),
        ([first, second], f"{first},{second}"),
    ):
        at.text_input(key="picked.box").set_value(json.dumps(clicked)).run()
        assert_sound(at)
        assert at.session_state["irviz"].scope("").get("highlight") == after
    turn_to(at, "scores").run()
    assert at.selectbox(key="scores.measure").value == "P@10"
    assert at.multiselect(key=".highlight").value == [first, second]


def test_the_builder_counts_from_the_grade_that_the_sidebar_says():
    for collection, measures, added in (("dl2021", "AP(rel=2)", "P(rel=2)"), ("adhoc", "AP", "P")):
        at = open_page("scores", collection=collection, measures=measures)
        at.session_state["sidebar.build"], at.session_state["build.family"] = True, "Classics"
        at.run()
        at.button(key="build.add").click().run()
        assert_sound(at)
        assert chosen(at) == [measures, added]


def test_the_measures_of_a_tool_are_added_together():
    at = open_page("scores", measures="AP")
    ((offered, quepid),) = ((label, measures) for label, measures in TOOLS.items() if label.startswith("Quepid"))
    at.selectbox(key="sidebar.add").set_value(offered).run()
    assert_sound(at)
    assert chosen(at) == ["AP", *quepid]


def test_a_click_on_a_family_keeps_what_it_can_and_readers_give_up_sooner():
    at = open_page("what_if", collection="dl2021", measures="AP,RBP(p=0.8)", **FEW)
    assert at.selectbox(key="what_if.measure").value == "RBP(p=0.8)"
    at.button(key="adjust.sooner").click().run()
    assert_sound(at)
    assert (chosen_texts(at), texts(at)["before"]) == ("AP,RBP(p=0.5)", "RBP(p=0.8)")
    at.button_group(key="adjust.family").set_value("Graded users").run()
    assert_sound(at)
    assert chosen_texts(at) == "AP,GAP(g=[0.33,0.33,0.34])"
    at.button_group(key="adjust.family").set_value("Several aspects").run()  # which these data do not have
    assert at.session_state["irviz"].scope("")["collection"] == "multiaspect"


def chosen_texts(at) -> str:
    """The measures, as the link has them."""
    return at.session_state["irviz"].scope("")["measures"]
