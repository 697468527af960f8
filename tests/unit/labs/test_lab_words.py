"""What labs say at the ends of their controls: true, well formed, and different where the input is."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from irviz.collection.model import Collection
from irviz.errors import counted
from irviz.labs.browsing.model import made_measure, one_grade_more, walk
from irviz.labs.conventions.model import PRESETS
from irviz.labs.conventions.run import both, mean_score
from irviz.labs.graded_ap.model import growing_scores, limits
from irviz.measures.cwla import CWLA
from irviz.menu import LABS, page_named
from irviz.stats.topic_effects import standardise
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Opened
from irviz.workspace.phrases import extremes, ranked_alike
from irviz.workspace.view import settle
from tests.panels import LabShown, claim, drawing_of, lab, numbers_in, opened_once, readings_of

pytestmark = pytest.mark.usefixtures("unchecked")

NAMES = [one.name for one in LABS]
PLURALS = "documents|pairs|steps|topics|systems|scores|classes|orders|users|thresholds|measures|points|grades"
ILL = re.compile(
    rf"\bnan\b|\binf\b|\bNone\b|undefined|[-−]0(?:\.0+)?(?![\d.])|  | ,|\.\.|\(\)|(?<![\d.,:])1 (?:{PLURALS})\b"
)


def context_of(collection: Collection, key: str = "mine", **texts: str) -> Context:
    opened = Opened(key, "Mine", collection)
    values, _ = settle(SIDEBAR_CONTROLS, texts, opened)
    return Context.of(opened, values)


def said(found: LabShown) -> list[str]:
    parts = [found.panel] if found.yours is None else [found.panel, found.yours]
    drawings = [drawing for part in parts for row in part.drawings for drawing in row.values()]
    return [
        *(part.sentence for part in parts),
        *(claim.text for claim in found.claims),
        *found.panel.notes,
        *(text for drawing in drawings for text in (drawing.title, drawing.alt)),
    ]


def combined(**options: tuple[str, ...]) -> list[dict[str, str]]:
    return [dict(zip(options, values, strict=True)) for values in itertools.product(*options.values())]


MODELS = ("RBP", "P", "INST", "AP", "ERR", "RR")
KINDS = ("AP", "AP@k", "nDCG@k", "P@k")
ENDS = {
    "lab_scales": [
        *combined(measure=("RBP",), p=("0.05", "0.5", "0.95"), grades=("2", "4"), depth=("2", "8")),
        *combined(measure=("AP", "P", "F"), rel=("1", "3"), grades=("2", "4"), depth=("2",)),
        *combined(measure=("DCG", "ERR", "gP", "RBTO", "SBTO"), grades=("2", "3"), depth=("2",)),
        *combined(measure=("own",), own=("CWLA(C=P@10,A=ERR)", "RR", "TOMA(AP)", "Bpref")),
    ],
    "lab_browsing": [
        *combined(
            c=MODELS, a=("ERG", "avg", "max", "ERR"), grades=("0", "3,3,3", "3,0,1"), end=("1",), p=("0.05",), k=("1",)
        ),
        *combined(c=MODELS, grades=("0", "3,0,1"), end=("30",)),
    ],
    "lab_graded_ap": combined(
        c=("2", "3"), g1=("0", "1", "0.05"), g2=("0", "1"), grades=("0", "3", "0,0,1"), n=("1", "1000")
    ),
    "lab_aspects": [
        *combined(relevance=("0", "3,3"), correctness=("0", "2,2"), r=("0", "4"), c1=("0", "4"), c2=("0",)),
        *combined(distance=("manhattan", "chebyshev"), base=("nDCG", "AP"), p=("0", "1"), relevance=("0,0,3,1",)),
    ],
    "lab_aggregation": [
        {**dict.fromkeys(("s1", "s2", "s3", "s4"), row), "log": eps, "along": along}
        for row, eps, along in itertools.product(
            ("0,0,0,0,0", "1,1,1,1,1", "0,1,0,1,0"), ("-6", "2"), ("geometric", "harmonic")
        )
    ],
    "lab_conventions": [
        *combined(kind=KINDS, first=("trec_eval-c", "judged_only", "cwl_eval"), k=("1", "100"), missed=("", "3")),
        *combined(kind=KINDS, list=("0", "u", "(u,u,u)", "1,0,(u,2,0)"), missed=("", "3"), lost=("0", "3")),
    ],
}


@pytest.mark.parametrize("name", NAMES)
def test_every_sentence_is_well_formed_at_the_ends_of_the_controls(name):
    wrong = {}
    for texts in ENDS[name]:
        wrong |= {text: texts for text in said(lab(name, **texts)) if ILL.search(text) and "of 1 documents" not in text}
    assert wrong == {}


@pytest.mark.parametrize("name", ["lab_conventions"])
@pytest.mark.parametrize("kind", ["one system", "equal systems", "one topic", "without the lower quarter"])
def test_the_part_on_the_collection_is_well_formed_on_small_collections(name, kind):
    whole = opened_once("multiaspect")
    alike = replace(whole, ranking=np.repeat(whole.ranking[:, :1], len(whole.systems), axis=1))
    context = {
        "one system": lambda: context_of(whole.subset(systems=whole.systems[:1])),
        "equal systems": lambda: context_of(alike),
        "one topic": lambda: context_of(whole.subset(topics=whole.topics[:1])),
        "without the lower quarter": lambda: context_of(whole, "multiaspect", systems="best"),
    }[kind]()
    texts = said(lab(name, context, yours="1"))
    assert [text for text in texts if ILL.search(text)] == []


def test_numbers_of_things():
    assert [counted(n, "pair") for n in (0, 1, 2, 1200)] == ["0 pairs", "1 pair", "2 pairs", "1,200 pairs"]
    assert ranked_alike(0.5, 3) == "order the 3 systems with τ = 0.5"
    assert ranked_alike(float("nan"), 1) == "have one system to order, so there is no τ"
    assert ranked_alike(float("nan"), 4) == "have no τ: by one of them all 4 systems are equal"
    assert extremes([1.0, 2.0, 2.0]) == [1, 2]


# -- scales ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "counts"),
    [
        ({"p": "0.3", "depth": "3"}, [7]),
        ({"p": "0.5", "depth": "3"}, [7]),
        ({"p": "0.9", "depth": "3"}, [7, 6, 1]),
        ({"measure": "gP", "grades": "3", "depth": "2"}, [5, 4, 1]),
    ],
)
def test_the_steps_are_counted_by_what_they_do(texts, counts):
    """How many there are; how many rise and how many do not, where not all rise; the least and the greatest."""
    found = lab("lab_scales", **texts)
    step = found.panel.tables["Runs"].frame["step to the next"].to_numpy()[:-1]
    rising = int((step > 1e-12).sum())
    assert counts == ([len(step)] if rising == len(step) else [len(step), rising, len(step) - rising])
    ends = [step.min()] if np.ptp(step) < 1e-12 else [step.min(), step.max()]
    assert numbers_in(claim(found, "Theorem 1")) == pytest.approx([*counts, *ends], rel=0.005)


def test_one_step_and_one_pair():
    single = lab("lab_scales", measure="own", own="P@1")
    assert len(single.panel.tables["Runs"].frame) == 2
    assert numbers_in(claim(single, "Theorem 1")) == [1]
    assert numbers_in(claim(single, "Maistro 2015")) == [], "one pair is not counted"
    one_left = lab("lab_scales", measure="gP", grades="3", depth="2")
    assert numbers_in(claim(one_left, "Maistro 2015")) == [14, 15, 11, 20, 20], "the pair, and the better one"


# -- browsing models -------------------------------------------------------------------------------


def reader(**texts: str) -> tuple[CWLA, tuple[int, ...]]:
    values, _ = settle(page_named("lab_browsing").controls, texts, None)
    return made_measure(values), values["grades"]


def of_reader(which: int, **texts: str) -> list[float]:
    """The numbers of a claim behind the reader's name: the area, who would read on, one grade more."""
    return numbers_in(lab("lab_browsing", **texts).claims[which].text.partition(": ")[2])


