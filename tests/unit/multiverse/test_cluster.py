"""On a cluster that loses a worker in the middle, the result arrives, and is the same."""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import joblib
import numpy as np
import pytest

import irviz

if TYPE_CHECKING:  # the tests import it: half a second of every process that collects them
    import distributed

pytestmark = [
    pytest.mark.skipif(
        find_spec("distributed") is None, reason="dask[distributed] is not installed: there is no cluster."
    ),
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # of a cluster that loses a worker: sockets that close, processes that end
]


@pytest.fixture(scope="module")
def client() -> Iterator[distributed.Client]:
    """Two processes with one thread each."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import distributed

        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client


def part(topics: int) -> irviz.collection.model.Collection:
    whole = irviz.open_collection("adhoc")
    return whole.subset(topics=whole.topics[:topics])


class Killer:
    """A listener that ends one worker after the first piece of work."""

    def __init__(self, client: distributed.Client) -> None:
        self.client, self.killed = client, 0

    def __call__(self, share: float, text: str) -> None:
        if not self.killed and share > 0.55:  # scores are there, and comparing has begun
            self.killed = next(iter(self.client.run(os.getpid).values()))
            os.kill(self.killed, signal.SIGKILL)


def test_a_lost_worker_changes_nothing(client):
    c = part(20)
    claim = f"`{c.systems[0]}` in top 5"
    few = {"judge": c.judges[0], "family": "pair", "ties": c.ties, "topics": "all", "missing": "zero"}
    w = irviz.worlds(c, measure=["AP", "RR", "P@10", "nDCG", "Rprec", "ERR@20"], test=["t", "bootstrap"], **few)
    alone = irviz.conclusion(c, claim, w, trials=150)
    killer = Killer(client)
    with joblib.parallel_config(backend="dask"):
        together = irviz.conclusion(c.subset(), claim, w, trials=150, progress=killer)
    assert killer.killed
    for name in ("difference", "standardised", "low", "high", "p", "verdict", "significant"):
        assert np.array_equal(getattr(alone, name), getattr(together, name)), name


def test_everything_that_takes_workers_takes_the_cluster(client, monkeypatch):
    monkeypatch.setattr("irviz.stats.scores.CELLS", 3000)  # a few topics are a block
    c = part(12)
    alone = irviz.score(c, ["AP", "RBTO@20"])
    w = irviz.worlds(c, measure=["AP", "RR"], topics="all", judge=c.judges[0])
    with joblib.parallel_config(backend="dask"):
        s = irviz.score(c, ["AP", "RBTO@20"])
        tested = irviz.significance(s["AP"], trials=500)
        order = irviz.undisputed(c, w)
    assert np.array_equal(alone.values, s.values)
    assert np.array_equal(tested.p_values, irviz.significance(alone["AP"], trials=500).p_values)
    assert np.array_equal(order.share, irviz.undisputed(c, w).share)
    assert np.array_equal(irviz.score(c, "AP", workers="dask").values, alone.values[:1])
