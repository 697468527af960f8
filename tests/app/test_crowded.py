"""One visitor does not hurt another: turns, budgets, and work that ends with who wanted it."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest

from benchmarks.visitor import Visitor

MEASURES = "AP,RR,P@5,P@10,nDCG@10,RBP(p=0.8),ERR@20,Bpref"
MANY = ",".join(f"{name}@{k}" for name in ("AP", "P", "nDCG", "ERR") for k in range(10, 90, 10))
LONG = {"collection": "adhoc", "measures": MEASURES, "repeats": "100"}  #: minutes of reduced pools


@pytest.fixture(scope="module")
def server(start_server):
    """A server that computes one thing at a time, in little memory."""
    return start_server(IRVIZ_TURNS="1", IRVIZ_REQUEST_MB="1")


def test_heavy_work_waits_for_its_turn_and_ends_with_its_page(server):
    with Visitor(server.url) as light, Visitor(server.url) as second:
        assert light.open("scores").figures == 1
        with Visitor(server.url) as first:
            first.ask("incomplete", **LONG)
            first.wait_until("Repeat")
            second.ask("incomplete", **LONG, seed="1")
            waiting = second.wait_until("Waiting for a turn")
            assert "yours is next" in waiting.waits[-1].replace("\\", "")
            first.wait_until("Waiting for a turn")  # they take turns
            second.wait_until("Repeat")
            again = light.open("scores", show="box")
            assert (again.figures, again.waits, again.errors) == (1, [], []), "what is soon done waits for nobody"
        second.ask("scores", show="box")  # and so leaves the long work
        assert second.wait().figures == 1
        for seed in range(2, 50):  # until what nobody waits for has ended; to compute it takes minutes
            light.ask("incomplete", **LONG, seed=str(seed))
            if not any("Waiting" in text for text in light.wait_until("Repeat").waits):
                break
        else:
            pytest.fail("the long work of pages that were left goes on")


@pytest.fixture(scope="module")
def patient(start_server):
    """A server that lets a request compute for 4 seconds, and longer where it is asked to."""
    return start_server(IRVIZ_REQUEST_SECONDS="4", IRVIZ_ANYWAY="1")


def test_work_over_the_limit_says_what_to_reduce(patient):
    """Where it may not be computed anyway there is no button: `test_progress.py`."""
    with Visitor(patient.url) as visitor:
        answer = visitor.open("incomplete", **LONG | {"measures": MANY})
        said = " ".join(answer.texts).replace("\\", "")
        assert "one request may compute for 4 seconds. Reduce it: less under Repeats (100)" in said
        assert "or fewer than 32 measures or lists of fewer than" in said.replace(", fewer", " or fewer")
        assert not answer.errors
        assert not answer.figures or "of 32 measures" in said, "at most a first answer, and it says so"
        visitor.ask_press(answer.buttons["Compute anyway"])
        visitor.wait_until("Repeat")
        visitor.ask("scores")
        assert visitor.wait().figures == 1


def test_scores_that_need_too_much_memory_are_refused(server):
    with Visitor(server.url) as visitor:
        answer = visitor.open("similarity", measures="RBTO@1000,RBTO@999,AP")
        assert any("one request may take 1 MB" in text.replace("\\", "") for text in answer.errors)
        assert visitor.open("scores", measures="AP").figures == 1


def test_what_computes_beside_the_server_ends_with_it(patient):
    with Visitor(patient.url) as first, Visitor(patient.url) as second:
        for trials in range(2000, 3000, 100):
            first.ask("consistency", collection="adhoc", measures=MEASURES, trials=str(trials))
            assert not second.open("consistency", collection="adhoc", measures=MEASURES, seed=str(trials)).errors
            assert not first.wait().errors
            if children := [one for one in _children(patient.process.pid) if "LokyProcess" in one]:
                break
    assert children, "they computed at the same time"
    patient.process.terminate()
    patient.process.wait(timeout=20)
    end = time.monotonic() + 10
    while any(Path(one.partition(" ")[0]).exists() for one in children) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(Path(one.partition(" ")[0]).exists() for one in children)


def _children(parent: int) -> list[str]:
    """The processes of one as their folder in ``/proc`` and their command."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(f"{folder} {(folder / 'cmdline').read_text()}")
    return found
