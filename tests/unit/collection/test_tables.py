"""Judgments and results of other tools give the collection that TREC files of the same content give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import irviz
from irviz.collection.model import Collection
from irviz.collection.recognise import kind_of
from irviz.collection.sources import Limits
from irviz.collection.tables import form_of
from irviz.errors import IrvizError, TooLarge
from tests.fuzz.engine import patience

RATED = {"blue shoes": {"d1": 3, "d2": 0, "d3": 1}, 'caf\u00e9, "bar"': {"d1": 2, "d9": 1}}
RANKED = {"blue shoes": ["d3", "d7", "d1"], 'caf\u00e9, "bar"': ["d9", "d1"]}
MEASURES = ["AP", "nDCG@10", "P@2", "Bpref"]
Given = tuple[str, bytes]


def trec() -> Collection:
    """The same content as TREC files; their topics are numbered."""
    qrels = "".join(f"{t} 0 {d} {g}\n" for t, (_, ds) in enumerate(RATED.items()) for d, g in ds.items())
    run = "".join(f"{t} Q0 {d} {r} {-r} x\n" for t, (_, ds) in enumerate(RANKED.items()) for r, d in enumerate(ds, 1))
    return irviz.load_collection(("q", qrels.encode()), ("r", run.encode()))


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def rows(separator: str, header: str, entries: list[tuple[Any, ...]]) -> bytes:
    lines = [separator.join(quoted(str(field)) for field in entry) for entry in entries]
    return "\n".join([header, *lines, ""]).encode()


def ratings() -> list[tuple[str, str, int]]:
    return [(query, doc, grade) for query, docs in RATED.items() for doc, grade in docs.items()]


def positions() -> list[tuple[str, str, int]]:
    return [(query, doc, rank) for query, docs in RANKED.items() for rank, doc in enumerate(docs, 1)]


def dumped(value: Any) -> bytes:
    return json.dumps(value).encode()


def lines_of(fields: tuple[str, ...], entries: list[tuple[Any, ...]]) -> bytes:
    return b"".join(dumped(dict(zip(fields, entry, strict=True))) + b"\n" for entry in entries)


JUDGMENTS: dict[str, Given] = {
    "quepid": ("ratings.csv", rows(",", "query,docid,rating", ratings())),
    "any order": ("r.csv", rows(";", "Grade;_id;Query Text", [(g, d, q) for q, d, g in ratings()])),
    "byte order": ("r.csv", b"\xef\xbb\xbf" + rows(",", "query,docid,rating", ratings()).replace(b"\n", b"\r\n")),
    "floats": ("r.tsv", rows("\t", "query\tdocno\tlabel", [(q, d, f"{g}.000") for q, d, g in ratings()])),
    "json lines": ("r.jsonl", lines_of(("searchText", "docId", "rating"), ratings())),
    "json list": ("r.json", dumped([dict(zip(("query", "doc_id", "grade"), one, strict=True)) for one in ratings()])),
    "workbench": (
        "judgments.json",
        dumped(
            {
                "name": "mine",
                "type": "IMPORT_JUDGMENT",
                "judgmentRatings": [
                    {"query": q, "ratings": [{"docId": d, "rating": f"{g}.000"} for d, g in docs.items()]}
                    for q, docs in RATED.items()
                ],
            }
        ),
    ),
    "request": (
        "request.json",
        json.dumps(
            {
                "requests": [
                    {"id": q, "request": {}, "ratings": [{"_index": "i", "_id": d, "rating": g} for d, g in ds.items()]}
                    for q, ds in RATED.items()
                ],
                "metric": {"precision": {"k": 10}},
            },
            indent=1,
        ).encode(),
    ),
    "ranx": ("qrels.json", dumped(RATED)),
}
RESULTS: dict[str, Given] = {
    "quepid": (
        "snapshot.csv",
        rows(
            ",",
            "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position",
            [("bm25", "2024", 7, *one) for one in positions()],
        ),
    ),
    "any order": ("x.csv", rows(",", "position,docid,query", [(r, d, q) for q, d, r in reversed(positions())])),
    "scores": ("x.tsv", rows("\t", "query\tdocid\tscore\tsystem", [(q, d, 1 / r, "b") for q, d, r in positions()])),
    "json lines": ("x.jsonl", lines_of(("query", "_id", "rank"), positions())),
    "workbench": (
        "records.json",
        dumped(
            {
                "hits": {
                    "hits": [
                        {
                            "_source": {
                                "searchText": q,
                                "searchConfigurationId": "bm25",
                                "documentIds": ds,
                                "metrics": [],
                            }
                        }
                        for q, ds in RANKED.items()
                    ]
                }
            }
        ),
    ),
    "response": (
        "response.json",
        dumped(
            {
                "metric_score": 0.5,
                "details": {
                    q: {
                        "metric_score": 0.1,
                        "unrated_docs": [],
                        "hits": [
                            {"hit": {"_index": "i", "_id": d, "_score": 1.5}, "rating": RATED[q].get(d)} for d in docs
                        ],
                    }
                    for q, docs in RANKED.items()
                },
                "failures": {},
            }
        ),
    ),
    "ranx": ("run.json", dumped({q: {d: 1 / (r + 1) for r, d in enumerate(ds)} for q, ds in RANKED.items()})),
}


@pytest.mark.parametrize("results", RESULTS.values(), ids=RESULTS)
@pytest.mark.parametrize("judgments", JUDGMENTS.values(), ids=JUDGMENTS)
def test_numbers_are_those_of_trec_files(judgments: Given, results: Given) -> None:
    assert (kind_of(*judgments), kind_of(*results)) == ("qrels", "run")
    c = irviz.load_collection(judgments, results)
    assert set(c.topics) == set(RATED)
    assert dict(c.topic_texts) == {query: query for query in RATED}
    found, same = irviz.score(c, MEASURES), irviz.score(trec(), MEASURES)
    order = [c.topics.index(query) for query in RATED]
    assert (found.values[:, order] == same.values).all()


def test_beir_and_ms_marco() -> None:
    qrels = b"query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t0\n2\ta\t2\n"
    run = b"1\tb\t1\n1\ta\t2\n2\ta\t1\n"
    assert (kind_of("test.tsv", qrels), kind_of("run.tsv", run)) == ("qrels", "run")
    c = irviz.load_collection(("test.tsv", qrels), ("run.tsv", run))
    assert irviz.score(c, ["RR"])["RR"]["run.tsv"].tolist() == [0.5, 1.0]
    assert dict(c.topic_texts) == {}


def test_learning_to_rank_lines() -> None:
    data = b"3 qid:7 # a blue shoes\n0 qid:7 1:0.5 # b blue shoes\n1 qid:9 # a shirt\n"
    assert kind_of("ltr.txt", data) == "qrels"
    c = irviz.load_collection(("ltr.txt", data), ("r", b"7 Q0 b 1 2 x\n7 Q0 a 2 1 x\n"))
    assert c.topics == ("7", "9")
    assert dict(c.topic_texts) == {"7": "blue shoes", "9": "shirt"}


def test_several_configurations_are_several_systems() -> None:
    data = rows(",", "query,docid,position,config", [("q", "a", 1, "A"), ("q", "b", 2, "A"), ("q", "b", 1, "B")])
    c = irviz.load_collection(("j.csv", b"query,docid,rating\nq,a,1\nq,b,0\n"), ("x.csv", data))
    assert c.systems == ("A", "B")
    assert irviz.score(c, ["RR"])["RR"].loc["q"].tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    "book",
    [
        b"query,docid,rating,judge\nq,a,1,Ann\nq,b,0,Ann\nq,a,0,Ben\nq,b,1,Ben\n",
        b"query,docid,Ann,Ben\nq,a,1,0\nq,b,0,1\n",
    ],
    ids=["long", "wide"],
)
def test_several_judges_in_one_file(book: bytes) -> None:
    run = ("x.csv", b"query,docid,position\nq,a,1\nq,b,2\n")
    with pytest.raises(IrvizError, match=r"2 judges \(Ann and Ben\).*judges=True"):
        irviz.load_collection(("book.csv", book), run)
    c = irviz.load_collection(("book.csv", book), run, judges=True)
    assert c.judges == ("Ann", "Ben")
    assert [float(irviz.score(c.by_judge(one), ["RR"]).values.item()) for one in c.judges] == [1.0, 0.5]


ESCI = ("esci.csv", b"query,query_id,product_id,esci_label\nq,1,a,E\nq,1,b,S\nq,1,c,C\nq,1,d,I\n")
LIST = ("x.csv", b"qid,docid,rank\n1,d,1\n1,c,2\n1,b,3\n1,a,4\n")


def test_ratings_that_are_texts_have_usual_grades_or_those_asked_for() -> None:
    c = irviz.load_collection(ESCI, LIST)
    assert c.grades == ((0.0, 1.0, 2.0, 3.0),)
    assert dict(c.topic_texts) == {"1": "q"}
    assert any("E = 3, S = 2, C = 1 and I = 0; linear gains are 1, 0.667, 0.333 and 0" in f.message for f in c.findings)
    other = irviz.load_collection(ESCI, LIST, grades={"e": 100, "s": 10, "c": 1, "i": 0})
    assert other.grades == ((0.0, 1.0, 10.0, 100.0),)
    gain = irviz.score(other, ["DCG(base=2)@10"]).values.item()
    assert gain == pytest.approx(1 / 1 + 10 / 1.584962500721156 + 100 / 2)
    with pytest.raises(IrvizError, match=r"esci.csv:5: the rating \"I\" is not in `grades`"):
        irviz.load_collection(ESCI, LIST, grades={"e": 100, "s": 10, "c": 1})


def test_grades_map_numbers_of_any_file() -> None:
    qrels = ("q", b"1 0 a 100\n1 0 b 10\n1 0 c 0\n")
    c = irviz.load_collection(qrels, LIST, grades={100: 2, 10: 1, "0": 0})
    assert c.grades == ((0.0, 1.0, 2.0),)
    with pytest.raises(IrvizError, match="q:2: the grade 10 is not in `grades`"):
        irviz.load_collection(qrels, LIST, grades={100: 2, 0: 0})


@pytest.mark.parametrize(("rating", "told"), [("100", "rel="), ("0.5", "below 1")])
def test_unusual_scales_are_told(rating: str, told: str) -> None:
    c = irviz.load_collection(("j.csv", f"query,docid,rating\nq,a,{rating}\nq,b,0\n".encode()), (
        "x.csv", b"query,docid,position\nq,a,1\n"))  # fmt: skip
    assert any(told in finding.message and finding.severity == "warning" for finding in c.findings)


def test_a_response_is_both_and_says_what_its_judgments_lack() -> None:
    response = RESULTS["response"]
    c = irviz.load_collection(response, response)
    assert c.systems == ("response.json",)
    assert any("retrieved documents only" in finding.message for finding in c.findings)


def test_a_list_of_files_is_one_set_of_judgments(tmp_path: Path) -> None:
    parts = [("a.csv", b"qid,docid,rating\n1,a,1\n1,b,0\n"), ("b", b"1 0 b 0\n2 0 a 2\n1 0 c 1\n")]
    whole = ("whole", b"1 0 a 1\n1 0 b 0\n1 0 c 1\n2 0 a 2\n")
    assert irviz.load_collection(parts, LIST).fingerprint == irviz.load_collection(whole, LIST).fingerprint
    with pytest.raises(IrvizError, match=r"c:2: another grade than in a.csv, line 2, for the same document of topic 1"):
        irviz.load_collection([parts[0], ("c", b"3 0 a 1\n1 0 a 2\n")], LIST)
    with pytest.raises(IrvizError, match=r"b:3: document c of topic 1 is judged twice .* on line 1\."):
        irviz.load_collection([parts[0], ("b", b"1 0 c 0\n2 0 b 1\n1 0 c 1\n")], LIST)


def test_a_snapshot_of_quepid_names_queries_with_quotes_as_its_ratings_do() -> None:
    """Its quotes are doubled, and put around a field only where that contains a comma."""
    ratings = b'query,docid,rating\n"55"" tv",a,1\n"""slip on""",a,1\n'
    header = b"Snapshot Name,Query Text,Doc ID,Doc Position,title\r\n"
    snapshot = header + b'now,55"" tv,a,1,"A 55"" tv, new"\r\nnow,""slip on"",a,1,""\r\n'
    c = irviz.load_collection(("ratings.csv", ratings), ("snapshot.csv", snapshot))
    assert set(c.topics) == {'"slip on"', '55" tv'} and irviz.score(c, ["AP"]).values.tolist() == [[[1.0], [1.0]]]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"query,docid,rating\nq,a\n", "j.csv:2: expected 3 columns, found 2"),
        (b"query,docid,rating\nq,a,1\na,b,c,2\n", "j.csv:3: expected 3 columns, found 4"),
        (b"query,docid,rating\nq,,1\n", "j.csv:2: the document is empty"),
        (b"query,docid,rating\n ,a,1\n", "j.csv:2: the query is empty"),
        (b"query,docid,rating\nq,a,good\nq,b,odd\n", 'j.csv:2: the rating "good" is no number'),
        (b"query,docid,rating\nq,a,1\nq,b,E\n", "j.csv:3: ratings are numbers and texts"),
        (b"query,docid,rating\nq,a,nan\n", "j.csv:2: the rating"),
        (b"query,docid,rating\n\nq,a,1\nq,a,2\n", "j.csv:4: document a of topic q is judged twice"),
        (b"query,docid,rating\nq,a,\n", "no document is rated"),
        (b"query,docid,rating\nq,caf\xe9,1\n", "j.csv:2: the line is not UTF-8"),
        (b"query,docid,rating,Rating\nq,a,1,2\n", "2 columns are named rating"),
        (b'query,docid,rating\nq,a,1\n"q,a,1\n' + b"q,a,1\n" * 40_000, "a quote that is not closed"),
        (b"query,docid,rating\nq," + b"a" * 5000 + b",1\n", "j.csv:2: the document has 5,000 characters"),
        (b"query,docid,rating\n" + b"," * (2 << 20), "j.csv:2: the line has"),
        (b'{"query":"q","docid":"a","rating":1}\n{"query":"q","docid":}\n', "j.csv:2: this is not JSON"),
        (b'{"query":"q","docid":"a","rating":1}\n{"query":"q","rating":1}\n', "j.csv:2: expected an object"),
        (b'{"query":"q","docid":"a","rating":[1]}', "j.csv:1: the rating is no number"),
        (b'{"query":"q","docid":"a","rating":NaN}', "this is not JSON|NaN"),
        (b'{"q":{"a":1,"a":2}}', "has the name"),
        (b'{"q":{"a":1}, "r":' + b"[" * 100_000, "nested too deeply|not JSON"),
        (b'{"judgmentRatings":[{"query":"q","ratings":[{"docId":["a"],"rating":1}]}]}', "the docId is no text"),
        (b'{"judgmentRatings":{"query":"q"}}', "`judgmentRatings` is no list"),
        (b'{"requests":[{"id":"q","ratings":[{"_id":true,"rating":1}]}]}', "_id is no text"),
        (b"1 a 1\n" * 20 + b"1 c\n", "j.csv:21: expected 3 fields, found 2"),
    ],
)  # fmt: skip
def test_refusals_name_the_line(data: bytes, why: str) -> None:
    with patience(10), pytest.raises(IrvizError, match=why):
        irviz.load_collection(("j.csv", data), ("x.csv", b"query,docid,position\nq,a,1\n"))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"query,docid,position\nq,a,first\n", "x.csv:2: the position is not a finite number"),
        (b"query,docid,position\nq,a,\n", "x.csv:2: the entry has neither"),
        (b"query,docid,score,position\nq,a,1,\nq,b,,1\n", "some entries have only a score"),
        (b'{"details":{"q":{"hits":[{"hit":{"_score":1}}]}}}', "x.csv:1: the _id is no text"),
        (b'{"searchText":"q","documentIds":[["a"]],"searchConfigurationId":"c"}', "the document is no text"),
    ],
)
def test_results_that_are_none_are_refused(data: bytes, why: str) -> None:
    with pytest.raises(IrvizError, match=why):
        irviz.load_collection(("j.csv", b"query,docid,rating\nq,a,1\n"), ("x.csv", data))


def test_lines_of_json_are_those_of_its_documents() -> None:
    given = {"judgmentRatings": [{"query": "q", "ratings": [{"docId": d, "rating": r} for d, r in ("a1", "b0", "a2")]}]}
    text = json.dumps(given, indent=1)
    at = [i for i, line in enumerate(text.splitlines(), 1) if '"a"' in line]
    with pytest.raises(IrvizError, match=rf"j.json:{at[1]}: document a .* on line {at[0]}\."):
        irviz.load_collection(("j.json", text.encode()), ("x", b"q Q0 a 1 1 x\n"))


def test_json_counts_what_it_takes_while_it_is_read() -> None:
    data = b'{"judgmentRatings":[' + b"[]," * 100_000 + b"[]]}"
    with pytest.raises(TooLarge):
        irviz.load_collection(("j.json", data), ("x", b"q Q0 a 1 1 x\n"), limits=Limits(array_bytes=5 << 20))


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("queries.jsonl", b'{"_id": "1", "text": "blue shoes"}\n', "topics"),
        ("corpus.jsonl", b'{"_id": "d1", "title": "Shoes", "text": "Blue ones."}\n', "documents"),
        ("ap.csv", b"topic,s1,s2\n1,0.5,0.2\n", "scores"),
        ("ap.csv", b"s1,s2,s3\n0.1,0.5,0.2\n", "scores"),
        ("t.tsv", b"401\tforeign minorities in Germany\n", "topics"),
        ("q.tsv", b"1\tParis, France\n2\tcheese, wine\n", "topics"),
        ("q", b"301\t0\tFT1\t2\n", "qrels"),
        ("r", b"1\tQ0\tabc\t1\t2.5\tx\n", "run"),
        ("s", b"topic\tx\ty\n1\t0.5\t0.25\n", "unknown"),
        ("page.html", b"<html><p>hello</p></html>", "unknown"),
    ],
)
def test_other_files_are_what_they_were(name: str, data: bytes, kind: str) -> None:
    assert form_of(data) is None
    assert kind_of(name, data) == kind


def test_a_table_with_runs_of_trec(tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_bytes(b"qid,docno,label\n1,a,1\n")
    (tmp_path / "bm25").write_bytes(b"1 Q0 a 1 2 x\n")
    c = irviz.load_collection(str(tmp_path / "ratings.csv"), tmp_path / "bm25")
    assert c.systems == ("bm25",)
    c.save(tmp_path / "mine.irviz")
    assert irviz.open_collection(tmp_path / "mine.irviz").fingerprint == c.fingerprint


def test_columns_of_qrels_are_judges_if_asked() -> None:
    run = ("r", b"1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n")
    c = irviz.load_collection(("q", b"1 0 a 1 0\n1 0 b 0 1\n"), run, judges=True)
    assert c.judges == ("relevance", "aspect2")
    assert [float(irviz.score(c.by_judge(one), ["RR"]).values.item()) for one in c.judges] == [1.0, 0.5]


def test_three_columns_after_a_byte_order_mark_are_ranks_as_without():
    qrels, run = ("q", b"1 0 d1 1\n1 0 d2 0\n"), b"1 d1 1\n1 d2 2\n"
    marked, plain = (irviz.load_collection(qrels, [("a", data)]) for data in (b"\xef\xbb\xbf" + run, run))
    assert marked.fingerprint == plain.fingerprint
    assert plain.list("1", "a")["document"].tolist() == ["d1", "d2"]
