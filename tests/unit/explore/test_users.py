"""The page on users shows what irviz.satisfaction and irviz.preferences find, on the open data or on the study."""

from __future__ import annotations

import io
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.cli.main import main
from irviz.errors import IrvizError
from irviz.explore import users as page
from irviz.measures.judged_lists import ExactTopic
from irviz.stats.scores import Scores
from irviz.stats.users import satisfaction_by_score
from irviz.workspace.context import Context, Dataset
from irviz.workspace.data import opened_collection, opened_scores
from tests.panels import context_of, drawing_of, opened_once, panel_of

QUICK = {"trials": "100", "models": "RBP,RR"}
#: Spearman's ρ by browsing model: ERG, ETG, avg, max, fin, PE, ERR. The first numbers on this study, but for three that
#: rested on ties broken by rounding errors: .612 (INST, max), .675 (AP, max) and .596 (AP, ERG)
FIRST_NUMBERS = {
    "RBP(p=0.8)": (0.519, 0.519, 0.552, 0.646, 0.516, 0.615, np.nan),
    "INST(T=2.25)": (0.543, 0.543, 0.551, 0.619, 0.558, 0.601, 0.562),
    "ERR": (0.645, 0.643, 0.642, 0.681, 0.655, 0.655, 0.623),
    "RR": (0.604, 0.670, 0.604, 0.670, 0.670, 0.670, 0.446),
    "BPM(T=1,K=10)": (0.625, 0.464, 0.625, 0.682, 0.629, 0.670, 0.593),
    "AP": (0.597, 0.590, 0.599, 0.677, 0.668, 0.668, 0.431),
}


def study(**texts: str) -> Context:
    return context_of(Dataset("tiangong", "Study", opened_once("tiangong")), **texts)


def small(**users) -> irviz.Collection:
    qrels = ("q", "".join(f"{t} 0 d{d} {(t * d) % 3}\n" for t in range(1, 9) for d in range(1, 6)).encode())
    runs = [
        (
            s,
            "".join(
                f"{t} Q0 d{1 + (d * k + t) % 5} {d} {9 - d} {s}\n" for t in range(1, 9) for d in range(1, 5)
            ).encode(),
        )
        for k, s in ((1, "a"), (2, "b"), (3, "c"))
    ]
    return irviz.load_collection(qrels, runs, **users)


def test_the_order_and_the_intervals_are_those_of_the_api():
    context = study(measures="AP,ERR,RBP(p=0.8),P@10")
    panel = panel_of(context, "users", **QUICK)
    found = irviz.satisfaction(context.scores(), context.collection.satisfaction, trials=100)
    frame = panel.tables["Measures"].frame
    expected = found.frame().sort_values("value", ascending=False)
    pd.testing.assert_frame_equal(frame, expected.reset_index(drop=True))
    dots = drawing_of(panel, "measures").figure.data[0]
    np.testing.assert_allclose(dots.x, expected["value"], atol=1e-5)
    assert panel.facts[0].names == ("ERR",) and panel.facts[0].value == found.values["ERR"]
    np.testing.assert_array_equal(panel.tables["Differences"].frame.iloc[:, 1:], found.p_values)


def test_the_grid_is_that_of_the_first_numbers():
    panel = panel_of(study(measures="AP"), "users", trials="100")
    frame = panel.tables["Combinations"].frame
    kinds = ["ERG", "ETG", "avg", "max", "fin", "PE", "ERR"]
    grid = frame.pivot(index="browsing model", columns="aggregation", values="Spearman's ρ")[kinds]
    for model, numbers in FIRST_NUMBERS.items():
        np.testing.assert_allclose(grid.loc[model], numbers, atol=5.1e-4)
    known = frame.dropna(subset=["Spearman's ρ"])
    assert (known["low"] <= known["Spearman's ρ"]).all() and (known["Spearman's ρ"] <= known["high"]).all()
    for figure, column in (("grid", "Spearman's ρ"), ("consistency", "consistency")):
        cells = drawing_of(panel, figure).figure.data[0]
        models = [next(model for model in grid.index if model.split("(")[0] == symbol) for symbol in cells.y]
        shown = frame.pivot(index="browsing model", columns="aggregation", values=column).loc[models, kinds]
        np.testing.assert_allclose(cells.customdata, shown.to_numpy(), atol=5.1e-5)