@pytest.mark.parametrize(
    ("texts", "ranks"),
    [
        ({"c": "P", "k": "3", "grades": "0,0,0,0"}, [1, 2, 3]),
        ({"grades": "0,0,0,0"}, [1]),
        ({"p": "0.05", "grades": "3,3,0"}, [3]),
    ],
)
def test_one_grade_more_names_all_ranks_where_it_counts_most(texts, ranks):
    effect = one_grade_more(*reader(**texts))
    assert [i + 1 for i in np.flatnonzero(effect > effect.max() - 1e-12)] == ranks
    assert of_reader(2, **texts)[: len(ranks)] == ranks


def test_a_better_document_may_only_lower_the_score():
    texts = {"c": "AP", "a": "avg", "grades": "3,0,1"}
    effect = one_grade_more(*reader(**texts))
    assert effect.max() <= 1e-12 and effect.argmin() == 1
    assert of_reader(2, **texts) == pytest.approx([2, -effect[1]], abs=5e-4)


def test_few_users_are_not_nobody():
    few, nobody = walk(*reader(p="0.5", end="30")).beyond, walk(*reader(c="P")).beyond
    assert 1e-12 < few < 1 / 2000 and nobody == 0
    assert of_reader(1, p="0.5", end="30") == [2000, 30] and of_reader(1, c="P") == [5]


