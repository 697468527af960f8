"""Independent pieces of work: the same results, in the same order, whoever does them."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from functools import partial

import joblib
import numpy as np
import pytest

import irviz
from irviz.errors import IrvizError
from irviz.stats.scores import blocks
from irviz.workers import run

ROADS = [None, 1, 2, -1, "threading", "loky", "sequential"]


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


def test_the_serial_default_imports_no_joblib():
    script = "import sys; from irviz.workers import run; run(abs, [-1]); assert 'joblib' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", script], check=False, capture_output=True).stderr == b""


@pytest.mark.parametrize("workers", [None, 2, "loky"], ids=str)
def test_progress_is_told_after_every_piece(workers):
    told: list[tuple[float, str]] = []
    run(abs, [-1, -2], workers, lambda share, text: told.append((share, text)), "piece {}".format)
    assert told == [(0.5, "piece -1"), (1.0, "piece -2")]


class Enough(Exception):
    """What a listener raises to stop the work."""


@pytest.mark.parametrize("workers", [None, 2], ids=str)
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
