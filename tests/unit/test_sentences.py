"""Every page on collections at the edge: each sentence is grammatical, and is what the numbers say.

A page is a test of its own; what it shows on one collection is drawn once.  Numbers are
checked against the tables beside the sentence, which other tests hold to the analyses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from irviz.errors import IrvizError
from irviz.gallery import PAPERS
from irviz.menu import LABS, PAGES, page_named
from irviz.stats.scores import Scores
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Dataset
from irviz.workspace.panel import Panel
from irviz.workspace.view import settle
from tests.degenerate import COLLECTIONS, MATRICES
from tests.panels import check_headings

ALL = (*COLLECTIONS, *MATRICES)
EXPLORE = [one.name for one in PAGES if not one.lab and one.name != "gallery"]
FOR_LABS = ("one of each", "two alike", "nothing relevant", "two aspects", "matrices")
FOR_GALLERY = ("two systems", "one topic", "nothing judged", "two aspects", "one column")
FEW = {"trials": "10", "repeats": "1", "yours": "1", "step": "free"}

THINGS = "system|topic|pair|measure|document|trial|run|split|run|grade|interval|average|repeat|case|score|model"
ILL = {
    "a number that is none": r"\bnan\b|\binf\b|\bNone\b(?! of)|(?<!=)\b(?:True|False)\b|[-−]0(?:\.0+)?(?![\d.,%])",
    "one of several": rf"(?<![\d.,:@=–(/])1 (?:other |judged )?(?:{THINGS})s\b",
    "several of one": rf"(?<![\d.,:@=(/])(?:0|[2-9]|\d\d+) (?:other |judged )?(?:{THINGS})\b(?!-)",
    "the same end twice": r"(?<![\d.−-])(\d[\d.]*%?) to \1(?![\d.,]*\d)",
    "most and least alike": r"most \(([^)]*)\).{0,80}least \(\1\)",
    "most and least the same": r"most (?:for|under) (`[^`]+`).{0,60}least (?:for|under) \1(?![\w`,])",
    "a capital within": r", (?:No|The|All|Each|One|Every|It|They|This|By|With|Of) ",
    "a percent sign apart from its number": r"\d\s%",
    "a pronoun without a noun": r"For those",
    "a name in lower case": r"\btREC|\bcLEF",
    "spaces and signs": r"  | ,| \.(?!\d)|\.\.(?!\.)|\(\)|,,|;\.|:\.",
}
LOWER = ("trec_eval", "cwl_eval", "τ", "nDCG", "p-values", "xGAP", "eGAP", "eGM", "gP", "ε")


@pytest.fixture(scope="module", autouse=True)
def few_draws() -> Iterator[None]:
    """On the page of findings, which has no control for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("irviz.gallery.findings_page.TRIALS", 5)
        patch.setattr("irviz.gallery.findings_page.REPEATS", 1)
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


def check_grammar(drawn: Panel | str, where: str) -> None:
    for text in said(drawn):
        for what, pattern in ILL.items():
            found = re.search(pattern, text)
            assert not found, f"{where}: {what}: {found and found.group()!r} in {text!r}"
        start = text.lstrip("`")
        assert text and (not start[0].islower() or text[0] == "`" or start.startswith(LOWER)), f"{where}: {text!r}"
    if not isinstance(drawn, str):
        check_headings(drawn, where)
        assert not re.search(ILL["a number that is none"], " ".join(fact.text for fact in drawn.facts))
    first = next(said(drawn))
    assert first.endswith("."), f"{where}: {first!r}"


@pytest.mark.parametrize("one", EXPLORE)
def test_pages_speak_of_every_collection(one):
    for name in ALL:
        check_grammar(shown(one, name), f"{one} on {name}")


@pytest.mark.parametrize("one", [one.name for one in LABS])
def test_labs_speak_of_every_collection(one):
    for name in FOR_LABS:
        check_grammar(shown(one, name), f"{one} on {name}")


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.key)
def test_the_gallery_speaks_of_every_collection(paper):
    here = page_named("gallery")
    for name in FOR_GALLERY:
        context = context_on(name)
        for item in paper.items:
            values, _ = settle(here.controls, {**FEW, "paper": paper.key, paper.key: item.key}, context)
            check_grammar(here.panel(context, values), f"{paper.key} {item.key} on {name}")


def test_scores_with_holes_are_refused_in_a_sentence():
    values = np.full((1, 3, 3), 0.5)
    values[0, 1, 2] = np.nan
    scores = Scores(np.concatenate([values, values]), ("AP", "RR"), tuple("123"), tuple("abc"))
    opened = Dataset("holes", "Holes", imported_scores=scores)
    context = Context.from_values(opened, settle(SIDEBAR_CONTROLS, {}, opened)[0])
    for one in ("scores", "similarity", "consistency", "discriminative", "aggregation"):
        here = page_named(one)
        with pytest.raises(IrvizError, match="score of system c on topic 2"):
            here.panel(context, settle(here.controls, FEW, context)[0])


# -- sentences against the numbers -----------------------------------------------------------------


@pytest.mark.parametrize("name", list(COLLECTIONS))
def test_findings_have_numbers_or_a_reason(name):
    panel = shown("findings", name)
    assert isinstance(panel, Panel)
    table = panel.tables["All findings on these data"].frame
    assert table["numbers"].all() and not table["numbers"].str.contains(r"\bnan\b").any()
    assert (table["effect"].isna() | (table["seen"] != "cannot be asked")).all()


