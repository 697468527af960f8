"""TOMA: the paper's tables of orders and anomalies, classes and weights, and what is refused."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

import irviz
from irviz.collection.codes import ABSENT, BEYOND, NEGATIVE, UNJUDGED
from irviz.collection.model import Collection
from irviz.measures.judged_lists import ExactTopic, Topics
from irviz.measures.toma import Space, class_numbers, class_weights, equivalence_classes
from irviz.stats.scales import scale_type
from tests.refusals import refused

EMBEDDINGS = {"0 1.5 3": [0, 1.5, 3], "0 1 2": [0, 1, 2], "0 2 6": [0, 2, 6]}  # of correctness, in Table 1
COLUMNS = {"EUCL": "euclidean", "MANH": "manhattan", "CHEB": "chebyshev"}  # of Table 3
DOCUMENTS = {"d1": (1, 2), "d2": (3, 1), "d3": (3, 0)}
RANKINGS = [" ".join(names) for k in (3, 2, 1) for names in permutations(DOCUMENTS, k)]


def collection(rows: list[list[int]], labels: list, counts: tuple[int, ...]) -> Collection:
    """One topic: lists of document indices, the labels of the documents, how many levels there are."""
    depth = max(map(len, rows))
    ranking = np.full((1, len(rows), depth), BEYOND, dtype=np.int32)
    for s, row in enumerate(rows):
        ranking[0, s, : len(row)] = row
    grades = tuple(tuple(map(float, range(count))) for count in counts)
    aspects = ("relevance", "correctness", "usefulness")[: len(counts)]
    systems = tuple(f"s{i}" for i in range(len(rows)))
    return Collection("test", ("1",), systems, aspects, grades, ranking, np.array([labels], dtype=np.int16))


def order(correctness: list[float], distance: str) -> list[set[tuple[float, float]]]:
    """Table 1's order of embedded points, best class first."""
    table = equivalence_classes([4, 3], distance, [[0, 1, 2, 3], correctness], "dependent")
    classes = defaultdict(set)
    for number, *point in table[["class", "embedded aspect1", "embedded aspect2"]].itertuples(index=False):
        classes[number].add(tuple(point))
    return [classes[number] for number in sorted(classes, reverse=True)]


def test_all_nine_orders_of_table_1(tables: Path):
    printed = defaultdict(list)
    with (tables / "toma_order.csv").open() as file:
        rows = list(csv.DictReader(file))
    tied = False
    for row in rows:
        classes = printed[row["correctness_embedding"], row["distance"].lower()]
        point = float(row["relevance_label_value"]), float(row["correctness_label_value"])
        if tied and classes:
            classes[-1].add(point)
        else:
            classes.append({point})
        tied = row["tied_with_next"] == "true"
    assert len(printed) == 9
    for (embedding, distance), classes in printed.items():
        assert order(EMBEDDINGS[embedding], distance) == classes


@pytest.fixture(scope="module")
def anomaly() -> Collection:
    """Every ranking of the paper's three documents."""
    rows = [[int(name[1]) - 1 for name in ranking.split()] for ranking in RANKINGS]
    return collection(rows, list(DOCUMENTS.values()), (4, 3))


@pytest.mark.parametrize("column", COLUMNS)
def test_every_cell_of_table_3(anomaly: Collection, tables: Path, column: str):
    setting = f"distance='{COLUMNS[column]}',embedding=[[0,1,2,3],[0,1.5,3]],classes='dependent'"
    scores = irviz.score(anomaly, [f"TOMA(AP,{setting})", f"TOMA(nDCG,{setting})"])
    with (tables / "toma_anomaly.csv").open() as file:
        rows = list(csv.DictReader(file))
    found = [scores.values[("AP", "NDCG").index(row["base"]), 0, RANKINGS.index(row["ranking"])] for row in rows]
    assert found == pytest.approx([float(row[column]) for row in rows], abs=5.1e-5)
    assert len(found) == 30


def test_a_table_of_classes():
    table = equivalence_classes({"relevance": [0, 1, 4], "trust": [0, 2]}, "manhattan", weights=[0, 1, 1, 5])
    assert table.index.names == ["relevance", "trust"]
    assert table.index.tolist() == [(4, 2), (4, 0), (1, 2), (1, 0), (0, 2), (0, 0)]
    assert table["embedded relevance"].tolist() == [2, 2, 1, 1, 0, 0]
    assert table["distance"].tolist() == [0, 1, 1, 2, 2, 3]
    assert table["class"].tolist() == [3, 2, 2, 1, 1, 0]
    assert table["weight"].tolist() == [5, 1, 1, 1, 1, 0]
    assert "documents" not in table


