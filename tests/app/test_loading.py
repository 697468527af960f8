"""One's own data: uploads of every kind, what is said about broken ones, links that wait for data."""

from __future__ import annotations

import gzip
import io
import re
import tarfile
import zipfile
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from irviz.collection.catalogue import open_collection
from irviz.collection.recognise import recognise
from irviz.ui import files, loading
from irviz.workspace.context import data_key
from irviz.workspace.data import bundled_titles
from tests.app.driving import ROOT, assert_sound, chosen, errors, open_page, said, turn_to, warnings

QRELS = ROOT / "data" / "adhoc" / "qrels.relevance.gz"
RUNS = sorted((ROOT / "data" / "adhoc" / "runs").iterdir())[:4]


def upload(at: AppTest, *files: tuple[str, bytes]) -> AppTest:
    for name, data in files:
        at.file_uploader(key="loading.files").upload(name, data)
    return at.run()


def named(path: Path) -> tuple[str, bytes]:
    return path.name, path.read_bytes()


def go(at: AppTest) -> AppTest:
    """Press the button that loads; scores alone, which leave nothing to choose, are loaded without."""
    return next((button.click().run() for button in at.button if button.key == "loading.go"), at)


def loaded(*files: tuple[str, bytes]) -> AppTest:
    at = go(upload(open_page("collection"), *files))
    assert_sound(at)
    return at


def size(at: AppTest) -> str:
    """Systems and topics of what is open."""
    return at.selectbox(key="sidebar.collection").value.split("~")[1]


def archive(paths: list[Path]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for path in paths:
            tar.add(path, arcname=f"trec/{path.name}")
    return out.getvalue()


def test_many_files_at_once_are_recognised_and_loaded():
    at = upload(open_page("collection"), named(QRELS), *map(named, RUNS))
    assert "Found 1 qrels file and 4 run files." in said(at)
    assert at.multiselect(key="loading.qrels").value == [QRELS.name]
    assert re.search(r"Document identifiers take at most \d+ MB of memory\.", said(at))
    at.text_input(key="loading.name").set_value("mine")
    at.button(key="loading.go").click().run()
    assert_sound(at)
    assert at.selectbox(key="sidebar.collection").value.startswith("mine~4x50~")
    assert size(at) == "4x50"


def test_an_archive_is_the_same_as_its_files():
    single, packed = loaded(named(QRELS), *map(named, RUNS)), loaded(("all.tar.gz", archive([QRELS, *RUNS])))
    assert [one.value for one in single.metric] == [one.value for one in packed.metric]


def test_a_saved_collection_opens(tmp_path):
    saved = open_collection("multiaspect").save(tmp_path / "my.irviz")
    at = loaded(("my.irviz", saved.read_bytes()))
    assert size(at) == "24x40"


def test_score_matrices_load_and_are_compared():
    rows = "topic,a,b,c\n" + "\n".join(f"{t},{t / 10},{t / 20},{(7 * t) % 10 / 10}" for t in range(1, 9))
    other = "topic,a,b,c\n" + "\n".join(f"{t},{t / 30},{t / 9},{(3 * t) % 10 / 10}" for t in range(1, 9))
    at = loaded(("AP.csv", rows.encode()), ("mine.csv", other.encode()))
    assert size(at) == "3x8"
    for name in ("topics", "cwla", "equal_steps", "incomplete", "judges", "users"):
        turn_to(at, name).run()
        assert_sound(at)
        assert not errors(at) and not at.get("plotly_chart")
    turn_to(at, "similarity").run()
    assert_sound(at)
    assert at.multiselect(key="sidebar.measures").value == ["AP", "mine"]
    assert "rank 3 systems: mean Kendall's τ −0.33" in said(at)


def test_files_of_trec_eval_load_and_missing_scores_are_left_out():
    texts = [
        "".join(f"map {t} {(t * k) % 11 / 11}\nndcg_cut_10 {t} {(t * k) % 7 / 7}\n" for t in range(1, 9))
        for k in (3, 4, 5)
    ]
    files = [(f"run{i}", text.encode()) for i, text in enumerate(texts, 1)]
    groups = ("kinds.tsv", b"".join(b"%d\t%s\n" % (t, b"odd" if t % 2 else b"even") for t in range(1, 9)))
    at = loaded(*files[:2], ("run3", files[2][1].replace(b"map 8 ", b"map all ")), groups)
    assert size(at) == "3x8"
    assert set(at.session_state["irviz"].run.context.groups.values()) == {"odd", "even"}
    turn_to(at, "collection").run()
    at.selectbox(key=".groups").select("").run()
    assert at.session_state["irviz"].run.context.groups == {}
    turn_to(at, "similarity").run()
    assert_sound(at)
    assert at.multiselect(key="sidebar.measures").value == ["AP", "nDCG@10"]
    assert "7 of 8" in said(at)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([("a.irviz", b"PK\x03\x04broken")], "a.irviz: this is not a whole irviz collection"),
        ([named(QRELS), ("few.run", b"9999 Q0 d1 1 0.9 x\n9999 Q0 d2 2 0.5 x\n")], "few.run"),
        ([("a.csv", b"topic,a,b\n1,0.5,x\n")], "a.csv"),
    ],
)
def test_broken_files_are_said_in_a_sentence_and_leave_nothing(files, message):
    at = go(upload(open_page("collection"), *files))
    assert_sound(at)
    assert any(text.startswith(message) for text in errors(at))
    assert at.selectbox(key="sidebar.collection").value == "adhoc"


