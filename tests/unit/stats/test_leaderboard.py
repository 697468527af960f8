"""Leaderboards against plain loops, with ties and holes; a missing cell is never a 0."""

from __future__ import annotations

from itertools import permutations

import choix
import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.errors import IrvizError
from irviz.stats.aggregate import matrix_of
from irviz.stats.leaderboard import LEADERBOARDS, without_one

RNG = np.random.default_rng(7)
SYSTEMS = list("abcdef")
FULL = pd.DataFrame(RNG.integers(0, 6, (14, 6)) / 5, columns=SYSTEMS)
HOLES = FULL.mask(RNG.random(FULL.shape) < 0.3)


def plain_points(frame: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Wins and Borda by loops over rows and pairs."""
    wins, borda = {}, {}
    for system in frame.columns:
        won = compared = 0
        points = []
        for _, row in frame.iterrows():
            others = [row[other] for other in frame.columns if other != system and not np.isnan(row[other])]
            if np.isnan(row[system]) or not others:
                continue
            ahead, tied = sum(row[system] > x for x in others), sum(row[system] == x for x in others)
            won, compared = won + ahead, compared + len(others)
            points.append((ahead + tied / 2) / len(others))
        wins[system], borda[system] = won / compared, float(np.mean(points))
    return {"wins": wins, "borda": borda}


def win_table(frame: pd.DataFrame) -> np.ndarray:
    table = np.zeros((frame.shape[1],) * 2)
    for _, row in frame.iterrows():
        for i, j in permutations(range(len(row)), 2):
            if not np.isnan(row.iloc[i] + row.iloc[j]):
                table[i, j] += (row.iloc[i] > row.iloc[j]) + (row.iloc[i] == row.iloc[j]) / 2
    return table


@pytest.mark.parametrize("frame", [FULL, HOLES])
@pytest.mark.parametrize("method", ["wins", "borda"])
def test_wins_and_borda_are_those_of_plain_loops(frame, method) -> None:
    board = irviz.leaderboard(frame, method, trials=20)
    assert board.score.to_dict() == pytest.approx(plain_points(frame)[method], abs=1e-14)
    assert board["rank"].to_dict() == board.score.rank(ascending=False, method="min").astype(int).to_dict()


@pytest.mark.parametrize("frame", [FULL, HOLES])
def test_bradley_terry_is_the_maximum_of_its_likelihood(frame) -> None:
    best = choix.ilsr_pairwise_dense(win_table(frame), tol=1e-12)
    board = irviz.leaderboard(frame, "bradley_terry", trials=20)
    assert board.score[SYSTEMS].tolist() == pytest.approx(best - best.mean(), abs=1e-9)


@pytest.mark.parametrize(("method", "average"), [("mean", "mean"), ("median", "median"), ("geometric", "geometric")])
def test_averages_are_those_of_summarise_over_what_is_there(method, average) -> None:
    board = irviz.leaderboard(HOLES, method, trials=20)
    assert board.score[SYSTEMS].tolist() == pytest.approx(irviz.summarise(HOLES, average).tolist(), abs=1e-14)
    assert board.present[SYSTEMS].tolist() == HOLES.notna().mean().tolist()
    standardised = irviz.leaderboard(HOLES, "standardised", trials=20).score[SYSTEMS]
    assert standardised.tolist() == pytest.approx(irviz.standardise(HOLES).mean().tolist(), abs=1e-14)


@pytest.mark.parametrize("method", [name for name in LEADERBOARDS if name != "bradley_terry"])
def test_intervals_are_order_statistics_of_resampled_ranks(method) -> None:
    draws = np.random.Generator(np.random.PCG64(3)).integers(0, 14, (60, 14))
    rows = [irviz.leaderboard(HOLES.iloc[row], method, trials=1)["rank"][SYSTEMS] for row in draws]
    ordered = np.sort(np.array(rows, dtype=float), axis=0)
    board = irviz.leaderboard(HOLES, method, trials=60, seed=3).loc[SYSTEMS]
    assert board.low.tolist() == ordered[1].tolist()
    assert board.high.tolist() == ordered[58].tolist()


def test_a_system_that_never_loses_has_no_strength_and_leads_in_resamples() -> None:
    frame = FULL.assign(best=2.0)
    with pytest.raises(IrvizError, match="No other system wins against best"):
        irviz.leaderboard(frame, "bradley_terry")
    frame.loc[0, "best"] = 0.0
    board = irviz.leaderboard(frame, "bradley_terry", trials=200)
    assert board.loc["best", ["rank", "low", "high"]].tolist() == [1, 1, 1]


def test_a_system_without_scores_has_no_rank_and_few_tasks_no_interval() -> None:
    board = irviz.leaderboard(FULL.assign(nothing=np.nan), "borda", trials=20)
    assert board.index[-1] == "nothing" and board.loc["nothing", "present"] == 0
    assert board.loc["nothing", ["score", "rank", "low", "high"]].isna().all()
    assert irviz.leaderboard(FULL[:4], trials=20)[["low", "high"]].isna().all(axis=None)


@pytest.mark.parametrize("method", ["mean", "borda", "wins"])
def test_topics_of_a_group_are_drawn_together(method: str):
    alone = pd.DataFrame(np.random.default_rng(0).random((8, 4)), index=[f"{i}" for i in range(8)], columns=[*"abcd"])
    twice = pd.concat([alone.set_axis([f"{i}.{turn}" for i in range(8)]) for turn in (1, 2)])
    known = irviz.leaderboard(alone, method, trials=200)
    found = irviz.leaderboard(twice, method, trials=200, groups={topic: topic[0] for topic in twice.index})
    pd.testing.assert_frame_equal(found, known)


def test_taking_one_away_turns_two_others_under_borda():
    frame = pd.DataFrame({"a": [3, 3, 2, 2, 2], "b": [2, 2, 3, 3, 1], "c": [1, 1, 1, 1, 3]}, dtype=float)
    cube = matrix_of(frame)
    for method in ("mean", "borda", "wins"):
        changes = without_one(cube, method).set_index(["without", "name"])
        before = irviz.leaderboard(frame, method, trials=1)["rank"]
        for what, name in changes.index:
            smaller = frame.drop(index=int(name)) if what == "row" else frame.drop(columns=name)
            after = irviz.leaderboard(smaller, method, trials=1)["rank"]
            pairs = [(i, j) for i in after.index for j in after.index if before[i] < before[j] and after[i] > after[j]]
            assert changes.turns[what, name] == len(pairs)
            assert changes["first"][what, name] == ", ".join(sorted(after.index[after == 1]))
    assert without_one(cube, "mean").query("without == 'system'").turns.sum() == 0


def test_borda_depends_on_others():
    frame = pd.DataFrame({"a": [3, 3, 3, 1, 1], "b": [2, 2, 2, 3, 3], "c": [1, 1, 1, 2, 2]}, dtype=float)
    assert list(irviz.leaderboard(frame, "borda", trials=1).index) == ["b", "a", "c"]  # 7 points to 6
    changes = without_one(matrix_of(frame), "borda").set_index(["without", "name"])
    assert (changes.turns["system", "c"], changes["first"]["system", "c"]) == (1, "a")
