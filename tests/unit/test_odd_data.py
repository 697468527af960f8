"""Every page on odd data: nothing fails, every number is finite or undefined, and facts are what the tables say.

A page is a test of its own; what it shows on one collection is drawn once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from irviz.errors import IrvizError
from irviz.measures.labels import measure_labels
from irviz.menu import LABS, PAGES, page_named
from irviz.stats.scores import Scores
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Dataset
from irviz.workspace.panel import Panel
from irviz.workspace.view import settle
from tests.degenerate import COLLECTIONS, MATRICES
from tests.panels import check_headings, facts_of

ALL = (*COLLECTIONS, *MATRICES)
EXPLORE = [one.name for one in PAGES if not one.lab]
FOR_LABS = ("one of each", "two alike", "nothing relevant", "two aspects", "matrices")
FOR_ROWS = ("two systems", "one topic", "nothing judged", "two aspects", "one column")
FEW = {"trials": "10", "repeats": "1", "step": "free", "asked": "1"}

NONE = re.compile(r"\bnan\b|\binf\b|\bNone\b(?! of)|(?<!=)\b(?:True|False)\b")  #: a number that is none, in words


@pytest.fixture(scope="module", autouse=True)
def few_draws() -> Iterator[None]:
    """On the page of findings, which has no control for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("irviz.gallery.page.TRIALS", 5)
        patch.setattr("irviz.gallery.page.REPEATS", 1)
        patch.setattr("irviz.gallery.findings.RESAMPLES", 3)
        yield


@cache
def context_on(name: str) -> Context:
    data = (COLLECTIONS | MATRICES)[name]()
    title = name.capitalize()
    opened = Dataset(name, title, imported_scores=data) if isinstance(data, Scores) else Dataset(name, title, data)
    return Context.from_values(opened, settle(SIDEBAR_CONTROLS, {}, opened)[0])


@cache
def shown(one: str, name: str) -> Panel | str:
    """The texts of a page on a collection, or why it refuses."""
    context, here = context_on(name), page_named(one)
    values, _ = settle(here.controls, FEW, context)
    try:
        return here.panel(context, values)
    except IrvizError as refusal:
        return str(refusal)


def said(drawn: Panel | str) -> Iterator[str]:
    """Everything that a page says in sentences."""
    if isinstance(drawn, str):
        yield drawn
        return
    yield from (drawn.sentence, *drawn.notes)
    yield from (text for row in drawn.drawings for drawing in row.values() for text in (drawing.title, drawing.alt))
    yield from (table.about for table in drawn.tables.values())


def check_panel(drawn: Panel | str, where: str) -> None:
    """A headline, numbers that are known or undefined with a reason, and a heading for every column."""
    for text in said(drawn):
        assert not NONE.search(text), f"{where}: {text!r}"
    assert next(said(drawn)), where
    if not isinstance(drawn, str):
        check_headings(drawn, where)
        for fact in drawn.facts:
            assert fact.is_defined or fact.why, f"{where}: {fact}"
            assert not NONE.search(fact.text), f"{where}: {fact}"


@pytest.mark.parametrize("one", EXPLORE)
def test_pages_speak_of_every_collection(one):
    for name in ALL:
        check_panel(shown(one, name), f"{one} on {name}")
    assert isinstance(shown(one, "two systems"), Panel), "two are enough for every page"


@pytest.mark.parametrize("one", [one.name for one in LABS])
def test_labs_speak_of_every_collection(one):
    for name in FOR_LABS:
        check_panel(shown(one, name), f"{one} on {name}")


@pytest.mark.parametrize("name", FOR_ROWS)
def test_the_rows_of_findings_speak_of_every_collection(name):
    for heading, row in shown("findings", name).folds.items():
        try:
            part: Panel | str = row()
        except IrvizError as refusal:
            part = str(refusal)
        check_panel(part, f"{heading} on {name}")


# -- facts against the tables ------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(COLLECTIONS))
def test_findings_have_numbers_or_a_reason(name):
    panel = shown("findings", name)
    assert isinstance(panel, Panel)
    table = panel.tables["All findings on these data"].frame
    assert table["numbers"].all() and not table["numbers"].str.contains(r"\bnan\b").any()
    assert (table["effect"].isna() | (table["seen"] != "cannot be asked")).all()


@pytest.mark.parametrize("name", ALL)
def test_scores_name_who_is_first(name):
    panel = shown("scores", name)
    assert isinstance(panel, Panel)
    table = panel.tables["Systems"].frame
    mean = table["mean AP"].to_numpy()
    first = table.loc[mean >= mean.max() - 1e-12, "system"].tolist()
    assert table.loc[table["rank"] == 1, "system"].tolist() == first
    fact = facts_of(panel)["highest"]
    assert (fact.value, list(fact.names)) == (mean[0], first)