def test_a_table_of_a_collection_counts_documents():
    c = collection([[0]], [(0, 1), (0, 0), (1, ABSENT), (ABSENT, ABSENT), (NEGATIVE, ABSENT)], (2, 2))
    whole = equivalence_classes(c)
    assert dict(zip(whole.index, whole["documents"], strict=True)) == {(1, 1): 0, (1, 0): 1, (0, 1): 1, (0, 0): 2}
    assert whole["distance"].tolist() == [0, 1, 1, pytest.approx(sqrt(2))]
    dependent = equivalence_classes(c, classes="dependent")
    assert dict(zip(dependent.index, dependent["documents"], strict=True)) == {(1, 1): 0, (1, 0): 1, (0, 0): 3}
    observed = equivalence_classes(c, classes="observed")
    assert observed.index.tolist() == [(1, 0), (0, 1), (0, 0)]
    assert observed["class"].tolist() == [1, 1, 0]


@pytest.mark.parametrize("distance", ["euclidean", "manhattan", "chebyshev"])
@pytest.mark.parametrize("classes", ["product", "dependent"])
def test_classes_found_step_by_step_are_those_of_the_tuples(distance: str, classes: str):
    space = Space((4, 3, 5), distance, ((0, 1, 2, 4), (0, 0, 3.5), (0, 0.1, 0.2, 0.3, 0.4)), classes)
    tuples = space.tuples(np.stack(np.meshgrid(range(4), range(3), range(5), indexing="ij"), -1).reshape(-1, 3))
    assert space.distinct().tolist() == np.unique(space.distances(tuples)).tolist()


def test_equal_distances_are_found_equal_whatever_doubles_say():
    """0.1 + 0.2 is not 0.3 in doubles, nor is (0.1 + 0.2)² − 0.3² = 0."""
    tenths = ((0, 0.1, 0.2, 0.3), (0, 0.1, 0.2, 0.3))
    assert len(Space((4, 4), "manhattan", tenths).distinct()) == 7
    assert len(Space((4, 4), "euclidean", tenths).distinct()) == len(
        {a * a + b * b for a in range(4) for b in range(4)}
    )
    root = ((0, sqrt(2), 3), (0, sqrt(2), 3))  # whole numbers beyond 64 bits
    space = Space((3, 3), "euclidean", root)
    assert space.steps[0].dtype == object
    table = equivalence_classes([3, 3], "euclidean", root)
    assert table["class"].nunique() == 6
    assert table["distance"].iloc[[0, -1]].tolist() == pytest.approx([0, sqrt(18)])


def test_nearly_equal_distances_stay_apart():
    assert len(Space((2, 2), "manhattan", ((0, 1), (0, 1 + 1e-12))).distinct()) == 4


def test_a_distance_without_a_class_belongs_to_the_best_class_not_nearer():
    numbers = class_numbers(np.array([0, 2, 3, 7, 9]), np.array([2, 5, 7]))
    assert numbers.tolist() == [2, 2, 1, 0, 0]


@pytest.mark.parametrize(
    ("count", "half"), [(1, [1]), (2, [0, 1]), (3, [0, 1, 1]), (4, [0, 0, 1, 1]), (5, [0, 0, 1, 1, 1])]
)
def test_the_better_half_is_rounded_up(count: int, half: list[float]):
    assert class_weights("half", count) == tuple(half)
    assert class_weights("classes", count) == tuple(range(count))


@pytest.mark.parametrize(
    ("base", "weights"),
    [
        *((base, "half") for base in ("P@10", "R@10", "F@10", "AP", "RR", "Rprec", "Bpref", "RBP(p=0.5,rel=1)")),
        *((base, "classes") for base in ("nDCG@10", "RBP(p=0.5)", "ERR", "gP@5", "SBTO@5", "CWLA(C=P@5,A=ERG)")),
    ],
)
def test_binary_measures_weigh_by_half_and_graded_ones_by_class(base: str, weights: str):
    assert irviz.measure(f"TOMA({base})").weighting == weights
    assert irviz.measure(f"TOMA({base},weights='{weights}')") == irviz.measure(f"TOMA({base})")