def test_a_link_waits_for_its_data(tmp_path):
    collection = open_collection("multiaspect")
    at = open_page("collection", collection=data_key(collection), measures="P@5,AP", topics=collection.topics[0])
    assert "`multiaspect~24x40~" in warnings(at)[0]
    assert at.selectbox(key="sidebar.collection").value is None
    upload(at, ("my.irviz", collection.save(tmp_path / "my.irviz").read_bytes()))
    at.button(key="loading.go").click().run()
    assert_sound(at)
    assert at.selectbox(key="sidebar.collection").value == data_key(collection)
    assert at.multiselect(key=".topics").value == [collection.topics[0]]
    turn_to(at, "similarity").run()
    assert chosen(at) == ["P@5", "AP"]


def test_judges_are_named_by_what_sets_their_files_apart_and_by_their_topics():
    def graded(topics: range) -> bytes:
        return "".join(f"{t} 0 d{i} {i % 2}\n" for t in topics for i in range(4)).encode()

    runs = [
        (f"run{n}", "".join(f"{t} Q0 d{i} 1 {9 - i} x\n" for t in (1, 2, 3) for i in range(3)).encode()) for n in "ab"
    ]
    files = {"qrels.nist.processed.txt": range(1, 3), "qrels.gpt4.processed.txt": range(7, 10)}
    at = upload(open_page("collection"), *((name, graded(topics)) for name, topics in files.items()), *runs)
    assert [at.text_input(key=f"loading.aspect.{i}").value for i in range(2)] == ["nist", "gpt4"]
    at.button(key="loading.go").click().run()
    assert_sound(at)
    assert "cannot be compared: gpt4" in " ".join(warnings(at))


def test_folders_of_the_server_open_only_where_they_are_allowed(monkeypatch):
    assert "Folder on the server" not in [tab.label for tab in open_page("collection").tabs]
    monkeypatch.setenv("IRVIZ_FOLDERS", str(ROOT / "data"))
    at = open_page("collection")
    assert "Folder on the server" in [tab.label for tab in at.tabs]
    at.button(key="loading.folder.go").click().run()
    assert_sound(at)
    assert at.selectbox(key="sidebar.collection").value.startswith("adhoc~40x50~")


ASPECTS = sorted((ROOT / "data" / "multiaspect").glob("qrels.*"))
ASPECT_RUNS = sorted((ROOT / "data" / "multiaspect" / "runs").iterdir())[:3]


def test_relevance_is_the_first_aspect_whatever_the_alphabet_says():
    at = upload(open_page("collection"), *map(named, ASPECTS), *map(named, ASPECT_RUNS))
    assert [path.name.split(".")[1] for path in ASPECTS] == ["correctness", "credibility", "relevance"]
    assert "Recognised as aspects of relevance, because file names say correctness, credibility and relevance." in said(
        at
    )
    at.button(key="loading.go").click().run()
    assert_sound(at)
    assert "grade of relevance" in said(at)


