"""A session knows measures by the labels they had, as a browser that is a step behind still says those."""

from __future__ import annotations

from irviz.ui.state import SIDEBAR, Session


def test_a_measure_is_followed_through_all_its_labels():
    session = Session()
    session.put("scores", "measure", "RBP(p=0.8)")
    for old, new in [("RBP(p=0.8)", "RBP(p=0.75)"), ("RBP(p=0.75)", "RBP(p=0.7)")]:
        session.rename(old, new)
    assert session.box.current("RBP(p=0.8)") == "RBP(p=0.7)" == session.scope("scores")["measure"]
    assert SIDEBAR not in session.texts


def test_a_measure_that_comes_back_to_its_label_has_that_one():
    session = Session()
    session.rename("RBP(p=0.8)", "RBP(p=0.75)")
    session.rename("RBP(p=0.75)", "RBP(p=0.8)")
    assert session.box.current("RBP(p=0.8)") == "RBP(p=0.8)" == session.box.current("RBP(p=0.75)")