def test_the_base_applies_its_parameters_to_the_weights():
    """Manhattan classes of 2 × 2 levels: 0, 1, 2."""
    c = collection([[0, 1, 2]], [(0, 1), (1, 1), (0, 0)], (2, 2))
    wanted = {
        "TOMA(AP,distance='manhattan')": 1.0,
        "TOMA(AP(rel=2),distance='manhattan',weights='classes')": 0.5,
        "TOMA(AP,distance='manhattan',weights='classes')": 1.0,
        "TOMA(DCG(base=2,gains=[0,5,10]),distance='manhattan')": 15.0,
        "TOMA(DCG(base=2),distance='manhattan',weights=[0,0.5,7])": 7.5,
        "TOMA(RBP(p=0.5,gains='exp'),distance='manhattan')": (0.5 * 1 + 0.25 * 3) / 3,
        "TOMA(GAP(g=[0.5,0.5]),distance='manhattan')": None,
    }
    scores = irviz.score(c, wanted)
    for name, value in wanted.items():
        if value is not None:
            assert scores.matrix(name)[0, 0] == pytest.approx(value)
    one = collection([[0, 1, 2]], [(1,), (2,), (0,)], (3,))
    assert (
        scores.matrix("TOMA(GAP(g=[0.5,0.5]),distance='manhattan')") == irviz.score(one, "GAP(g=[0.5,0.5])").values[0]
    )


def test_unjudged_documents():
    """Unjudged on one aspect: its lowest level.  On all: unjudged; below zero on all likewise keeps its code."""
    labels = [(2, ABSENT), (ABSENT, ABSENT), (NEGATIVE, ABSENT), (NEGATIVE, 2), (2, 2), (0, 0), (NEGATIVE, NEGATIVE)]
    c = collection([[UNJUDGED, 0, 1, 2, 3, 4, 5, 6]], labels, (3, 3))
    judged = irviz.measure("TOMA(nDCG,distance='manhattan')").judged_lists(Topics(c, [0]))
    assert judged.labels[0].tolist() == [2, ABSENT, 0, 2, 4, 0, NEGATIVE]
    assert judged.grades == (0, 1, 2, 3, 4)
    dependent = irviz.measure("TOMA(nDCG,distance='manhattan',classes='dependent')").judged_lists(Topics(c, [0]))
    assert dependent.labels[0].tolist() == [2, ABSENT, 0, 0, 4, 0, NEGATIVE]
    assert dependent.grades == (0, 1, 2, 3, 4)


@pytest.mark.parametrize(
    ("label", "score"),
    [
        ((NEGATIVE, ABSENT), 0.0),  # judged on one aspect: level 0 on the other, so it counts against what follows
        ((ABSENT, 0), 0.0),
        ((NEGATIVE, 0), 0.0),
        ((NEGATIVE, NEGATIVE), 1.0),  # passed over, as trec_eval does what is judged below zero
        ((ABSENT, ABSENT), 1.0),
    ],
)
def test_bpref_looks_at_documents_judged_on_any_aspect(label: tuple[int, int], score: float):
    c = collection([[0, 1]], [label, (1, 1)], (2, 2))
    assert irviz.score(c, "TOMA(Bpref)").values.item() == score


def test_observed_classes_are_those_of_all_topics():
    rankings = np.array([[[0, 1]], [[0, 1]]], dtype=np.int32)
    labels = np.array([[(2, 2), (0, 0)], [(1, 1), (ABSENT, ABSENT)]], dtype=np.int16)
    grades = ((0.0, 1.0, 2.0),) * 2
    c = Collection("test", ("1", "2"), ("s",), ("a", "b"), grades, rankings, labels)
    scores = irviz.score(c, ["TOMA(DCG(base=2),classes='observed')", "TOMA(DCG(base=2))"]).values[:, :, 0]
    assert scores.tolist() == [[2, 1], [5, 3]]  # classes 0, 1, 2 of 3; 0, 3, 5 of 6


def test_the_worst_observed_class_weighs_nothing():
    c = collection([[0, 1]], [(1, 1), (1, 0)], (2, 2))
    assert irviz.score(c, "TOMA(DCG(base=2),classes='observed')").values[0, 0, 0] == 1


ONE_CLASS = [
    *("TOMA({},classes='observed')", "TOMA({},distance='chebyshev',classes='observed')"),
    "TOMA({},distance='manhattan',classes='observed')",
]
GRADED = [
    "nDCG",
    "SBTO@3",
    "RBTO@3",
    "RBTO(weights=[0])@3",
    "RBP(p=0.5)",
    "ERR",
    "gP@3",
    "DCG",
    "GAP(g=[1])",
    "xGAP(g=[0.5,0.5])",
    "eGAP(g=[1])",
    "CWLA(C=INST(T=2),A=PE)",
    "INST(T=2)",
]