@pytest.mark.parametrize("name", ["two systems", "one grade", "two aspects", "129 systems", "matrices"])
def test_similarity_names_the_extremes(name):
    panel = shown("similarity", name)
    assert isinstance(panel, Panel)
    facts = {fact.label: fact for fact in panel.facts}
    frame = panel.tables["Overall"].frame.dropna(subset=["Kendall's τ"])
    tau = frame["Kendall's τ"]
    measures = list(dict.fromkeys([*frame["reference"], *frame["measure"]]))
    words = dict(zip(measures, measure_labels(measures), strict=True))
    pairs = frame["reference"].map(words) + " – " + frame["measure"].map(words)
    for label, end in (("most alike", tau.max()), ("least alike", tau.min())):
        if label in facts:
            assert facts[label].value == pytest.approx(end)
            assert set(facts[label].names) == set(pairs[abs(tau - end) < 1e-9])
    assert ("least alike" in facts) == (np.ptp(tau) > 1e-9)


def levels(**systems: str) -> Scores:
    """Scores on eight topics, by measure one digit per system: means are equal where digits are, or far apart."""
    means = np.array([[int(digit) / 10 for digit in digits] for digits in systems.values()])
    spread = np.stack([np.roll(np.arange(8), i) for i in range(means.shape[1])], axis=1) / 100
    names = tuple(f"s{i + 1}" for i in range(means.shape[1]))
    return Scores(means[:, None, :] + spread, tuple(systems), tuple("12345678"), names)


SEPARATED = [
    (levels(AP="33", RR="55"), {"most pairs separated": (0, ("AP", "RR"))}),
    (levels(AP="34", RR="55"), {"most pairs separated": (1, ("AP",)), "fewest": (0, ("RR",))}),
    (levels(AP="334", RR="755"), {"most pairs separated": (2, ("AP", "RR"))}),
    (
        levels(AP="3456", RR="6543", bpref="3334", ERR="3335"),
        {"most pairs separated": (6, ("AP", "RR")), "fewest": (3, ("bpref", "ERR"))},
    ),
]


@pytest.mark.parametrize(("scores", "expected"), SEPARATED)
def test_discriminative_power_counts_the_pairs_that_differ(scores, expected):
    opened, here = Dataset("levels", "Levels", imported_scores=scores), page_named("discriminative")
    context = Context.from_values(opened, settle(SIDEBAR_CONTROLS, {}, opened)[0])
    panel = here.panel(context, settle(here.controls, {"method": "anova_tukey"}, context)[0])
    counted = {fact.label: (fact.value, fact.names) for fact in panel.facts if fact.of}
    assert {label: counted[label] for label in counted if "first" not in label} == expected
    measures, pairs = (panel.tables[name].frame for name in ("Measures", "Pairs"))
    assert measures.set_index("measure")["significant"].to_dict() == (pairs.iloc[:, 2:] < 0.05).sum().to_dict()


@pytest.mark.parametrize("name", ["two systems", "one grade", "two aspects", "129 systems", "matrices"])
def test_consistency_names_all_who_lead(name):
    panel = shown("consistency", name)
    assert isinstance(panel, Panel)
    table = panel.tables["Measures"].frame.dropna(subset="mean")
    lead = table.loc[table["mean"] >= table["mean"].max() - 1e-9, "measure"].tolist()
    first = panel.facts[0]
    assert first.value == pytest.approx(table["mean"].max()) and set(first.names) == set(lead)


@pytest.mark.parametrize("name", list(COLLECTIONS))
def test_the_collection_is_counted(name):
    panel = shown("collection", name)
    assert isinstance(panel, Panel)
    context = context_on(name)
    topics = panel.tables["Topics"].frame
    relevant = topics.filter(like="grade").sum().sum() if any("grade" in c for c in topics) else 0
    judged = topics.drop(columns="topic").sum().sum()
    facts = {fact.label: (fact.value, fact.of) for fact in panel.facts}
    assert (facts["systems"][0], facts["topics"][0]) == (len(context.systems), len(context.topics))
    assert facts["relevant of judged"] == (relevant, judged)


@pytest.mark.parametrize("name", ["two systems", "one topic", "all ties", "one grade", "129 systems", "equal scores"])
def test_aggregation_names_who_is_first_by_the_arithmetic_mean(name):
    panel = shown("aggregation", name)
    assert isinstance(panel, Panel)
    table = panel.tables["Systems"].frame
    first = table.loc[table["rank, arithmetic"] == 1, "system"].tolist()
    (fact,) = (fact for fact in panel.facts if fact.label.startswith("first by arithmetic"))
    assert {fact.value, *fact.names} == set(first)
