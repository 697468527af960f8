"""Portable arithmetic: as exact as it says, and the same whatever the order, the batch and the padding."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from multiprocessing import get_context

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

import irviz
from irviz.cli.main import main
from irviz.errors import LONGEST_MESSAGE, LONGEST_NAME, IrvizError, join_words, unknown
from irviz.portable import SparseCells, exact_totals, exp, log, mean, normal_cdf, subset_totals, total
from irviz.stats.scores import blocks
from irviz.workers import run

numbers = st.floats(-1e9, 1e9, allow_subnormal=False)


def units_apart(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference in units in the last place."""
    return float(np.max(np.abs(a - b) / np.spacing(np.abs(b))))


@given(st.lists(numbers, max_size=40), st.integers(0, 9))
def test_zeros_at_the_end_change_no_bit_of_a_total(terms: list[float], zeros: int):
    assert total(np.array(terms)) == total(np.array(terms + [0.0] * zeros))


@pytest.mark.parametrize(("rows", "length", "share"), [(1, 1, 1.0), (5, 33, 0.3), (3, 1000, 0.01), (4, 64, 0.0)])
def test_few_cells_add_up_to_the_bits_of_the_whole_array(rows: int, length: int, share: float):
    r = np.random.default_rng(length)
    cells = np.where(r.random((rows, length)) < share, r.random((rows, length)), 0.0)
    row, place = np.nonzero(cells)
    assert np.array_equal(SparseCells(cells.shape, row, place).total(cells[row, place]), total(cells))


@given(st.lists(st.fractions(max_denominator=50), min_size=1, max_size=20))
def test_totals_of_fractions_are_exact(terms: list[Fraction]):
    assert total(np.array(terms, dtype=object)) == sum(terms)


def test_a_total_is_the_same_along_any_axis_and_in_any_batch():
    cube = np.random.default_rng(0).random((4, 7, 33))
    assert np.array_equal(total(cube), total(np.moveaxis(cube, 2, 0), axis=0))
    assert np.array_equal(total(cube)[:, :1], total(cube[:, :1]))
    assert np.array_equal(mean(cube, axis=1, keepdims=True)[:, 0], total(cube, axis=1) / 7)


@given(
    st.lists(
        st.lists(st.integers(-(2**50), 2**50).map(lambda n: n / 2**40), min_size=3, max_size=3), min_size=1, max_size=30
    )
)
def test_totals_over_topics_are_exact_and_rounded_once(rows: list[list[float]]):
    values = np.array(rows)
    assert exact_totals(values).tolist() == [math.fsum(column) for column in values.T]


def test_subset_totals_are_those_of_each_subset_by_itself():
    rng = np.random.default_rng(1)
    values, weights = rng.random((2, 50, 6)), rng.integers(0, 4, (30, 50))
    found = subset_totals(weights, values)
    for m, n, s in np.ndindex(found.shape):
        assert found[m, n, s] == math.fsum(np.repeat(values[m, :, s], weights[n]))
    assert np.array_equal(subset_totals(np.ones((1, 50)), values)[:, 0], exact_totals(values))


def test_the_rest_has_the_sums_that_it_has_by_itself():
    rng = np.random.default_rng(2)
    values, members = rng.normal(size=(2, 51, 6)), rng.random((30, 51)) < 0.5
    over = np.arange(1, 61)[:, None]
    found = subset_totals(members, values, over, rest=True)
    assert np.array_equal(found, subset_totals(np.concatenate([members, ~members]), values, over))


@pytest.mark.parametrize(
    ("mine", "theirs", "points", "units"),
    [
        (log, np.log, np.exp(np.linspace(-700, 700, 5001)), 1),
        (log, np.log, np.linspace(0.001, 1.2, 5001), 1),
        (exp, np.exp, np.linspace(-700, 700, 5001), 1),
        (normal_cdf, ndtr, np.linspace(-9, 9, 5001), 4),
    ],
)
def test_functions_agree_with_the_libraries(mine, theirs, points: np.ndarray, units: int):
    assert units_apart(mine(points), theirs(points)) <= units


def test_functions_at_their_ends():
    assert exp(np.array([-np.inf, -800.0, 0.0, 800.0])).tolist() == [0.0, 0.0, 1.0, math.inf]
    assert normal_cdf(np.array([-np.inf, 0.0, np.inf])).tolist() == [0.0, 0.5, 1.0]
    assert log(np.array([1.0, 2.0, 5e-324])).tolist() == [0.0, math.log(2), math.log(5e-324)]


def test_means_of_the_largest_and_the_smallest_doubles_are_their_size():
    for size in (1e308, 1.5e-300):
        values = np.array([[size, size / 2]] * 9)
        assert mean(values, axis=0).tolist() == exact_totals(values, divisor=9).tolist() == [size, size / 2]
        assert subset_totals(np.ones((2, 9)), values, divisor=9).tolist() == [[size, size / 2]] * 2


# Independent pieces of work: the same results, in the same order, whoever does them.


ROADS = [None, 1, 2, -1, "threading", "loky", "sequential", pytest.param(ThreadPoolExecutor(2), id="executor")]


def drawn(repeat: int, scale: float) -> np.ndarray:
    """Later repeats end first, so that an order of arrival would show."""
    time.sleep(0.002 * max(0, 4 - repeat))
    return scale * np.random.default_rng((5, repeat)).random(2)


def refusal(workers: object) -> str:
    with pytest.raises(IrvizError) as refused:
        run(abs, [1], workers)  # type: ignore[arg-type]
    return str(refused.value)


@pytest.mark.parametrize("workers", ROADS, ids=str)
def test_results_come_in_order_whoever_does_the_work(workers):
    found = run(partial(drawn, scale=3.0), range(6), workers)
    assert np.array_equal(np.concatenate(found), np.concatenate([drawn(repeat, 3.0) for repeat in range(6)]))


