"""The pages of the analyses: their sentences and figures are the numbers of the analyses."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.errors import IrvizError
from irviz.figures.theme import labels
from irviz.measures import measure
from irviz.stats.aggregate import summarise
from irviz.stats.consistency import consistency, epsilon_sweep
from irviz.stats.incompleteness import REDUCTIONS, pool_reduction
from irviz.stats.scores import Scores, score
from irviz.stats.significance import discriminative_power
from irviz.stats.similarity import similarity
from irviz.workspace.averages import EPS_SWEPT
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Dataset
from irviz.workspace.permissible import permissibility
from irviz.workspace.view import settle
from tests.panels import Listener, context_of, drawing_of, facts_of, opened_once, panel_of

ANALYSES = ("cwla", "consistency", "discriminative", "incomplete", "aggregation")


@pytest.fixture(scope="module")
def adhoc() -> Dataset:
    return Dataset("adhoc", "Ad hoc", opened_once("adhoc"))


@pytest.fixture(scope="module")
def context(adhoc) -> Context:
    return context_of(adhoc)


@pytest.fixture(scope="module")
def cube(adhoc, context) -> Scores:
    return score(adhoc.collection, context.measures)


def imported(values: np.ndarray, *names: str) -> Dataset:
    _, topics, systems = values.shape
    cube = Scores(values, names, tuple(map(str, range(topics))), tuple(f"s{i}" for i in range(systems)))
    return Dataset("mine", "Mine", imported_scores=cube)


def test_consistency_shows_the_trials_of_the_analysis(context, cube):
    panel = panel_of(context, "consistency", trials="300", seed="7")
    found = consistency(cube, trials=300, seed=7)
    leader = found.measures[int(np.argmax(found.mean))]
    means = drawing_of(panel, "densities").figure.data[-1]
    assert means.x == pytest.approx(np.sort(found.mean)[::-1], abs=5e-5)
    first = facts_of(panel)["most consistent"]
    assert (first.names, first.value) == ((leader,), pytest.approx(found.mean.max()))
    assert facts_of(panel)["splits of the topics"].value == 300
    assert panel.tables["Measures"].frame["beats"].sum() == found.beats().sum()
    assert panel.tables["Trials"].frame.shape == (300, 6)


def test_consistency_of_one_split_claims_nothing(context):
    panel = panel_of(context, "consistency", split="hard_easy")
    assert "not separated from the first" not in facts_of(panel)
    assert [key for row in panel.drawings for key in row] == ["densities"]


def test_consistency_without_any_order():
    panel = panel_of(context_of(imported(np.full((2, 12, 8), 0.5), "A", "B")), "consistency")
    assert not facts_of(panel)["most consistent"].is_defined


@pytest.mark.parametrize("method", ["randomised_tukey", "paired_bootstrap", "anova_tukey", "kruskal_tukey"])
def test_discriminative_power_counts_what_the_test_separates(context, cube, method):
    panel = panel_of(context, "discriminative", method=method, trials="500", first="P@10", second="ERR@20")
    power = discriminative_power(cube, method, trials=500)
    best = power.frame().iloc[0]
    most = facts_of(panel)["most pairs separated"]
    assert (most.names[0], most.value, most.of) == (best.measure, best.significant, 780)
    curves = drawing_of(panel, "asl").figure
    frame = power.frame()
    told = {f"{label}: {n}" for label, n in zip(labels(frame.measure), frame.significant, strict=True)}
    assert told == {trace.name for trace in curves.data[:6]}
    assert told == {note.text for note in curves.layout.annotations if note.showarrow}
    p10, err = (power.separated[power.measures.index(name)] for name in ("P@10", "ERR@20"))
    _, *dots = drawing_of(panel, "matrix").figure.data
    assert [sum(trace.x) for trace in dots] == [2 * p10.sum(), 2 * err.sum()], "every pair is seen from both sides"
    assert sum(both for _, both in dots[0].customdata) == 2 * (p10 & err).sum()
    tested = power.results[power.measures.index("P@10")]
    _, bars, _ = drawing_of(panel, "groups").figure.data
    alike = [1 + len(tested.not_separated_from(tested.systems[i])) for i in tested.ranking]
    missed = sum(alike) - int(bars.x.sum())
    assert missed == 2 * len(tested.across), "a bar covers all that a system is not separated from, but pairs across"


def test_incomplete_draws_the_self_correlations(adhoc, context):
    panel = panel_of(context, "incomplete", repeats="3", method="uniform", seed="5")
    found = pool_reduction(adhoc.collection, context.measures, method="uniform", repeats=3, seed=5)
    curves = [trace for trace in drawing_of(panel, "pools").figure.data if trace.name]
    assert [trace.name for trace in curves] == labels(found.measures)
    assert np.array([trace.y for trace in curves]) == pytest.approx(found.tau, abs=5e-5)
    best = int(np.argmax(found.tau[:, -1]))
    facts = facts_of(panel)
    assert facts["keeps its ranking best"].names == (found.measures[best],)
    assert facts["keeps its ranking best"].value == pytest.approx(found.tau[best, -1])
    left = facts["judgments in the smallest pool, about"]
    assert (left.value, left.of) == (round(found.judged[-1].mean()), found.full)


def one_relevant_document(topics: int, others: int):
    """Twelve random lists of a collection with one relevant document and `others` that are not relevant by topic."""
    rng = np.random.default_rng(2)
    names = [f"d{i}" for i in range(1 + others)]
    qrels = pd.DataFrame([(str(t), d, int(d == "d0")) for t in range(topics) for d in names])
    runs = {f"s{i}": pd.DataFrame([(str(t), d, rng.random()) for t in range(topics) for d in names]) for i in range(12)}
    frames = {name: run.set_axis(["qid", "docno", "score"], axis=1) for name, run in runs.items()}
    return irviz.collection_from_frames(qrels.set_axis(["qid", "docno", "label"], axis=1), frames)


@pytest.mark.parametrize(("method", "others"), [("stratified", 0), ("stratified", 10), ("uniform", 0)])
def test_where_no_judgment_can_be_removed_the_page_claims_nothing_and_leads_on(method, others):
    """Once: "5% of the judgments (about 10,000 of 10,000) … τ 1.00"."""
    context = context_of(Dataset("one", "One relevant", one_relevant_document(30, others)), measures="RR,AP")
    panel = panel_of(context, "incomplete", method=method)
    assert not panel.drawings and {fact.label: fact.value for fact in panel.facts} == {
        "judgments": 30 * (1 + others),
        "topics": 30,
    }
    assert [view.page for _, view in panel.ways] == ["consistency"]


def test_shares_of_the_pool_are_those_that_were_kept():
    """Eleven of 21 judgments of every topic stay at 5%: one relevant document and ten others."""
    context = context_of(Dataset("few", "Few", one_relevant_document(12, 20)), measures="RR,AP")
    panel = panel_of(context, "incomplete", repeats="2")
    found = pool_reduction(context.collection, ["RR", "AP"], repeats=2)
    assert found.kept[-1] == pytest.approx(11 / 21) and found.rates[-1] == 0.05
    left = facts_of(panel)["judgments in the smallest pool, about"]
    assert (left.value, left.of) == (132, 252)
    curves = [trace for trace in drawing_of(panel, "pools").figure.data if trace.name]
    assert np.asarray(curves[0].x) == pytest.approx(found.kept, abs=1e-4)
    assert list(panel.tables["Measures"].frame.columns[1:])[-1] == "52%"


def test_pages_that_need_lists_refuse_imported_scores():
    context = context_of(imported(np.random.default_rng(0).random((2, 12, 8)), "A", "B"))
    for name in ("incomplete", "cwla"):
        with pytest.raises(IrvizError) as error:
            panel_of(context, name)
        assert str(error.value).startswith(
            "Only scores are loaded (Mine), and this page needs the rankings and judgments"
        )


def test_aggregation_ranks_by_every_summary(context, cube):
    panel = panel_of(context, "aggregation", measure="P@10", epsilon="0.1")
    table = panel.tables["Systems"].frame.set_index("system")
    for how, eps, column in (("mean", None, "arithmetic"), ("median", None, "median"), ("harmonic", 0.1, "harmonic")):
        expected = summarise(cube["P@10"], how, eps=eps)
        assert table[column].to_dict() == pytest.approx(expected.to_dict())
        assert table[f"rank, {column}"].to_dict() == expected.round(12).rank(ascending=False, method="min").to_dict()
    low = panel.tables["Low scores"].frame.set_index("measure")
    assert low.loc["P@10", "zero"] == (cube.matrix("P@10") == 0).mean()
    assert low.loc["P@10", "below 0.1"] == (cube.matrix("P@10") < 0.1).mean()


def test_the_sweep_of_every_measure_by_itself_is_that_of_all_together(context, cube):
    told: list[float] = []
    with Listener(lambda share, text: told.append(share)):
        found = panel_of(context, "aggregation", trials="37").tables["Sweep of ε"].frame
    expected = epsilon_sweep(cube, EPS_SWEPT, "geometric", 37, seed=0).frame()
    pd.testing.assert_frame_equal(found, expected)
    assert told[-1] == 1.0 and told[-40:] == sorted(told[-40:])


def test_the_leaderboard_of_aggregation_is_that_of_the_function(context, cube):
    panel = panel_of(context, "aggregation", measure="P@10", rule="wins", trials="50")
    board = irviz.leaderboard(cube.select(["P@10"]), "wins", trials=50)
    pd.testing.assert_frame_equal(panel.tables["Leaderboard"].frame.set_index("system"), board)
    dots = drawing_of(panel, "leaderboard").figure.data[0]
    assert list(dots.x) == board["rank"].tolist()
    assert (np.asarray(dots.x) + np.asarray(dots.error_x.array)).tolist() == board.high.tolist()
    unbounded = np.arange(24.0).reshape(1, 8, 3)
    panel = panel_of(context_of(imported(unbounded, "AP")), "aggregation", rule="bradley_terry")
    assert "Leaderboard" not in panel.tables and "No other system wins against s2" in panel.notes[-1]


def test_aggregation_of_scores_below_zero_leaves_out_what_is_undefined():
    values = np.random.default_rng(3).normal(size=(1, 12, 8))
    panel = panel_of(context_of(imported(values, "z")), "aggregation")
    assert list(panel.tables["Correlations"].frame["average"]) == ["arithmetic", "median", "standardised"]
    assert "Sweep of ε" not in panel.tables
    assert panel.notes[-1].startswith("Some scores are below zero")


def test_user_models_within_one_model_correlate_as_similarity_does(adhoc, context):
    panel = panel_of(context, "cwla", models="P,ERR", k="5", cutoff="20")
    assert [key for row in panel.drawings for key in row] == ["P@5", "ERR"]
    pair = ["CWLA(C=P@5,A=ERG)@20", "CWLA(C=P@5,A=max)@20"]
    tau = similarity(score(adhoc.collection, pair)).values[0, 1]
    square, numbers = drawing_of(panel, "P@5").figure.data
    assert list(square.x) == ["★ ERG", "ETG", "avg", "max", "fin"], "ERR is constant, and every pair has one cell"
    assert list(square.y) == ["ETG", "avg", "max", "fin", "PE"] and len(numbers.text) == 15
    assert square.z[2][0] == pytest.approx(tau, abs=1e-5) and np.isnan(square.z[0][2])
    told = {(y, x): text for y, x, text in zip(numbers.y, numbers.x, numbers.text, strict=True)}
    for (i, j), value in np.ndenumerate(square.z):
        assert np.isnan(value) or told[square.y[i], square.x[j]].startswith("<b>") == (value < 0.9 - 1e-5)
    assert drawing_of(panel, "ERR").figure.data[0].y[5] == "★ ERR"
    assert facts_of(panel)["constant combinations"].names == ("P@5 with ERR",)


@pytest.mark.parametrize("models", ["INST,P", "INST", "P", "ERR,AP"])
def test_user_models_say_under_which_user_the_aggregation_does_not_matter(adhoc, context, models):
    facts = facts_of(panel_of(context, "cwla", models=models))
    low = {}
    for model in models.split(","):
        kind = {"INST": "INST(T=2.25)", "P": "P@10"}.get(model, model)
        sums = [measure(f"CWLA(C={kind},A={one})@10") for one in ("ERG", "ETG", "avg", "max", "fin", "PE", "ERR")]
        low[kind] = similarity(score(adhoc.collection, [one for one in sums if not one.constant])).values.min()
    matters = facts["aggregation matters under"]
    assert set(matters.names) == {kind for kind, tau in low.items() if tau < 0.9}
    assert (matters.value, matters.of) == (len(matters.names), len(low))
    assert facts["matters least, lowest τ"].value == pytest.approx(max(low.values()))
    if len(low) > 1:
        worst = facts["matters most, lowest τ"]
        assert worst.names == (min(low, key=low.__getitem__),) and worst.value == pytest.approx(min(low.values()))


@pytest.mark.parametrize("show", ["mean", "consistency", "power"])
def test_user_models_as_a_grid_of_numbers(adhoc, context, show):
    panel = panel_of(context, "cwla", show=show, models="RBP,AP", trials="100")
    table = panel.tables["Combinations"].frame
    labels = list(table.loc[~table["constant"], "measure"])
    cube = score(adhoc.collection, labels)
    expected = {
        "mean": lambda: cube.values.mean(axis=(1, 2)),
        "consistency": lambda: consistency(cube, trials=100).mean,
        "power": lambda: np.array([one.ratio for one in discriminative_power(cube, trials=100).results]),
    }[show]()
    assert table.loc[~table["constant"]].iloc[:, -1].to_numpy() == pytest.approx(expected)
    assert table["constant"].sum() == 1 and table["canonical"].sum() == 2
    grid, *numbers = drawing_of(panel, "grid").figure.data
    places = {(x, y): text for trace in numbers for x, y, text in zip(trace.x, trace.y, trace.text, strict=True)}
    assert len(places) == 14 and places[grid.x[6], grid.y[0]] == "="
    assert places[grid.x[0], grid.y[0]].startswith("★<br>")


def test_progress_is_told_and_can_stop_the_work(adhoc):
    class Stopped(Exception):
        pass

    told: list[float] = []

    def listen(share: float, text: str) -> None:
        told.append(share)
        if len(told) == 2:
            raise Stopped

    values, _ = settle(SIDEBAR_CONTROLS, {}, adhoc)
    context = Context.from_values(adhoc, values)
    with Listener(listen), pytest.raises(Stopped):
        panel_of(context, "incomplete", repeats="20")
    assert all(0 <= share <= 1 for share in told)


def test_a_statistic_is_permissible_where_the_scale_allows_it(adhoc, context):
    given = permissibility(context, "the arithmetic mean", "interval", ["RBTO@10"])
    assert given.permissible == ["RBTO@10"]
    mixed = permissibility(context, "the arithmetic mean", "interval", ["RBTO@10", "P@10"])
    assert mixed.permissible == ["RBTO@10"]
    assert list(mixed.table().frame["permissible"]) == ["yes", "no"]


def test_imported_scores_have_no_known_scale():
    context = context_of(imported(np.random.default_rng(0).random((1, 12, 8)), "AP"))
    scales = panel_of(context, "consistency", trials="50").tables["Scales"].frame
    assert scales["permissible"].tolist() == ["not known"]


def test_pools_are_drawn_once_for_all_measures(adhoc, monkeypatch):
    panel_of(context_of(adhoc, measures="P@10"), "incomplete", seed="9")
    monkeypatch.setitem(REDUCTIONS, "stratified", ("nothing more to draw", None))
    later = panel_of(context_of(adhoc, measures="P@10,RBP(p=0.35)"), "incomplete", seed="9")
    monkeypatch.undo()
    alone = pool_reduction(adhoc.collection, "RBP(p=0.35)", repeats=5, seed=9)
    shown = later.tables["Measures"].frame.set_index("measure").loc["RBP(p=0.35)"]
    assert shown.to_numpy(dtype=float) == pytest.approx(alone.tau[0], abs=5e-5)
