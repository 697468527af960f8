"""What the sidebar keeps when a person looks at other data."""

from __future__ import annotations

import numpy as np

from irviz.stats.scores import Scores
from irviz.ui.sidebar import choose_data
from irviz.ui.state import SIDEBAR, Session
from irviz.workspace.data import COLLECTION, opened_scores


def test_a_visit_to_imported_scores_gives_the_measures_back():
    imported = opened_scores(Scores(np.ones((1, 2, 2)), ("mine",), ("1", "2"), ("a", "b")))
    session = Session(loaded={imported.key: imported})
    session.put(SIDEBAR, "measures", "AP,RBP(p=0.5)")
    choose_data(session, imported.key)
    assert "measures" not in session.scope(SIDEBAR)
    choose_data(session, COLLECTION.default)
    assert session.scope(SIDEBAR)["measures"] == "AP,RBP(p=0.5)"
    choose_data(session, "adhoc")
    assert session.scope(SIDEBAR)["measures"] == "AP,RBP(p=0.5)"