def test_a_configuration_around_the_call_decides_unless_the_call_does():
    here = threading.current_thread().name
    name = partial(lambda piece: threading.current_thread().name)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert here not in run(name, range(3))
        assert set(run(name, range(3), workers=1)) == {here}
    assert set(run(name, range(3))) == {here}


class Enough(Exception):
    """Raised by a listener to stop the work."""


@pytest.mark.parametrize("workers", [None, 2, pytest.param(ThreadPoolExecutor(2), id="executor")], ids=str)
def test_a_listener_stops_the_pieces_that_wait(workers):
    begun: list[int] = []

    def work(piece: int) -> None:
        begun.append(piece)
        time.sleep(0.001)

    def stop(share: float, text: str) -> None:
        raise Enough

    with pytest.raises(Enough):
        run(work, range(5000), workers, stop)
    assert len(begun) < 2500  # the first piece is told of at once, or with its batch


@pytest.mark.parametrize("workers", [None, 2, "loky"], ids=str)
def test_what_a_piece_raises_reaches_the_caller(workers):
    with pytest.raises(ZeroDivisionError):
        run(partial(divmod, 1), [1, 0, 2], workers)


def test_a_process_that_ends_is_said():
    with ProcessPoolExecutor(1, get_context("spawn")) as pool, pytest.raises(IrvizError, match="has ended"):
        run(os._exit, [1], pool)


_AT_ONCE = """
import sys
from threading import Barrier, Thread
from irviz.workers import run
sys.setswitchinterval(1e-6)
done, together = [], Barrier(2)
def start():
    together.wait()
    done.append(run(abs, [-1, -2], 2))
both = [Thread(target=start) for _ in range(2)]
[one.start() for one in both]
[one.join() for one in both]
raise SystemExit(len(done) != 2)
"""


def test_two_requests_may_be_the_first_that_need_joblib():
    """Its parts import each other; without a lock, one start in three ended with half of one."""
    for _ in range(2):
        subprocess.run([sys.executable, "-c", _AT_ONCE], check=True, timeout=120)


def test_refusals():
    whole = (
        "`workers` must be a whole number of at least 1, −1 for all processors, or the name of a joblib backend, "
        "such as 'loky'; got {}."
    )
    assert refusal(0) == whole.format("0")
    assert refusal(1.5) == whole.format("1.5")
    assert refusal(True) == whole.format("True")
    assert refusal("locky") == "There is no joblib backend `locky`. Did you mean loky?"
    assert refusal("multiprocessing").startswith("The joblib backend 'multiprocessing' cannot work here: ")
    with joblib.parallel_config(backend="multiprocessing"):
        assert refusal(None).startswith("The joblib backend of the parallel_config around this call cannot work here: ")


@pytest.mark.parametrize("workers", [2, "loky"], ids=str)
def test_scores_are_equal_to_the_last_bit(workers, monkeypatch):
    monkeypatch.setattr("irviz.stats.scores.CELLS", 3000)  # a topic is a block
    c = irviz.open_collection("multiaspect").subset(topics=["1", "2", "3", "4"])
    wanted = ["AP", "nDCG@10", "RBTO@20", "TOMA(AP,classes='observed')", "CAM(ERR)"]
    alone, shared = irviz.score(c, wanted), irviz.score(c, wanted, workers=workers)
    assert len(blocks(c, map(irviz.measure, wanted))) == 4
    assert np.array_equal(alone.values, shared.values)
    assert list(alone.exact) == list(shared.exact) == ["RBTO@20"]
    assert (alone.exact["RBTO@20"] == shared.exact["RBTO@20"]).all()


# A refusal is a sentence, however long what it quotes.


def test_a_long_quotation_loses_its_middle() -> None:
    said = str(IrvizError(f"`{'x' * 100_000}` is no measure. Known: AP."))
    assert len(said) == LONGEST_MESSAGE
    assert said.startswith("`xxx")
    assert said.endswith("xxx` is no measure. Known: AP.")


def test_names_are_cut_one_by_one() -> None:
    assert len(join_words(["a" * 5_000, "b"])) == LONGEST_NAME + len(" or b")
    said = str(unknown("measure", "N" * 100_000, ["AP"]))
    assert said == f"There is no measure `{'N' * 133}…{'N' * 66}`. Known: AP."


@pytest.mark.parametrize(
    "text", ["A" * 100_000, "AP(" * 30_000, f"nDCG(gains=[{'1,' * 40_000}])@10", f"P@{'9' * 9_999}"]
)
def test_a_long_expression(text: str) -> None:
    with pytest.raises(IrvizError) as caught:
        irviz.measure(text)
    assert len(str(caught.value)) <= LONGEST_MESSAGE


def test_names_do_not_steer_a_terminal(capsys, tmp_path, monkeypatch):
    name = "a\x1b[2J\x9b\u202e"
    assert str(IrvizError(name)) == "a\\x1b[2J\\x9b\\u202e"
    (tmp_path / "q").write_text("1 0 d 1\n")
    (tmp_path / name).write_text("1 Q0 d 1 2 x\n")
    words = ["score", "--qrels", str(tmp_path / "q"), "--runs", str(tmp_path / name), "--measures", "AP"]
    assert main(words) == 0 and "\x1b" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown and "a\\x1b[2J" in shown
    assert main([*words[:-1], "AP\x1b[2J"]) == 2 and "\x1b" not in capsys.readouterr().err


def test_a_dataset_is_named_by_text():
    with pytest.raises(IrvizError, match="named by text"):
        irviz.from_ir_datasets(None, [])