def test_lists_tie_in_the_grid_exactly_where_they_do_in_fractions():
    """Of INST with max, differences of products split 18 pairs of lists by rounding alone."""
    c = opened_once("tiangong")
    grades = np.append(c.labels[..., 0], np.zeros((len(c.topics), 1), dtype=np.int16), axis=1)
    shown = np.take_along_axis(grades, np.where(c.ranking[:, 0] < 0, -1, c.ranking[:, 0]), axis=1)
    lists = np.unique(shown, axis=0)
    grid = page.grid_of({"models": (), "cutoff": 10, "gains": "own", "rel": None})
    kinds = np.array(grid.aggregations) != "ERR"  # 1/i of a rank is rounded before it is added up
    names = dict.fromkeys(grid.labels[:, kinds].ravel().tolist())
    assert grid.labels.shape == (9, 7) and len(names) == 54
    for name in names:
        exact, rounded = (irviz.measure(name).score(ExactTopic(lists, c.grades[0], how)) for how in (True, False))
        order = np.argsort(rounded, kind="stable")
        alike = [abs(a - b) < Fraction(1, 10**30) for a, b in pairwise(exact[order])]
        np.testing.assert_array_equal(np.diff(rounded[order]) == 0, alike, name)


def test_what_max_buys_and_costs_is_counted():
    grid = page.grid_of({"models": ("RBP", "RR"), "cutoff": 10, "gains": "own", "rel": None})
    c = opened_once("tiangong")
    s = irviz.score(c, grid.varying())
    found = irviz.satisfaction(s, c.satisfaction, trials=200)
    consistency = np.zeros(grid.labels.shape)
    best, least = page.max_facts(grid, found, consistency, 0.05)
    assert (best.value, best.of) == (1, 2)  # of RR, max ties with ETG, fin and PE
    assert (least.value, least.of) == (2, 2)
    consistency[0, grid.aggregations.index("max")] = 1
    assert page.max_facts(grid, found, consistency, 0.05)[1].value == 1
    nobody = irviz.satisfaction(s, pd.DataFrame({"topic": c.topics, "satisfaction": 3}), trials=20)
    assert [fact.of for fact in page.max_facts(grid, nobody, np.full(grid.labels.shape, np.nan), 0.05)] == [0, 0]


def test_no_measure_is_said_to_agree_where_all_users_are_equally_satisfied():
    rows = [(str(t), s, 3) for t in range(1, 9) for s in "abc"]
    c = small(satisfaction=pd.DataFrame(rows, columns=["topic", "system", "satisfaction"]))
    panel = panel_of(context_of(opened_collection(c), measures="AP,ERR"), "users", **QUICK)
    assert panel.tables["Measures"].frame[["value", "low", "high"]].isna().all(axis=None)
    assert panel.tables["By score"].frame[["low", "high"]].isna().all(axis=None)
    assert not panel.facts[0].is_defined and not panel.facts[-1].is_defined


def test_measures_without_a_coefficient_are_not_among_those_that_agree_less():
    values = np.stack([np.arange(9.0), np.full(9, 0.63) * (1 + np.arange(9) * 2.0**-52)])[:, :, None]
    s = Scores(values, ("m", "constant"), tuple(map(str, range(9))), ("s",))
    said = pd.DataFrame({"topic": s.topics, "satisfaction": [0, 2, 1, 3, 2, 4, 1, 4, 3]})
    found = irviz.satisfaction(s, said, trials=50)
    assert found.values.isna().tolist() == [False, True]
    highest, apart = page.leaders(found, 0.05, "highest")
    assert highest.names == ("m",) and (apart.value, apart.of) == (0, 0)


@pytest.mark.parametrize("parameter", page.PARAMETERS)
def test_a_curve_is_satisfaction_along_a_parameter(parameter):
    context = study(measures="AP")
    panel = panel_of(context, "users", parameter=parameter, **QUICK)
    chosen, frame = page.PARAMETERS[parameter], panel.tables["Parameter"].frame
    assert frame.iloc[:, 0].tolist() == list(chosen.points)
    name = frame["measure"][3]
    alone = irviz.satisfaction(context.scores([name]), context.collection.satisfaction, trials=100)
    assert frame["value"][3] == alone.values.iloc[0] and frame["low"][3] == alone.low.iloc[0]
    line = drawing_of(panel, "curve").figure
    assert line.layout.shapes[0].x0 == frame.iloc[frame["value"].idxmax(), 0]


def test_gains_and_the_threshold_are_those_of_the_measures():
    values = {"gains": "exp", "rel": 3.0}
    names = {"AP": "AP(rel=3)", "RBP(p=0.8)": "RBP(p=0.8,gains='exp')", "nDCG@10": "nDCG(dcg='exp-log2')@10"}
    assert {name: page.adjust(name, values) for name in names} == names
    assert page.adjust("AP", {"gains": "own", "rel": None}) == "AP"


