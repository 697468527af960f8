"""Files of topics, link patterns, and bundles with judges and identifiers, that somebody broke."""

from __future__ import annotations

import json
import random
import tempfile
from functools import cache
from pathlib import Path

from irviz.collection.bundle import open_bundle
from irviz.collection.documents import document_link
from irviz.collection.load import load_collection
from irviz.collection.recognise import kind_of
from irviz.collection.saving import save
from irviz.collection.topics import read_topics
from irviz.stats.scores import score
from tests.fuzz.engine import target
from tests.fuzz.files import QRELS, RUNS, json_changed
from tests.fuzz.mutate import bytes_changed
from tests.zips import members, zipped

TOPICS = (
    b"<top>\n<num> Number: 401\n<title> foreign minorities\n<desc> Description:\nx < y\n</top>\n<top><num>402<title>b",
    b'<topics><topic number="401"><query>a</query></topic><!-- x --><topic number="402"><query>b</query></topic>',
    b"401\tforeign minorities, Germany\n402\tbehavioral genetics\n",
    b'{"qid": "401", "text": "foreign"}\n{"_id": 402, "query": "b"}\n',
)
SIGNS = ("{docid}", "https://", "http:", "a.org", *"{}@:/?% [é\\\n\ud800")


@target
def broken_topics(r: random.Random) -> None:
    data = bytes_changed(r.choice(TOPICS), r)
    kind_of("topics", data)
    texts = read_topics(("topics", data))
    assert all(topic.strip() == topic and text for topic, text in texts.items())
    load_collection(("qrels", QRELS), RUNS, topics=("topics", data))


@target
def link_patterns(r: random.Random) -> None:
    pattern = "".join(r.choice(SIGNS) for _ in range(r.randint(1, 8)))
    if r.random() < 0.7:
        pattern = f"https://a.org/{{docid}}{pattern.replace('{docid}', '')}"
    made = document_link(pattern, "x{docid}/?#")
    assert made.startswith(("http://", "https://")) and made.isascii() and not any(sign in made for sign in "{} \"'<>")


@cache
def bundle() -> bytes:
    files = {"people": ("q", QRELS), "machine": ("m", QRELS.replace(b" 2\n", b" 1\n").replace(b"403 0 d1 2\n", b""))}
    c = load_collection(files, RUNS, judges=True, topics={"401": "what was asked"}, name="whole")
    with tempfile.TemporaryDirectory() as folder:
        return save(c, Path(folder) / "x.irviz", documents=True).read_bytes()


@target
def broken_bundles_of_judges(r: random.Random) -> None:
    parts = members(bundle())
    if r.random() < 0.6:
        described = json_changed(json.loads(parts["collection.json"]), r)
        parts["collection.json"] = json.dumps(described).encode()
    else:
        member = r.choice(list(parts))
        parts[member] = bytes_changed(parts[member], r)
    opened = open_bundle(("x.irviz", zipped(parts)))
    for name in opened.judges:
        opened.by_judge(name)
    score(opened, ["AP", "nDCG@5"])
    for topic in opened.topics:
        opened.list(topic, opened.systems[0])
    assert opened.identity
