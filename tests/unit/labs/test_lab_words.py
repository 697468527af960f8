"""What labs say at the ends of their controls: true, well formed, and different where the input is."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest

from irviz.collection.catalogue import open_collection
from irviz.collection.model import Collection
from irviz.labs.conventions.tools import both, mean_score
from irviz.links.view import settle
from irviz.menu import LABS, page
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Opened
from irviz.workspace.panel import Lab
from irviz.workspace.words import counted, extremes, ranked_alike
from tests.panels import lab

NAMES = [one.name for one in LABS]
PLURALS = "documents|pairs|steps|topics|systems|scores|classes|orders|users|thresholds|measures|points|grades"
ILL = re.compile(
    rf"\bnan\b|\binf\b|\bNone\b|undefined|[-−]0(?:\.0+)?(?![\d.])|  | ,|\.\.|\(\)|(?<![\d.,:])1 (?:{PLURALS})\b"
)


def claims(found: Lab) -> str:
    return " ".join(claim.text for claim in found.claims)


def context_of(collection: Collection, key: str = "mine", **texts: str) -> Context:
    opened = Opened(key, "Mine", collection)
    values, _ = settle(SIDEBAR_CONTROLS, texts, opened)
    return Context.of(opened, values)


def said(found: Lab) -> list[str]:
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


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["one system", "equal systems", "one topic", "without the lower quarter"])
def test_the_part_on_the_collection_is_well_formed_on_small_collections(name, kind):
    whole = open_collection("multiaspect")
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


def test_the_steps_are_counted_by_what_they_do():
    told = {p: claims(lab("lab_scales", p=p, depth="3")) for p in ("0.3", "0.5", "0.9")}
    assert "Of 7 steps up the total order, all raise it" in told["0.3"]
    assert "All 7 steps up the total order raise it by the same 0.125" in told["0.5"]
    assert "Of 7 steps up the total order, 6 raise it and 1 lowers it" in told["0.9"]
    assert "4 raise it and 1 leaves it where it was" in claims(lab("lab_scales", measure="gP", grades="3", depth="2"))


def test_one_step_and_one_pair():
    told = claims(lab("lab_scales", measure="own", own="P@1"))
    assert "There is one step up the total order" in told and "The only pair of runs can be compared" in told
    assert "The other one, 11 and 20," in claims(lab("lab_scales", measure="gP", grades="3", depth="2"))


# -- browsing models -------------------------------------------------------------------------------


def test_one_grade_more_names_all_ranks_where_it_counts_most():
    at = "one grade more counts most at"
    assert f"{at} ranks 1, 2 and 3, where" in claims(lab("lab_browsing", c="P", k="3", grades="0,0,0,0"))
    assert f"{at} rank 1, where" in claims(lab("lab_browsing", grades="0,0,0,0"))
    assert f"{at} rank 3, where the score rises by " in claims(lab("lab_browsing", p="0.05", grades="3,3,0"))


def test_a_better_document_may_only_lower_the_score():
    told = claims(lab("lab_browsing", c="AP", a="avg", grades="3,0,1"))
    assert "one grade more raises the score nowhere in this list; at rank 2 a better document even lowers it" in told


def test_few_users_are_not_nobody():
    assert "fewer than one user in 2,000 would read on" in claims(lab("lab_browsing", p="0.5", end="30"))
    assert "nobody would read on after rank 5" in claims(lab("lab_browsing", c="P"))


# -- graded AP -------------------------------------------------------------------------------------


def test_the_growing_list_when_users_agree():
    mixed, strict, easy = (claims(lab("lab_graded_ap", g1=g, g2=str(1 - float(g)))) for g in ("0.1", "0", "1"))
    assert "relevant for 10% of the users: GAP" in mixed
    assert "Grade 1 is enough for nobody" in strict
    assert "relevant for all users: GAP rises" in easy and "on its way to 1; xGAP" in easy


# -- several aspects -------------------------------------------------------------------------------


def test_documents_and_classes_that_leave_nothing_to_order():
    assert "There is one document" in claims(lab("lab_aspects", relevance="3", correctness="0"))
    flat = claims(lab("lab_aspects", r="0", c1="0", c2="0"))
    assert "All pairs of labels are in one class" in flat and "All make as many." in flat
    assert "By the Euclidean distance all are equally good: 0 from the best pair." in flat


def test_the_best_order_is_best_by_both():
    found = lab("lab_aspects", p="1", relevance="3,1", correctness="1,2")
    assert found.panel.sentence.startswith("The best order reaches 1 by CAM and by MM, d1 d2;")
    orders = found.panel.tables["Orders"].frame.set_index("order")
    assert orders.loc["d1 d2", ["CAM", "MM"]].tolist() == [1, 1]


# -- aggregation -----------------------------------------------------------------------------------


def test_shared_wins_are_not_one_systems_win():
    same = dict.fromkeys(("s1", "s2"), "0.9,0.5,0.5,0.5,0.5")
    assert "`S1` and `S2` share the win by the arithmetic mean" in claims(lab("lab_aggregation", **same))
    assert "`S1` wins by the arithmetic mean and has 57%" in claims(lab("lab_aggregation"))


def test_topics_that_do_not_tell_systems_apart_have_no_say():
    assert "so every topic has its say" in claims(lab("lab_aggregation"))
    rows = {"s1": "0.5,0.1,0.1,0.1,0.1", "s2": "0.5,0.2,0.3,0.4,0.5", "s3": "0.5,0.3,0.2,0.6,0.1", "s4": "0.5,0,0,0,0"}
    told = claims(lab("lab_aggregation", **rows))
    assert "t1 does not tell the systems apart, before or after." in told and "every topic has its say" not in told
    flat = dict.fromkeys(("s1", "s2", "s3", "s4"), "0.3,0.3,0.3,0.3,0.3")
    assert "standardising has nothing to spread" in claims(lab("lab_aggregation", **flat))


def test_a_score_at_the_limit_is_not_low():
    rows = dict.fromkeys(("s1", "s2", "s3", "s4"), "0.1,0.05,0.9,0.9,0.9")
    assert "20% are below 0.1" in claims(lab("lab_aggregation", **rows))


# -- conventions -----------------------------------------------------------------------------------


def test_a_toggle_that_says_what_the_tool_does_changes_nothing():
    plain, toggled = lab("lab_conventions"), lab("lab_conventions", base="retrieved")
    assert plain.panel.sentence == toggled.panel.sentence
    assert claims(plain) == claims(toggled)


def test_a_changed_tool_is_another_tool_or_none():
    assert "none of the tools here does that" in claims(lab("lab_conventions", second="trec_eval-c", rel="3"))
    other = claims(lab("lab_conventions", second="trec_eval-c", missing="skip"))
    assert "but for “Topics without an answer”; that is what trec_eval 9 does." in other


def test_an_empty_pool_scores_nothing():
    texts = {"list": "(u,u)", "missed": "", "kind": "AP@k", "first": "judged_only"}
    values, _ = settle(page("lab_conventions").controls, texts, None)
    assert [mean_score(values, side) for side in both(values)] == [0, 0]


def test_systems_left_out_in_the_sidebar_are_left_out_here():
    whole = open_collection("adhoc")
    some, every = context_of(whole, "adhoc", systems="best"), context_of(whole, "adhoc")
    assert 0 < len(some.systems) < len(every.systems)
    system = some.systems[-1]
    parts = [lab("lab_conventions", one, yours="1", system=system).yours for one in (some, every)]
    few, all_ = (part.tables["Topics"].frame for part in parts if part is not None)
    assert few.equals(all_)
    assert len(parts[0].drawing("ties").figure.data[0].y) == len(some.systems)  # type: ignore[union-attr]
