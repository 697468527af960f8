"""The promises of SECURITY.md, each with the tests that hold it, here or elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from irviz.collection.bundle import open_bundle
from irviz.collection.load import load_collection
from irviz.collection.model import Collection
from irviz.publish.draw import draw
from irviz.publish.provenance import plain_data
from irviz.publish.report import report
from irviz.server.session_store import OwnerStore
from irviz.stats.scores import Scores
from irviz.workspace.context import Dataset
from irviz.workspace.data import library, opened_collection, opened_scores
from irviz.workspace.store import Store
from irviz.workspace.view import View

ROOT = Path(__file__).resolve().parents[3]
ROWS = re.findall(r"^\| ([^|]+) \| (`tests/.+`) \|$", (ROOT / "SECURITY.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_promises_are_found():
    assert len(ROWS) > 20


@pytest.mark.parametrize(("promise", "tests"), ROWS, ids=[row[0] for row in ROWS])
def test_every_promise_has_its_tests(promise, tests):
    for test in re.findall(r"`(.+?)`", tests):
        file, _, name = test.partition("::")
        assert re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE), test


# -- tests that stand nowhere else -----------------------------------------------------------

SECRET = b"secret-document"
QRELS = b"1 0 a 1\n1 0 %b 2\n1 0 %b 2\n2 0 a 1 x\n" % (SECRET, SECRET)
RUN = b"1 Q0 %b 1 3 x\n1 Q0 a 2 2 x\n1 Q0 %b 3 1 x\n2 Q0 a 1 1 x\n" % (SECRET, SECRET)


def odd() -> Collection:
    """A collection whose files were odd in every way that is reported with a document's name."""
    whole = load_collection(("q", QRELS), [("one", RUN), ("two", RUN)], documents="all", topics={"1": SECRET.decode()})
    assert sum(SECRET.decode() in finding.message for finding in whole.findings) >= 2
    return whole


def test_no_document_is_named_in_what_is_handed_on(tmp_path):
    mine = opened_collection(odd())
    assert mine.collection is not None
    views = [View.from_texts(page, collection=mine.key) for page in ("collection", "scores")]
    drawn = [draw(view, library([mine])) for view in views]
    assert SECRET.decode() not in report(drawn)
    assert SECRET.decode() not in repr(plain_data(drawn))
    assert SECRET not in mine.collection.save(tmp_path / "saved.irviz").read_bytes()
    store = Store(tmp_path / "home")
    receipt = store.share(views[0], data=mine.collection)
    held = b"".join(file.read_bytes() for file in (tmp_path / "home").rglob("*") if file.is_file())
    assert SECRET not in held
    assert "again" in " ".join(finding.message for finding in open_bundle(tmp_path / "saved.irviz").findings)
    shared = store.data(store.read(receipt.id))
    assert isinstance(shared, Collection) and shared.findings == () and shared.documents is None


def test_equal_data_of_two_people_stay_two():
    """One view of each: neither the other's name nor what was seen in the other's files."""
    plain = load_collection(
        ("q", b"1 0 a 1\n2 0 a 1\n"), [("one", b"1 Q0 a 1 1 x\n2 Q0 b 1 1 x\n"), ("two", b"1 Q0 b 1 1 y\n")]
    )
    anna, ben = plain.renamed(name="Annas data"), plain.renamed(name="Bens data", findings=())
    assert anna.fingerprint == ben.fingerprint
    for mine, other in ((anna, "Bens data"), (ben, "Annas data"), (anna, "Bens data")):
        opened = opened_collection(mine)
        for page in ("collection", "scores", "similarity"):
            said = report([draw(View.from_texts(page, collection=opened.key), library([opened]))])
            assert other not in said and mine.name in said
            assert page != "collection" or ("without a line" in said) == bool(mine.findings)


def opened(number: int, size: int = 10) -> Dataset:
    values = np.full((1, size, 2), float(number))
    return opened_scores(Scores(values, ("AP",), tuple(map(str, range(size))), ("a", "b")))


def test_what_a_browser_loaded_is_kept_for_it_alone_and_not_for_ever():
    each = opened(0).nbytes
    kept = OwnerStore(most=10 * each)  # of which one owner has half
    for number in range(7):
        kept.keep("anna", opened(number))
    assert list(kept.datasets_of("anna")) == [opened(number).key for number in range(2, 7)]
    assert kept.datasets_of("ben") == kept.datasets_of("") == {}
    kept.keep("ben", opened(99, size=80))  # as large as eight of Anna's
    assert list(kept.datasets_of("ben")) == [opened(99, size=80).key]
    assert len(kept.datasets_of("anna")) == 2
    kept.forget("ben")
    assert (kept.datasets_of("ben"), kept.times_forgotten("ben"), kept.times_forgotten("anna")) == ({}, 1, 0)
    kept.keep("", opened(1))
    assert kept.datasets_of("") == {}