# -- graded AP -------------------------------------------------------------------------------------


@pytest.mark.parametrize("g1", [0.1, 1.0])
def test_the_growing_list_when_users_agree(g1):
    """The share of users, unless it is all of them; then every measure before, after, and in the end."""
    texts = {"g1": f"{g1:g}", "g2": f"{1 - g1:g}"}
    values, _ = settle(page_named("lab_graded_ap").controls, texts, None)
    g, n = (g1, 1 - g1), values["top"]
    now, more = (growing_scores(many, g, values["grades"]) for many in (n, n + 1))
    goal = limits(g, values["grades"])
    expected = [part[name] for name in ("GAP", "xGAP", "eGAP") for part in (now, more, goal)]
    told = numbers_in(claim(lab("lab_graded_ap", **texts), "sections 3, 4 and 5").partition(": ")[2])
    assert told == pytest.approx(expected, abs=5e-4)
    before = numbers_in(claim(lab("lab_graded_ap", **texts), "sections 3, 4 and 5").partition(": ")[0])
    assert before == ([1, g1] if g1 < 1 else [1])


def test_documents_that_nobody_wants_have_no_numbers():
    assert numbers_in(claim(lab("lab_graded_ap", g1="0", g2="1"), "sections 3, 4 and 5")) == [1, 1]


# -- several aspects -------------------------------------------------------------------------------


def test_documents_and_classes_that_leave_nothing_to_order():
    one = {"relevance": "3", "correctness": "0"}
    assert readings_of("lab_aspects", **one)["disputed pairs"] == 0
    assert numbers_in(claim(lab("lab_aspects", **one), "section 3.1")) == []
    none = {"r": "0", "c1": "0", "c2": "0"}
    flat = lab("lab_aspects", **none)
    assert readings_of("lab_aspects", **none)["classes"] == 1
    counts, fake = (one.text for one in flat.claims if "section 3.4" in one.source)
    assert numbers_in(counts) == [10, 1, 1, 1] and numbers_in(fake) == []
    assert numbers_in(claim(flat, "eq. (2) and (3)")) == [0], "as far from the best pair as any"


def test_the_best_order_is_best_by_both():
    found = lab("lab_aspects", p="1", relevance="3,1", correctness="1,2")
    orders = found.panel.tables["Orders"].frame.set_index("order")
    assert orders.loc["d1 d2", ["CAM", "MM"]].tolist() == [1, 1]
    assert "d1 d2" in found.panel.sentence and numbers_in(found.panel.sentence)[0] == 1


# -- aggregation -----------------------------------------------------------------------------------