def test_satisfaction_by_score_is_a_mean_by_part_of_the_range():
    scores = Scores(np.array([[[0.0], [0.1], [0.5], [1.0], [1.0]]]), ("m",), tuple("abcde"), ("s",))
    said = pd.DataFrame({"topic": list("abcde"), "satisfaction": [1, 2, 5, 3, 4]})
    found = satisfaction_by_score(scores, said, parts=2, trials=300)
    assert found[["from", "to", "answers", "satisfaction"]].to_numpy().tolist() == [[0, 0.5, 2, 1.5], [0.5, 1, 3, 4.0]]
    assert ((found["low"] <= found["satisfaction"]) & (found["satisfaction"] <= found["high"])).all()
    empty = satisfaction_by_score(scores, said, parts=10, trials=20)
    assert empty["answers"].sum() == 5 and empty["satisfaction"].isna().sum() == (empty["answers"] == 0).sum()


def test_data_without_users_show_no_other_data_and_lead_to_some():
    imported = opened_scores(irviz.score(opened_once("adhoc"), ["AP"]))
    adhoc = context_of(Dataset("adhoc", "Ad hoc", opened_once("adhoc")), measures="AP,ERR")
    for own in (adhoc, Context(imported, measures=("AP",), depth=1)):
        panel = panel_of(own, "users", **QUICK)
        assert not panel.drawings and not panel.tables and not panel.facts
        assert panel.ways[0][1].page == "collection"
        assert panel.ways[1][1].values == {"collection": "tiangong"}


def test_loaded_answers_and_preferences_of_systems_are_shown():
    rng = np.random.default_rng(1)
    rows = [(str(t), s, int(rng.integers(0, 5))) for t in range(1, 9) for s in "abc"]
    rated = pd.DataFrame(rows, columns=["topic", "system", "satisfaction"])
    chosen = pd.DataFrame(
        [(str(t), a, b, [a, b, "tie"][int(rng.integers(0, 3))]) for t in range(1, 9) for a, b in ("ab", "bc", "ac")],
        columns=["topic", "a", "b", "winner"],
    )
    c = small(satisfaction=rated, preferences=chosen)
    context = context_of(opened_collection(c), measures="AP,ERR")
    panel = panel_of(context, "users", **QUICK)
    found = irviz.preferences(context.scores(), chosen, trials=100)
    frame = panel.tables["Preferences"].frame.set_index("measure")
    assert frame["value"].to_dict() == found.values.to_dict() and "24" in panel.sentence
    assert panel.facts[-1].value == found.values.max() and set(panel.facts[-1].names) <= set(found.values.index)
    assert frame["ties"].to_dict() == found.ties.to_dict()
    fewer = panel_of(context_of(opened_collection(c), measures="AP", only="a,b"), "users", **QUICK)
    assert "16" in fewer.sentence


def test_preferences_of_documents_are_shown_for_every_judge(collections):
    folder = collections / "trec-dl-2021"
    c = irviz.load_collection(
        folder / "qrels.nist.txt",
        sorted((folder / "runs").iterdir())[:2],
        preferences=folder / "preferences" / "pairs.txt.gz",
    )
    panel = panel_of(context_of(opened_collection(c), measures="AP"), "users", **QUICK)
    assert "11,681" in panel.sentence and (panel.facts[0].value, panel.facts[0].of) == (368, 586)
    bars = drawing_of(panel, "documents").figure.data
    assert [int(one.x[0]) for one in bars] == [368, 218, 8830, 2265]


def test_names_from_files_are_no_markup():
    said = pd.DataFrame({"topic": list("12345678"), "system": ["<b>a"] * 8, "satisfaction": range(8)})
    qrels, run = (
        ("q", b"".join(b"%d 0 d 1\n" % t for t in range(1, 9))),
        b"".join(b"%d Q0 d 1 9 x\n" % t for t in range(1, 9)),
    )
    c = irviz.load_collection(qrels, [("<b>a", run)], satisfaction=said)
    panel = panel_of(context_of(opened_collection(c), measures="AP"), "users", **QUICK)
    assert not panel.facts[0].is_defined  # all scores are 1
    for row in panel.drawings:
        for drawing in row.values():
            assert "<b>a" not in drawing.figure.to_json()


def test_answers_without_a_system_for_several_are_refused():
    said = pd.DataFrame({"topic": list("1234"), "satisfaction": [1, 2, 3, 4]})
    with pytest.raises(IrvizError, match="The answers name no system"):
        panel_of(context_of(opened_collection(small(satisfaction=said)), measures="AP"), "users", **QUICK)


def test_the_command_line_prints_the_same(capsys):
    words = ["users", "--collection", "tiangong", "--measures", "AP,ERR", "--trials", "50"]
    assert main(words) == 0
    frame = pd.read_csv(io.StringIO(capsys.readouterr().out))
    c = opened_once("tiangong")
    found = irviz.satisfaction(irviz.score(c, ["AP", "ERR"]), c.satisfaction, trials=50).frame()
    pd.testing.assert_frame_equal(frame, found)
    assert main([*words, "--part", "by-score"]) == 0 and len(capsys.readouterr().out.splitlines()) == 21
    assert main([*words, "--part", "preferences"]) == 2
    assert "No preferences of users is given" in capsys.readouterr().err
