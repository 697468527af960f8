"""docs/sharing.md, sentence by sentence: what can be tested of it is, here or in the test that is named."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from irviz.collection.bundle import open_bundle
from irviz.collection.load import load_collection
from irviz.collection.model import Collection
from irviz.links.view import View
from irviz.reports.draw import draw
from irviz.reports.html import report
from irviz.reports.provenance import plain_data
from irviz.scores import Scores
from irviz.server.session_store import Belongings, array_bytes
from irviz.sharing.store import Store
from irviz.workspace.context import Opened
from irviz.workspace.resolve import library, opened_collection, opened_scores

ROOT = Path(__file__).resolve().parents[3]
PAGE = " ".join((ROOT / "docs" / "sharing.md").read_text(encoding="utf-8").split())
STORE, HARD, DOORS = (
    f"tests/{name}.py" for name in ("unit/sharing/test_store", "unit/sharing/test_store_hardships", "app/test_doors")
)
SHARING = "tests/app/test_sharing.py"

#: a sentence of the document → the tests that hold it
PROMISES = {
    "Rankings and judgments are kept as numbers: none of these contains document ids or texts.": [
        "tests/unit/sharing/test_promises.py::test_no_document_is_named_in_what_is_handed_on",
        "tests/unit/collection/test_documents.py::test_a_file_holds_identifiers_only_if_asked",
    ],
    "data are recognised by their fingerprint": [f"{SHARING}::test_without_their_share_score_matrices_are_named_only"],
    "Your name for the data, the warnings about your files and your tie rule belong to your share only.": [
        f"{HARD}::test_whoever_shares_first_decides_nothing_for_the_second",
        f"{HARD}::test_a_file_of_shared_data_names_nobody",
        f"{SHARING}::test_shared_data_are_called_as_each_owner_calls_them",
        "tests/unit/sharing/test_promises.py::test_equal_data_of_two_people_stay_two",
    ],
    "In a CSV file an apostrophe precedes every name that a spreadsheet would interpret as a formula.": [
        "tests/unit/reports/test_export.py::test_no_name_is_a_formula_in_a_spreadsheet"
    ],
    "until the server stops, you forget them, or newer data need the room": [
        "tests/unit/sharing/test_promises.py::test_what_a_browser_loaded_is_kept_for_it_alone_and_not_for_ever"
    ],
    "until they are loaded, or soon after the page is closed": [
        f"{DOORS}::test_uploads_are_bounded_each_and_together",
        f"{DOORS}::test_uploads_end_with_their_page",
    ],
    "files that a page offers to download": [f"{DOORS}::test_downloads_end_with_their_page"],
    "Only the server's user may read it (700, files 600), whatever the umask.": [
        f"{STORE}::test_the_folder_is_its_users_own",
        f"{STORE}::test_a_folder_that_others_could_read_is_closed_at_the_start",
    ],
    "Nothing is written there before somebody presses a button that says so.": [
        f"{STORE}::test_nothing_is_written_before_something_is_shared"
    ],
    "A confirmed share is on the disk and survives a crash.": [
        f"{STORE}::test_kill_9_during_writes_loses_nothing_confirmed"
    ],
    "Only your browser sees what you upload.": [
        "tests/app/test_loading.py::test_what_one_session_loads_another_does_not_see"
    ],
    "A share can be found only by its id, 128 random bits.": [
        f"{STORE}::test_ids_are_128_random_bits",
        f"{STORE}::test_a_guess_finds_nothing",
    ],
    "The server signs its cookie and accepts no other": [
        f"{DOORS}::test_what_the_server_did_not_issue_is_no_cookie",
        f"{DOORS}::test_under_https_it_is_secure_and_the_hosts_own",
    ],
    "irviz sends nothing anywhere": [f"{DOORS}::test_it_asks_nobody_and_answers_this_machine_only"],
    "Its pages and its reports load nothing from other servers.": [
        "tests/unit/reports/test_report.py::test_plotly_is_there_once_and_nothing_is_fetched"
    ],
    "`/forget` does the same": [f"{DOORS}::test_being_forgotten_needs_no_page"],
    "The server keeps only a digest of the key": [f"{STORE}::test_the_key_is_not_in_the_file"],
    "Withdrawing deletes the view, and the data if no other share needs them": [
        f"{STORE}::test_only_the_key_withdraws",
        f"{HARD}::test_what_is_withdrawn_is_overwritten",
    ],
    "also on a full disk": [f"{HARD}::test_withdrawing_works_on_a_full_disk"],
    "If you use *Keep on the server* for a view of data that were shared with you": [
        f"{SHARING}::test_a_view_of_lent_data_kept_again_brings_them_until_their_owner_withdraws"
    ],
    "A copy of the folder is a backup": [f"{HARD}::test_a_copy_is_a_backup"],
    "If a folder is read-only, its shares open": [f"{HARD}::test_a_read_only_folder_is_read"],
    "Two servers may use one folder": [f"{HARD}::test_two_servers_of_one_folder"],
    "irviz updates an older one and refuses a newer one": [
        f"{HARD}::test_an_older_store_is_brought_up_to_date",
        f"{HARD}::test_a_newer_store_is_refused",
    ],
    "Incomplete files of a crash are deleted at the next start": [f"{HARD}::test_what_a_crash_left_behind_is_swept"],
    "irviz reports the damage and does not guess.": [f"{HARD}::test_damage_is_named"],
}


@pytest.mark.parametrize("sentence", PROMISES)
def test_every_promise_stands_in_the_document_and_has_its_test(sentence):
    assert sentence in PAGE
    for test in PROMISES[sentence]:
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
    views = [View.of(page, collection=mine.key) for page in ("collection", "scores")]
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
            said = report([draw(View.of(page, collection=opened.key), library([opened]))])
            assert other not in said and mine.name in said
            assert page != "collection" or ("has no line" in said) == bool(mine.findings)


def opened(number: int, size: int = 10) -> Opened:
    values = np.full((1, size, 2), float(number))
    return opened_scores(Scores(values, ("AP",), tuple(map(str, range(size))), ("a", "b")))


def test_what_a_browser_loaded_is_kept_for_it_alone_and_not_for_ever():
    each = array_bytes(opened(0))
    kept = Belongings(most=10 * each)  # of which one owner has half
    for number in range(7):
        kept.keep("anna", opened(number))
    assert list(kept.of("anna")) == [opened(number).key for number in range(2, 7)]
    assert kept.of("ben") == kept.of("") == {}
    kept.keep("ben", opened(99, size=80))  # as large as eight of Anna's
    assert list(kept.of("ben")) == [opened(99, size=80).key]
    assert len(kept.of("anna")) == 2
    kept.forget("ben")
    assert (kept.of("ben"), kept.times_forgotten("ben"), kept.times_forgotten("anna")) == ({}, 1, 0)
    kept.keep("", opened(1))
    assert kept.of("") == {}