@pytest.mark.parametrize("toma", ONE_CLASS)
def test_a_single_class_is_its_better_half(toma: str):
    """Half of one class, rounded up, is one class; in steps of one the worst class, 0, is the only one."""
    c = collection([[0]], [(1, 1), (1, 1)], (2, 2))
    assert irviz.score(c, toma.format("AP")).values.item() == 0.5
    assert irviz.score(c, toma.format("RR")).values.item() == 1
    for base in GRADED:
        assert irviz.score(c, toma.format(base)).values.item() == 0
        assert irviz.residual(c, toma.format(base)).values.item() == 0
    open_ended = collection([[UNJUDGED, 0]], [(1, 1), (1, 1)], (2, 2))
    assert irviz.residual(open_ended, toma.format("AP")).values.item() == pytest.approx(2 / 3 - 1 / 4)


@pytest.mark.parametrize("classes", ["product", "dependent", "observed"])
def test_a_single_class_of_nothing_relevant_is_worth_nothing(classes: str):
    c = collection([[0, UNJUDGED]], [(0, 0), (NEGATIVE, 0)], (1, 1))
    for base in ["AP", "P@2", "Bpref", *GRADED]:
        name = f"TOMA({base},classes='{classes}')"
        assert irviz.score(c, name).values.item() == 0
        assert irviz.residual(c, name).values.item() == 0
        assert irviz.measure(name).scale_in(c).kind == "neither"
    assert equivalence_classes(c, classes=classes, weights="half")["weight"].tolist() == [0]


def test_an_aspect_with_one_level_does_not_matter():
    """Nothing is above 0 on the second aspect, so relevance decides alone."""
    c = collection([[2, 0, 1], [0, 2, 1]], [(1, 0), (0, 0), (1, ABSENT)], (2, 1))
    for base in ("nDCG@5", "AP", "RBP(p=0.5)", "SBTO@2", "RBTO@2"):
        alone = irviz.score(c, base).values
        for distance in ("euclidean", "manhattan", "chebyshev"):
            for classes in ("product", "dependent", "observed"):
                found = irviz.score(c, f"TOMA({base},distance='{distance}',classes='{classes}')").values
                assert found == pytest.approx(alone)


def test_total_orders_stay_exact(anomaly: Collection):
    scores = irviz.score(anomaly, ["TOMA(RBTO@3,distance='chebyshev')"])
    base = 4  # classes of 4 × 3 levels under Chebyshev
    best = scores.exact[scores.measures[0]].max()
    assert best == 2 * base**2 + 1 * base + 1  # d2, d1 and d3: classes 2, 1 and 1 of 0 … 3
    assert scores.values.max() == 37 / 63


@pytest.mark.parametrize("grades", [2, 3])
@pytest.mark.parametrize(
    "base",
    ["P@2", "P@2,weights='classes'", "RBP(p=0.5)", "RBP(p=0.3)", "RBP(p=0.3),weights='half'", "RBTO@2", "gP@2", "ERR"],
)
def test_scale_types_agree_with_enumeration(base: str, grades: int):
    """Of runs judged by class: classes take the place of grades."""
    found = scale_type(f"TOMA({base})", grades=grades, depth=3)
    assert found.kind == found.fact.kind
    plain = scale_type(base.split(",")[0], grades=grades, depth=3)
    if irviz.measure(f"TOMA({base})").weighting == "classes":
        assert (found.kind, found.depth) == (plain.kind, plain.depth)
        assert (found.values == plain.values).all()


def test_enumerated_runs_are_judged_by_class():
    topic = ExactTopic(np.array([[2, 0], [0, 1]]), (0.0, 1.0, 2.0))
    found = irviz.measure("TOMA(RBP(p=0.5),weights=[0,1,4],classes='observed')").score(topic)
    assert found.tolist() == [Fraction(1, 2), Fraction(1, 16)]


@pytest.mark.parametrize(
    "text",
    [
        "TOMA(TOMA(AP))",
        "TOMA(AP)@5",
        "TOMA(AP,distance='l2')",
        "TOMA(AP,classes='all')",
        "TOMA(AP,embedding=[0,1])",
        "TOMA(AP,embedding=[[0,2,1]])",
        "TOMA(AP,weights=[0,2,1])",
        "TOMA(AP,weights=[-1,2])",
        "TOMA(AP(rel=2))",
    ],
)
def test_refusals(text: str):
    refused(lambda: irviz.measure(text))