def test_who_says_nothing_about_importance_is_asked():
    parts = [(f"part{i}.txt", path.read_bytes(), path) for i, path in enumerate(ASPECTS)]
    unpacked = [(name, gzip.decompress(data) if path.suffix == ".gz" else data) for name, data, path in parts]
    at = upload(open_page("collection"), *unpacked, *map(named, ASPECT_RUNS))
    assert next(one.value for one in at.info).startswith("Choose the most important aspect")
    first = next(one for one in at.selectbox if one.label == "Most important aspect" and one.value is None)
    first.set_value(first.options[1]).run()
    at.button(key="loading.go").click().run()
    assert_sound(at)
    assert f"grade of {first.options[1]}" in said(at)


def test_files_that_cannot_be_read_are_named_before_loading_and_hold_up_no_other():
    short = b"".join(b"%d Q0 d%d %d %.2f\n" % (401, rank, rank, 30 - rank) for rank in range(1, 12))
    at = upload(
        open_page("collection"),
        named(QRELS),
        *map(named, RUNS),
        ("readme.md", b"# Runs\n\nOf our system, with 1 change, made in May.\n"),
        ("cut.zip", b"PK\x03\x04 cut short"),
        ("notes.docx", b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml"),
        ("bad.run", b"401 Q0 d1 1 0.5 x\n401 Q0 d2 2 nan x\n"),
        ("five.run", short),
    )
    assert at.multiselect(key="loading.qrels").value == [QRELS.name]
    (left_out,) = warnings(at)
    assert all(name in left_out for name in ("readme.md", "cut.zip", "notes.docx"))
    (broken,) = errors(at)
    assert "bad.run:2" in broken and "five.run:1" in broken
    assert not at.get("plotly_chart"), "the figures of what was open before"
    at.button(key="loading.go").click().run()
    assert_sound(at)
    assert size(at) == "4x50"
    at.button(key="loading.next").click().run()
    assert_sound(at)
    assert at.session_state["irviz"].run.page.name == "what_if"


def test_another_aspect_can_be_put_first_after_loading():
    at = open_page("collection", collection="multiaspect")
    at.selectbox(key="loading.main").set_value("credibility").run()
    assert_sound(at)
    assert "grade of credibility" in said(at)
    assert at.selectbox(key="sidebar.collection").value.startswith("multiaspect~24x40~")


def test_what_one_session_loads_another_does_not_see():
    loaded(named(QRELS), *map(named, RUNS))
    assert at_titles(open_page("collection")) == list(bundled_titles().values())


def at_titles(at: AppTest) -> list[str]:
    return at.selectbox(key="sidebar.collection").options


def test_tables_of_other_tools_are_loaded_with_grades_that_can_be_changed():
    ratings = b"query,docid,rating\nblue shoes,a,E\nblue shoes,b,I\n"
    header = b"Snapshot Name,Query Text,Doc ID,Doc Position\n"
    results = header + b"old,blue shoes,a,2\nold,blue shoes,b,1\nnew,blue shoes,a,1\n"
    at = upload(open_page("collection"), ("ratings.csv", ratings), ("snapshots.csv", results))
    assert "Found 1 qrels file and 1 run file." in said(at)
    assert "Ratings are read as the grades E = 3 and I = 0; linear gains are 1 and 0" in said(at)
    at.text_input(key="loading.grades").set_value("E=10, I=1").run()
    assert "Ratings are read as the grades E = 10 and I = 1; linear gains are 1 and 0.1" in said(at)
    at.button(key="loading.go").click().run()
    assert_sound(at)
    assert size(at) == "2x1"


def test_a_beir_folder_is_loaded_with_its_queries_and_without_its_documents():
    at = upload(
        open_page("collection"),
        ("corpus.jsonl", b'{"_id": "a", "title": "Shoes", "text": "Blue ones."}\n'),
        ("queries.jsonl", b'{"_id": "1", "text": "blue shoes"}\n'),
        ("train.tsv", b"query-id\tcorpus-id\tscore\n2\ta\t1\n"),
        ("test.tsv", b"query-id\tcorpus-id\tscore\n1\ta\t1\n"),
        ("bm25.json", b'{"1": {"b": 1.5, "a": 0.5}}'),
    )
    assert "1 run file, 1 file of topics and 1 file of documents, which no measure needs." in said(at)
    assert at.multiselect(key="loading.qrels").value == ["test.tsv"]
    assert "no run begins with one of their topics: `train.tsv`" in said(at)
    at.button(key="loading.go").click().run()
    assert_sound(at)
    assert size(at) == "1x1"


def test_judgments_of_intents_are_told_by_their_second_field_and_scored_together():
    lines = b"1 1 a 1\n1 2 a 1\n1 2 b 2\n2 1 a 1\n2 3 c 1\n"
    runs = [(name, "".join(f"{t} Q0 {d} {i} {-i} x\n" for t in "12" for i, d in enumerate(docs)).encode())
            for name, docs in {"ab.run": "abc", "cb.run": "cba"}.items()]  # fmt: skip
    at = upload(open_page("collection", measures="StRecall@1"), ("diversity.txt", lines), *runs)
    assert "because documents are judged for several of the 3 values of the second field" in said(at)
    assert "3 intents: `1`, `2` and `3`." in said(at)
    kind = next(one for one in at.segmented_control if one.label == "This file holds")
    for other in ("aspects", "judges"):
        kind.set_value(other).run()
        assert f"3 {other}: `1`, `2` and `3`." in said(at)
    kind.set_value("intents").run()
    at.button(key="loading.go").click().run()
    assert_sound(at)
    assert size(at) == "2x2"
    turn_to(at, "scores").run()
    assert_sound(at)
    assert chosen(at) == ["StRecall@1"]
    assert "StRecall@1: 0.750, ab" in said(at).replace("`", "")


def test_ratings_of_several_judges_and_a_response_that_holds_both():
    book = b"query,docid,Ann,Ben\nq,a,1,0\nq,b,0,1\n"
    at = upload(open_page("collection"), ("book.csv", book), ("x.csv", b"query,docid,position\nq,a,1\nq,b,2\n"))
    assert "2 judges: `Ann` and `Ben`." in said(at)
    at.button(key="loading.go").click().run()
    assert_sound(at)
    hits = b'[{"hit":{"_id":"a"},"rating":1},{"hit":{"_id":"b"},"rating":null}]'
    found = ("response.json", b'{"details":{"q":{"hits":%s}}}' % hits)
    other = ("after.json", b'{"details":{"q":{"hits":[{"hit":{"_id":"c"},"rating":2}]}}}')
    at = upload(open_page("collection"), found, other)
    assert at.multiselect(key="loading.qrels").value == ["response.json", "after.json"]
    assert "Recognised as parts of one set, because each holds the ratings of its own results." in said(at)
    at.button(key="loading.go").click().run()
    assert_sound(at)
    assert size(at) == "2x1"


def test_more_judgments_than_are_read_together_are_refused_before_a_place_is_drawn_for_each():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for i in range(files.MOST_JUDGES + 1):
            packed.writestr(f"{i}.qrels", b"1 0 a 1\n")
        packed.writestr("a.run", b"1 Q0 a 1 1 x\n")
    at = upload(open_page("collection"), ("x.zip", out.getvalue()))
    assert "101 files of judgments were given; at most 100 are read together" in errors(at)[0]
    assert not [box for box in at.text_input if "loading" in str(box.key)]


def test_what_was_refused_is_not_read_again(monkeypatch):
    """Every run of the page would read it once more."""
    read = []
    monkeypatch.setattr(loading, "recognise", lambda given, *_: read.append(given) or recognise(given))
    at = upload(open_page("collection"), ("x.zip", b"PK\x03\x04 cut short"))
    said_first = errors(at)
    assert "x.zip" in said_first[0]
    assert errors(at.run()) == said_first
    assert len(read) == 1
