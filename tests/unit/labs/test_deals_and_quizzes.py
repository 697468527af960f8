"""Deals of the topics against the analysis of consistency, and quizzes against other ways to the same answer."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from irviz.errors import IrvizError
from irviz.labs.aggregation import model as means
from irviz.labs.aggregation.model import AM, DEALS, EPS, GM, HALVED, MEASURE, SHARES, repeated_rankings
from irviz.labs.aspects import model as distances
from irviz.labs.deals import deal_drawing, deals
from irviz.labs.goals import Condition, Goal
from irviz.labs.graded_ap.model import graded_scores, user_precisions
from irviz.labs.lab import QUIZ
from irviz.menu import LABS, page_named
from irviz.stats.consistency import consistency
from irviz.stats.scores import score
from irviz.workspace.view import settle
from tests.panels import opened_once
from tests.unit.labs.test_steps_of_labs import asked as question_at

SEEDS = range(1, 40)


@pytest.mark.parametrize(("summary", "eps", "name"), [("mean", None, AM), ("geometric", EPS, GM)])
def test_deals_are_those_of_the_analysis_of_consistency(summary, eps, name):
    scores = score(opened_once(HALVED), [MEASURE])
    of = consistency(scores, trials=DEALS, summary=summary, eps=eps, seed=0)
    found = deals(scores, DEALS, summary=summary, eps=eps)
    assert (found.tau == of.trials[0]).all()
    _, dealt = repeated_rankings()
    assert (dealt[name][0].places == found.places).all()
    assert found.tau[0] == pytest.approx(kendalltau(*found.places[0]).statistic), "what is drawn is what is told"


def test_one_deal_names_the_winners_of_both_halves():
    found = repeated_rankings()[1][AM][int(np.flatnonzero(SHARES == 0.7)[0])]
    drawing = deal_drawing(found, 3, AM)
    for half in (0, 1):
        assert found.first(2, half)
        assert all(
            best in drawing.title and best in " ".join(drawing.figure.data[1].text) for best in found.first(2, half)
        )
    others, winners = drawing.figure.data
    assert len(others.x) + sum(len(names.split(", ")) for names in winners.text) == len(found.systems)


def by_hand(name: str, row: list[float]) -> float:
    """A mean, from the standard library."""
    added = [x + 0.01 for x in row]
    return {
        "AM": lambda: statistics.fmean(row),
        "GM": lambda: math.prod(row) ** (1 / len(row)),
        "εGM": lambda: statistics.geometric_mean(added) - 0.01,
        "HM": lambda: statistics.harmonic_mean(row),
        "εHM": lambda: statistics.harmonic_mean(added) - 0.01,
        "median": lambda: statistics.median(row),
    }[name]()


def test_the_winner_by_a_mean_is_that_of_the_standard_library():
    names = set()
    for seed in SEEDS:
        drawn = means.draw_scores(seed)
        name, scores = drawn["mean"], means.table_of(drawn)
        values = [by_hand(name, scores[:, s].tolist()) for s in range(scores.shape[1])]
        asked = question_at(page_named("lab_aggregation"), step=QUIZ, seed=str(seed))
        assert asked.answer == (f"s{values.index(max(values)) + 1}",)
        names.add(name)
    assert names == set(means.MEAN_RULES)


def test_the_first_document_by_a_distance_is_the_nearest_by_hand():
    kinds = set()
    for seed in SEEDS:
        drawn = distances.draw_documents(seed)
        kind, labels = drawn["distance"], distances.documents(drawn)
        missing = [(3 - relevance, 3 - (0, 1.5, 3)[correctness]) for relevance, correctness in labels]
        far = [{"euclidean": math.hypot(*gap), "manhattan": sum(gap), "chebyshev": max(gap)}[kind] for gap in missing]
        asked = question_at(page_named("lab_aspects"), step=QUIZ, seed=str(seed))
        assert asked.answer == tuple(f"d{i}" for i, d in enumerate(far, 1) if d <= min(far) + 1e-9)
        kinds.add(kind)
    assert kinds == set(distances.DISTANCES)


@pytest.mark.parametrize("grades", [(1, 1, 1, 2), (2, 0, 1, 0, 2), (1,), (2, 2)])
@pytest.mark.parametrize("g", [(0.1, 0.9), (0.5, 0.5), (1.0, 0.0)])
def test_gap_is_the_mean_of_all_users_precisions(grades, g):
    pot = [one for own in user_precisions(grades, g) for one in own]
    assert sum(pot) / len(pot) == pytest.approx(graded_scores(grades, g)["GAP"])


# Goals: read from a text, written back, decided by the readings of a lab.


SIGNS = {"≥": ">=", "≤": "<=", "≠": "!="}
READINGS = {"GAP": 0.912, "eGAP": 0.24, "documents": 5, "winner": "S1", "no mean": math.nan}


@pytest.mark.parametrize(
    ("text", "written", "met"),
    [
        ("GAP > 0.9", "GAP > 0.9", True),
        ("GAP>.9", "GAP > 0.9", True),
        ("eGAP ≤ 0.24", "eGAP <= 0.24", True),
        ("eGAP < 0.24", "eGAP < 0.24", False),
        ("GAP=.9120", "GAP = 0.912", True),
        ("GAP != .91", "GAP != 0.91", True),
        ("documents = 5", "documents = 5", True),
        ("documents ≥ 6", "documents >= 6", False),
        ("winner = s1", "winner = s1", True),
        ("winner ≠ S1", "winner != S1", False),
        ("winner = S1 and S2", "winner = S1 and S2", False),
        ("no mean < 1", "no mean < 1", False),
        ("no mean != 1", "no mean != 1", False),
        ("GAP > −1e-2", "GAP > -0.01", True),
    ],
)
def test_a_condition_is_read_written_and_decided(text, written, met):
    one = Condition.read(text)
    assert one.format() == written and Condition.read(written) == one
    assert one.is_met(READINGS) is met
    words = Goal((one,)).words(READINGS)
    assert words.endswith("✓") == met and ": now " in words


def test_numbers_are_equal_where_four_decimals_show_no_difference():
    two_thirds = {"second": 2 / 3}
    assert Condition.read("second = .6667").is_met(two_thirds) and not Condition.read("second = .666").is_met(
        two_thirds
    )
    assert not Condition.read("second > .66666666666666").is_met({"second": 0.66666666666666 + 1e-12}), (
        "rounding is not a win"
    )


def test_the_live_line_has_as_many_decimals_as_it_takes():
    goal = Goal.read("GAP > 0.9; eGAP < 0.2")
    assert goal.words({"GAP": 0.91, "eGAP": 0.24}) == "GAP above 0.9: now 0.91 ✓; eGAP below 0.2: now 0.24"
    twice = Goal.read("documents read > 2.9; documents read < 3.1; stop > 0.3")
    assert twice.words({"documents read": 4.456, "stop": 0.2}) == (
        "documents read above 2.9 and below 3.1: now 4.456; stop above 0.3: now 0.2"
    )
    assert twice.words({"documents read": 3.0, "stop": 0.4}) == (
        "documents read above 2.9 and below 3.1: now 3 ✓; stop above 0.3: now 0.4 ✓"
    )
    assert Goal.read("x = 0.6667").words({"x": 0.242857}) == "x should be 0.6667: now 0.2429"
    assert goal.words({"GAP": 0.9004, "eGAP": 0.2003}) == "GAP above 0.9: now 0.9004 ✓; eGAP below 0.2: now 0.2003"
    assert not goal.is_met({"GAP": 0.91, "eGAP": 0.24}) and goal.is_met({"GAP": 0.91, "eGAP": 0.19})


def test_a_challenge_names_readings_in_plain_words():
    said = {"stop": "The share of readers who stop", "fake - weak < 0": "Fake news is lower"}
    goal = Goal.read("stop > 0.3; fake - weak < 0")
    assert goal.lines({"stop": 0.2, "fake - weak": 1}, said) == [
        "The share of readers who stop above 0.3: now 0.2",
        "Fake news is lower: not yet",
    ]
    assert goal.lines({"stop": 0.2, "fake - weak": -1}, said)[1] == "Fake news is lower: ✓"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "This goal has no condition"),
        (" ; ; ", "This goal has no condition"),
        ("GAP", "`GAP` is not a condition"),
        ("GAP >", "is not a condition"),
        ("> 1", "is not a condition"),
        ("GAP >> 1", "is not a condition"),
        ("0 < GAP < 1", "compares with `GAP < 1`, which is not a number"),
        ("GAP > high", "compares with `high`, which is not a number"),
        ("GAP > nan", "compares with `nan`, which is not a number"),
        ("GAP > 1e999", "too large to compute with"),
        ("GAP = \x00", "is not a condition"),
        ("GAP > 1;" * 9, "This goal has 9 conditions; at most 8 are read."),
        ("x" * 401, "This goal is 401 characters long; at most 400 are read."),
    ],
)
def test_what_is_no_goal_is_refused(text, says):
    with pytest.raises(IrvizError, match=says.replace("(", r"\(")):
        Goal.read(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("GAPP > 1", "There is no reading `GAPP`. Did you mean GAP or eGAP?"),
        ("winner > 1", "`winner` is a word, now `S1`; compare it with = or !=."),
        ("GAP = high", "`GAP` is a number, now 0.912; `high` is not."),
    ],
)
def test_what_these_readings_cannot_decide_is_refused(text, says):
    with pytest.raises(IrvizError) as refused:
        Goal.read(text).check(READINGS)
    assert str(refused.value) == says


@given(st.text(max_size=60))
def test_whatever_is_typed_is_a_goal_or_a_sentence(text):
    found = goal_or_refusal(text)
    assert found.endswith(".") if isinstance(found, str) else Goal.read(found.format()) == found


def goal_or_refusal(text: str) -> Goal | str:
    try:
        return Goal.read(text)
    except IrvizError as refusal:
        return str(refusal)


WORDS = st.text(st.sampled_from("abzGAP τΔé09.,%()[]'-"), min_size=1, max_size=12).filter(str.strip)
NUMBERS = st.one_of(
    st.integers(-(10**9), 10**9).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from([".5", "1.", "−3", "+2", "1E-3", "-0"]),
)
SPACES = st.sampled_from(["", " ", "  ", "\t", "\xa0"])
CONDITIONS = st.tuples(
    SPACES, WORDS, SPACES, st.sampled_from("> >= < <= ≥ ≤".split()), SPACES, NUMBERS, SPACES
) | st.tuples(SPACES, WORDS, SPACES, st.sampled_from("= != ≠".split()), SPACES, NUMBERS | WORDS, SPACES)


@given(st.lists(CONDITIONS, min_size=1, max_size=8), st.sampled_from([";", "; ", " ;; "]))
def test_a_goal_is_read_back_as_it_was_written(parts, between):
    goal = Goal.read(between.join("".join(part) for part in parts))
    assert len(goal.conditions) == len(parts)
    assert [one.operator for one in goal.conditions] == [SIGNS.get(part[3], part[3]) for part in parts]
    assert Goal.read(goal.format()) == goal


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_every_reading_of_a_lab_can_stand_in_a_goal_and_names_are_of_readings(lab):
    values, _ = settle(lab.controls, {}, None)
    found = lab.readings(values)
    assert len(found) >= 5
    assert {one if one in found else Condition.read(one).reading for one in lab.wording} <= set(found)
    assert {one for challenge in lab.challenges for one in challenge.controls} <= {one.name for one in lab.own}
    for name, value in found.items():
        text = f"{name} = {value if isinstance(value, str) else round(value, 4)}"
        assert Goal.read(text).format().startswith(f"{name} = ") and Goal.read(text).is_met(found), text