@pytest.mark.parametrize(
    "text",
    [
        "TOMA(AP,embedding=[[0,1,2,3]])",
        "TOMA(AP,embedding=[[0,1,2,3],[0,1]])",
        "TOMA(AP,distance='chebyshev',weights=[0,1])",
        "TOMA(AP,distance='chebyshev',weights=[1,1,2,3])",
    ],
)
def test_refusals_of_a_collection(anomaly: Collection, text: str):
    refused(lambda: irviz.score(anomaly, text))


def test_too_many_classes_and_tuples():
    refused(lambda: Space((300, 300, 300, 300), "euclidean").distinct())
    refused(lambda: equivalence_classes([400, 400]))


@pytest.mark.parametrize(
    "make", [lambda: equivalence_classes([4, 3], classes="observed"), Space((4, 3), classes="observed").distinct]
)
def test_observing_needs_a_collection(make: Callable[[], object]):
    refused(make)


def test_binary_aspects_are_ordered_by_how_many_are_met():
    """Two aspects of grades 0 to 2: relevant on both is best, on one the next, whatever the grades."""
    c = collection([[0, 1, 2, 3]], [(1, 2), (2, 0), (0, 1), (0, 0)], (3, 3))
    table = equivalence_classes(c, binary=True)
    assert table["class"].to_dict() == {(1, 1): 2, (0, 1): 1, (1, 0): 1, (0, 0): 0}
    assert table["documents"].to_dict() == {(1, 1): 1, (0, 1): 1, (1, 0): 1, (0, 0): 1}
    for distance in ("euclidean", "manhattan"):
        one = irviz.measure(f"TOMA(gP@4,distance='{distance}',binary=True)")
        assert irviz.score(c, one).values.item() == (2 + 1 + 1) / (2 * 4)
        assert str(irviz.measure(str(one))) == str(one)


def test_binary_aspects_take_two_numbers_in_an_embedding():
    c = collection([[0, 1]], [(2, 0), (0, 2)], (3, 3))
    first = equivalence_classes(c, embedding=((0, 2), (0, 1)), weights=(0, 0, 1, 1), binary=True)
    assert first["weight"].to_dict() == {(1, 1): 1, (1, 0): 1, (0, 1): 0, (0, 0): 0}
    graded = irviz.measure("TOMA(RR,binary=True,embedding=[[0,1,2],[0,1]])")
    assert "`embedding` lists 3 numbers for aspect 1, which has 2 grade levels" in str(graded.misfit(c))


@pytest.mark.parametrize("name", ["CAM", "MM"])
def test_binary_aspects_of_a_mean(name: str):
    c = collection([[0, 1, 2]], [(1, 2), (2, 0), (0, 1)], (3, 3))
    binary = irviz.score(c, f"{name}(nDCG@3,binary=True)").values.item()
    alike = irviz.score(c, f"{name}(nDCG@3,gains=[0,1,1])").values.item()
    assert binary == alike != irviz.score(c, f"{name}(nDCG@3)").values.item()


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("TOMA(nDCG@10,weights=[0,1])", False),
        ("TOMA(nDCG@10,weights=[0,0,1,2,3])", True),
        ("GAP(g=[0.5,0.25,0.25])", False),
        ("AP(aspect='trust')", False),
        ("CAM(AP,p=[0.2,0.3,0.5])", False),
        ("ERR(gmax=1)", False),
        ("ERR(gmax=4)", True),
    ],
)
def test_a_measure_says_beforehand_whether_it_fits(name: str, fits: bool):
    c = collection([[0, 1, 2]], [(1, 1), (2, 0), (0, 1)], (3, 2))
    one = irviz.measure(name)
    refusal = one.misfit(c)
    assert (refusal is None) == fits
    if fits:
        assert irviz.score(c, one).values.shape == (1, 1, 1)
    else:
        assert refused(lambda: irviz.score(c, one)) == str(refusal)


def test_listed_weights_have_a_scale_wherever_it_is_asked_for():
    toma = irviz.measure("TOMA(RBTO@3,weights=[0,1,2,3])")
    assert {toma.scale(tuple(map(float, range(n)))).kind for n in (2, 3, 7)} == {"interval"}
    assert irviz.measure("TOMA(nDCG@10,weights=[0,0,1])").scale((0.0, 1.0)).kind == "neither"
