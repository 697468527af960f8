"""Systems that tie share their rank on every page, and sentences say how many are first."""

from __future__ import annotations

import numpy as np
import pytest

from irviz.collection.load import load_collection
from irviz.stats.scores import Scores
from irviz.workspace.context import Context, Dataset
from tests.panels import context_of, drawing_of, opened_once, panel_of

SYSTEMS = tuple("abcdef")


def scored(*rows: list[float], names: tuple[str, ...] = ("AP",)) -> Context:
    """A context of matrices in which a system has the same score on six topics, up to a swing that cancels."""
    swing = np.array([0.05, -0.05, 0.02, -0.02, 0.0, 0.0])
    values = np.stack([np.array(row)[None, :] + swing[:, None] for row in rows])
    scores = Scores(values, names, tuple("123456"), SYSTEMS[: len(rows[0])])
    return context_of(Dataset("m", "M", imported=scores))


def test_scores_number_ties_alike_and_name_all_who_are_first():
    panel = panel_of(scored([0.5, 0.7, 0.7, 0.1, 0.7, 0.1]), "scores")
    table = panel.tables["Systems"].frame
    assert dict(zip(table["system"], table["rank"], strict=True)) == {"b": 1, "c": 1, "e": 1, "a": 4, "d": 5, "f": 5}
    assert panel.sentence.startswith(
        "By `AP`, 3 of 6 systems share first place: mean 0.700 over 6 topics (`b`, `c` and `e`)"
    )
    assert [row[1] for row in drawing_of(panel, "ranking").figure.data[0].customdata] == [1, 1, 1, 4, 5, 5]


def test_aggregation_names_all_who_are_first_by_each_average():
    panel = panel_of(scored([0.5, 0.7, 0.7, 0.1]), "aggregation")
    assert panel.sentence.startswith(
        "By `AP`, 2 systems share first place (`b` and `c`) however the topics are averaged"
    )
    assert panel.tables["Systems"].frame["rank, median"].tolist() == [1, 1, 3, 4]


def test_similarity_ranks_ties_alike_and_counts_who_shares_the_widest_move():
    panel = panel_of(scored([0.9, 0.5, 0.5], [0.5, 0.5, 0.9], names=("AP", "RR")), "similarity")
    assert panel.tables["Ranks"].frame.set_index("system").to_dict("index") == {
        "a": {"AP": 1, "RR": 2},
        "b": {"AP": 2, "RR": 2},
        "c": {"AP": 2, "RR": 1},
    }
    assert drawing_of(panel, "slope").title == "2 systems move most, such as `a`: rank 1 by `AP`, 2 by `RR`."


def test_the_note_names_the_measure_that_is_constant_and_no_other():
    values = np.random.default_rng(0).random((3, 5, 4))
    values[1, 2] = 0.5
    context = context_of(Dataset("m", "M", imported=Scores(values, ("A", "B", "C"), tuple("12345"), tuple("wxyz"))))
    notes = panel_of(context, "similarity").notes
    assert [note for note in notes if "some topic" in note] == [
        "`B` scores all systems the same on some topic. Such a topic has no order to compare and is left out of the "
        "averages; the table says on how many topics each rests."
    ]


@pytest.mark.parametrize("method", ["randomised_tukey", "paired_bootstrap"])
def test_who_leads_is_separated_from_all_only_where_every_p_value_says_so(method):
    rng = np.random.default_rng(4)
    values = (rng.random((1, 12, 5)) * 0.4 + np.array([0.5, 0.35, 0.3, 0.2, 0.1]))[None, 0]
    context = context_of(Dataset("m", "M", imported=Scores(values, ("A",), tuple("abcdefghijkl"), tuple("vwxyz"))))
    panel = panel_of(context, "discriminative", method=method, trials="500")
    p = panel.tables["Pairs"].frame
    best = panel_of(context, "scores").tables["Systems"].frame["system"][0]
    mine = p[(p["first"] == best) | (p["second"] == best)]["A"]
    won = int((mine < 0.05).sum())
    expected = {0: "is not separated from any other", 4: "is separated from all others"}
    assert f"`{best}` leads and {expected.get(won, f'is separated from {won} of the other 4')}." in (
        drawing_of(panel, "groups").alt
    )


def test_pages_with_p_values_say_what_they_are_corrected_for():
    context = scored([0.5, 0.7, 0.71, 0.1], [0.3, 0.2, 0.1, 0.4], names=("A", "B"))
    notes = " ".join(panel_of(context, "discriminative", trials="50").notes)
    assert "p-values are corrected for all pairs of the 4 systems chosen, under one measure" in notes
    notes = " ".join(panel_of(context, "discriminative", method="paired_bootstrap", trials="50").notes)
    assert "p-values are for each pair by itself" in notes
    notes = " ".join(panel_of(context, "consistency", trials="50").notes)
    assert "p-values are corrected for all pairs of the measures of the sidebar" in notes
    adhoc = context_of(Dataset("adhoc", "Ad hoc", opened_once("adhoc")))
    notes = " ".join(panel_of(adhoc, "cwla", show="power", models="P", trials="20").notes)
    assert "p-values are corrected for all pairs of the chosen systems, under one combination" in notes


def test_four_systems_of_trec_covid_share_the_first_place_of_rr(collections):
    folder = collections / "trec-covid-round1"
    if not folder.is_dir():
        pytest.skip(f"{folder} is absent")
    collection = load_collection(folder / "qrels.txt", folder / "runs")
    panel = panel_of(context_of(Dataset("covid", "TREC-COVID", collection), measures="RR"), "scores")
    table = panel.tables["Systems"].frame
    means = table["mean RR"].to_numpy()
    assert all((table["rank"] == 1) == (means >= means.max() - 1e-12))
    first = int((table["rank"] == 1).sum())
    assert (f"{first} of 48 systems share first place" in panel.sentence) == (first > 1)