def spans(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


@pytest.mark.parametrize("name", ALL)
def test_scores_name_who_is_first(name):
    panel = shown("scores", name)
    assert isinstance(panel, Panel)
    table = panel.tables["Systems"].frame
    mean = table["mean AP"].to_numpy()
    first = table.loc[mean >= mean.max() - 1e-12, "system"].tolist()
    assert table.loc[table["rank"] == 1, "system"].tolist() == first
    assert f"{mean[0]:.3f}" in panel.sentence
    if 1 < len(first) == len(table):
        assert f"{'both' if len(first) == 2 else f'all {len(first)}'} systems tie" in panel.sentence
    elif len(first) > 1:
        assert f"{len(first)} of {len(table)} systems share first place" in panel.sentence
    else:
        assert first[0] in spans(panel.sentence)


@pytest.mark.parametrize("name", ["two systems", "one grade", "two aspects", "129 systems", "matrices"])
def test_similarity_names_the_extremes(name):
    panel = shown("similarity", name)
    assert isinstance(panel, Panel)
    facts = {fact.label: fact for fact in panel.facts}
    frame = panel.tables["Overall"].frame.dropna(subset=["Kendall's τ"])
    tau = frame["Kendall's τ"]
    pairs = frame["reference"] + " – " + frame["measure"]
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
    (levels(AP="33", RR="55"), "no measure separates the two systems."),
    (levels(AP="34", RR="55"), "`AP` separates the two systems; 1 of 2 measures does not."),
    (levels(AP="34", RR="75"), "`AP` and `RR` separate the two systems."),
    (levels(AP="333", RR="555"), "no measure separates any of the 3 pairs of systems."),
    (levels(AP="334"), "`AP` separates 2 of 3, 66.7%."),
    (
        levels(AP="334", RR="755"),
        "all 2 measures separate the same number of pairs of systems (2 of 3, 66.7%).",
    ),
    (
        levels(AP="3344", RR="3334", bpref="3456", ERR="6655"),
        "`bpref` separates the most pairs of systems (6 of 6, 100.0%), `RR` the fewest (3 of 6, 50.0%).",
    ),
    (
        levels(AP="3456", RR="6543", bpref="3334", ERR="3335"),
        "`AP` and `RR` separate the most pairs of systems (6 of 6, 100.0%), "
        "`bpref` and `ERR` the fewest (3 of 6, 50.0%).",
    ),
]


@pytest.mark.parametrize(("scores", "told"), SEPARATED, ids=[told[:30] for _, told in SEPARATED])
def test_discriminative_power_counts_the_pairs_that_differ(scores, told):
    opened, here = Dataset("levels", "Levels", imported_scores=scores), page_named("discriminative")
    context = Context.from_values(opened, settle(SIDEBAR_CONTROLS, {}, opened)[0])
    panel = here.panel(context, settle(here.controls, {"method": "anova_tukey"}, context)[0])
    assert panel.sentence == f"By two-way ANOVA with Tukey HSD at α = 0.05, {told}"
    measures, pairs = (panel.tables[name].frame for name in ("Measures", "Pairs"))
    assert measures.set_index("measure")["significant"].to_dict() == (pairs.iloc[:, 2:] < 0.05).sum().to_dict()
    check_grammar(panel, told)


@pytest.mark.parametrize("name", ["two systems", "one grade", "two aspects", "129 systems", "matrices"])
def test_consistency_names_all_who_lead(name):
    panel = shown("consistency", name)
    assert isinstance(panel, Panel)
    table = panel.tables["Measures"].frame.dropna(subset="mean")
    lead = table.loc[table["mean"] >= table["mean"].max() - 1e-9, "measure"].tolist()
    assert f"{table['mean'].max():.3f}".replace("-", "−") in panel.sentence.replace("-", "−")
    assert set(lead[:4]) <= set(spans(panel.sentence)) or len(lead) == len(table)


@pytest.mark.parametrize("name", list(COLLECTIONS))
def test_the_collection_is_counted(name):
    panel = shown("collection", name)
    assert isinstance(panel, Panel)
    context = context_on(name)
    topics = panel.tables["Topics"].frame
    relevant = topics.filter(like="grade").sum().sum() if any("grade" in c for c in topics) else 0
    judged = topics.drop(columns="topic").sum().sum()
    assert f"{len(context.systems)} system" in panel.sentence and f"{len(context.topics)} topic" in panel.sentence
    assert ("None of the" in panel.sentence) == (relevant == 0 < judged)
    if relevant:
        assert f"{100 * relevant / judged:.0f}% are relevant" in panel.sentence


@pytest.mark.parametrize("name", ["two systems", "one topic", "all ties", "one grade", "129 systems", "equal scores"])
def test_aggregation_names_who_is_first_by_the_arithmetic_mean(name):
    panel = shown("aggregation", name)
    assert isinstance(panel, Panel)
    table = panel.tables["Systems"].frame
    first = table.loc[table["rank, arithmetic"] == 1, "system"].tolist()
    if len(first) == len(table):
        assert panel.sentence == "By `AP`, all systems tie however the topics are averaged."
    else:
        assert set(first[:4]) <= set(spans(panel.sentence))