def test_shared_wins_are_not_one_systems_win():
    """Of a system that wins alone the claim says how much of its total is from one topic."""
    same = dict.fromkeys(("s1", "s2"), "0.9,0.5,0.5,0.5,0.5")
    assert readings_of("lab_aggregation", **same)["winner by AM"] == "S1 and S2"
    assert numbers_in(claim(lab("lab_aggregation", **same), "section 2 and Table 1")) == []
    assert readings_of("lab_aggregation")["winner by AM"] == "S1"
    alone = numbers_in(claim(lab("lab_aggregation"), "section 2 and Table 1"))
    assert alone == [pytest.approx(0.8 / 1.4, abs=0.005)]


def spreads(**rows: str) -> list[float]:
    """Standard deviations of the topics that the claim has: the largest and the least; the same standardised."""
    return numbers_in(claim(lab("lab_aggregation", **rows), "Webber, Moffat & Zobel 2008"))


def test_topics_that_do_not_tell_systems_apart_have_no_say():
    rows = {"s1": "0.5,0.1,0.1,0.1,0.1", "s2": "0.5,0.2,0.3,0.4,0.5", "s3": "0.5,0.3,0.2,0.6,0.1", "s4": "0.5,0,0,0,0"}
    scores = pd.DataFrame({name: [float(x) for x in row.split(",")] for name, row in rows.items()})
    raw, standard = (frame.to_numpy().std(axis=1, ddof=1) for frame in (scores, standardise(scores)))
    assert raw[0] == 0 and standard[0] == 0
    told = [raw[1:].max(), raw[1:].min(), standard[1:].min(), standard[1:].max()]
    assert spreads(**rows) == pytest.approx(told, abs=5e-4)
    assert len(spreads()) == 4
    assert spreads(**dict.fromkeys(("s1", "s2", "s3", "s4"), "0.3,0.3,0.3,0.3,0.3")) == []


def test_a_score_at_the_limit_is_not_low():
    rows = dict.fromkeys(("s1", "s2", "s3", "s4"), "0.1,0.05,0.9,0.9,0.9")
    assert readings_of("lab_aggregation", **rows)["share of low scores"] == 0.2
    assert numbers_in(claim(lab("lab_aggregation", **rows), "section 5.2"))[:5] == [0, 20, 0, 0.2, 0.1]


# -- conventions -----------------------------------------------------------------------------------


def test_a_toggle_that_says_what_the_tool_does_changes_nothing():
    plain, toggled = lab("lab_conventions"), lab("lab_conventions", base="retrieved")
    assert plain.panel.sentence == toggled.panel.sentence
    assert plain.claims == toggled.claims


def test_a_changed_tool_is_another_tool_or_none():
    """The claim names the tools that do the same, where one does."""
    for texts, tools in (({"rel": "3"}, []), ({"missing": "skip"}, ["trec_eval"])):
        values, _ = settle(page_named("lab_conventions").controls, {"second": "trec_eval-c", **texts}, None)
        second = both(values)[1]
        assert [key for key, one in PRESETS.items() if not second.differing(one.conventions, "AP")][:1] == tools
        told = lab("lab_conventions", second="trec_eval-c", **texts).claims[-1].text.partition("; ")[2]
        assert [key for key, one in PRESETS.items() if f" {one.words} " in told] == tools


def test_an_empty_pool_scores_nothing():
    texts = {"list": "(u,u)", "missed": "", "kind": "AP@k", "first": "judged_only"}
    values, _ = settle(page_named("lab_conventions").controls, texts, None)
    assert [mean_score(values, side) for side in both(values)] == [0, 0]


def test_systems_left_out_in_the_sidebar_are_left_out_here():
    whole = opened_once("adhoc")
    some, every = context_of(whole, "adhoc", systems="best"), context_of(whole, "adhoc")
    assert 0 < len(some.systems) < len(every.systems)
    system = some.systems[-1]
    parts = [lab("lab_conventions", one, yours="1", system=system).yours for one in (some, every)]
    few, all_ = (part.tables["Topics"].frame for part in parts if part is not None)
    assert few.equals(all_)
    assert len(drawing_of(parts[0], "ties").figure.data[0].y) == len(some.systems)  # type: ignore[union-attr]
