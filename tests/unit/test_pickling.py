"""Collections, worlds and results cross processes: each is pickled and comes back equal."""

from __future__ import annotations

import pickle

import numpy as np

import irviz
from tests.panels import opened_once


def results():
    c = opened_once("adhoc")
    c = c.subset(c.topics[:8], c.systems[:4])
    s = irviz.score(c, ["AP", "P@10"])
    w = irviz.worlds(c, measure=["AP"], judge=c.judges[:1])
    yield from (c, s, w)
    yield irviz.conclusion(c, f"`{c.systems[0]}` > `{c.systems[1]}`", w, trials=20)
    yield irviz.undisputed(c, w)
    yield irviz.judges(c, ["AP"], trials=20)
    yield irviz.consistency(s, trials=10)
    yield irviz.pool_reduction(c, ["AP"], rates=(0.5,))
    yield irviz.significance(s["AP"], trials=20)
    yield irviz.similarity(s)
    yield irviz.power(s["AP"])
    yield irviz.compare(s, 0)
    yield s.table()
    yield irviz.scale_type("RBP(p=0.5)", grades=2, depth=4)
    yield irviz.equal_steps(c, ["RR@5"])
    yield irviz.measure("CWLA(C=RBP(p=0.8),A=ERG)@10")


def test_a_result_is_the_same_after_pickling():
    for result in results():
        again = pickle.loads(pickle.dumps(result))
        assert repr(again) == repr(result)
        for name, value in vars(result).items() if hasattr(result, "__dict__") else ():
            if isinstance(value, np.ndarray):
                np.testing.assert_array_equal(getattr(again, name), value)


def test_a_collection_of_files_is_pickled(tmp_path):
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 0\n2 0 c 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 3 x\n2 Q0 c 1 3 x\n")
    c = irviz.load_collection(tmp_path / "q", tmp_path / "r")
    assert pickle.loads(pickle.dumps(c)).fingerprint == c.fingerprint
