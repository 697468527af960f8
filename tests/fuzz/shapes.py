"""Large repetitive and sparse wide files: a few bytes that are long to read or wide to hold."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable

from irviz.collection.bundle import bundled_views, open_bundle
from irviz.collection.load import load_collection
from irviz.collection.matrices import read_files, read_matrices
from irviz.collection.recognise import recognise
from irviz.collection.sources import Limits
from irviz.collection.text import run_metadata
from irviz.collection.topics import parse_topics
from irviz.explore.collection import grouped_findings
from irviz.measures import measure
from irviz.stats.claims import read_claim
from irviz.stats.scores import score
from tests.fuzz.engine import target
from tests.fuzz.files import ASPECTS, MATRIX, QRELS, RUNS, bundle, packed, run_text
from tests.zips import members, zipped

LONG = 1 << 16
SIGNS = (*b" \t\n\r\v\f#<>&;:,.='\"`-+_/\\()[]{}@0159axnQ%$*!?|~^", 0, 0x1F, 0x7F, 0x85, 0xA0, 0xC2, 0xE9, 0xED, 0xFF)
PAIRS = (
    *(b"# ", b" #", b"a ", b"a=", b"<a ", b"<a", b"<a>", b"<!--", b"]]>", b"&#", b"&a", b"- ", b"a:", b'a="', b',"'),
    *(b"\n ", b"1 ", b"0x"),
)
METADATA = b"# ir_metadata.start\n# platform:\n#   - cpu: 'x'\n# ir_metadata.end\n" + run_text(1)
XML = b"<topics><topic number='401' x=\"y\"><query>old <b>ships</b> &amp; sails</query><!-- a --></topic></topics>"
TREC = b"<top>\n<num> Number: 401\n<title> old ships\n<desc> Description:\nWhat of them?\n</top>\n"
JSONL = b'{"qid": "401", "text": "old ships"}\n{"qid": 402, "text": "sails"}\n'
TABBED = b"401\told ships\n402\tsails\n"
LIMITS = Limits(total_bytes=64 << 20, file_bytes=32 << 20, array_bytes=32 << 20)


def _load_qrels(data: bytes) -> None:
    grouped_findings(load_collection(("q", data), RUNS, limits=LIMITS))


def _load_run(data: bytes) -> None:
    grouped_findings(load_collection(("q", QRELS), [*RUNS, ("r", data)], limits=LIMITS))


def _open(data: bytes) -> None:
    open_bundle(("x.irviz", data))
    bundled_views(("x.irviz", data))


def _unpack(data: bytes) -> None:
    for found in recognise([("x", data)], LIMITS):
        found.name.encode()
    load_collection(("q", QRELS), ("x", data), limits=LIMITS)


READERS: dict[str, Callable[[bytes], object]] = {
    "qrels": _load_qrels,
    "run": _load_run,
    "metadata": run_metadata,
    "matrix": lambda data: read_matrices({"AP": ("ap.csv", data)}, LIMITS),
    "two matrices": lambda data: read_matrices({"AP": ("ap.csv", MATRIX), "RR": ("rr.csv", data)}, LIMITS),
    "scores": lambda data: read_files(("x", data), {"map": "AP"}.get, LIMITS),
    "topics": lambda data: parse_topics("t", data),
    "recognised": lambda data: recognise([("x", data)], LIMITS),
    "bundle": _open,
    "archive": _unpack,
    "expression": lambda data: measure(data.decode("utf-8", "replace")),
    "claim": lambda data: read_claim(data.decode("utf-8", "replace"), ("a", "b")),
}
EXAMPLES: dict[str, tuple[bytes, ...]] = {
    "qrels": (QRELS, ASPECTS),
    "run": (run_text(2), METADATA),
    "metadata": (METADATA,),
    "scores": (b"map\t1\t0.5\nmap\t2\t0.25\n", b'{"run_id":"a","topic_id":"1","measure":"AP","value":0.5}\n'),
    "matrix": (MATRIX,),
    "two matrices": (MATRIX,),
    "topics": (XML, TREC, JSONL, TABBED),
    "recognised": (QRELS, METADATA, MATRIX, XML, TREC, JSONL, TABBED),
    "expression": (b"CWLA(C=RBP(p=0.8),A=PE(beta=0.5))@10", b"DCG(dcg='exp-log2')@5"),
    "claim": (b"`a` > b", b"a in top 5"),
}


@target
def repeated_bytes(r: random.Random) -> None:
    """One byte, or some, in 64 KB at any place of any format; in 4 MB now and then."""
    kind = r.choice(list(READERS))
    if kind in ("bundle", "archive"):
        data = _repacked(r) if kind == "bundle" and r.random() < 0.6 else bundle() if kind == "bundle" else packed(r, 1)
    else:
        data = r.choice(EXAMPLES[kind])
    place = r.randint(0, len(data))
    many = bytes([r.choice(SIGNS)]) * LONG if r.random() < 0.7 else r.choice(PAIRS) * (LONG // 2)
    many *= 64 if r.random() < 0.02 else 1
    data = data[:place] + many + data[place + r.choice((0, 0, 0, 1, 5)) :]
    READERS[kind](gzip.compress(data, 1) if kind == "archive" and r.random() < 0.2 else data)


def _repacked(r: random.Random) -> bytes:
    """A bundle one of whose names or texts is long, or whose header is."""
    parts = members(bundle())
    text, sign = parts["collection.json"], bytes([r.choice(SIGNS)])
    if r.random() < 0.5:
        header = json.loads(text)
        key = r.choice(("topics", "systems", "aspects", "name", "ties", "findings", "grades"))
        header[key] = r.choice((sign.decode("latin-1") * LONG, [sign.decode("latin-1")] * LONG, [0] * LONG))
        parts["collection.json"] = json.dumps(header).encode()
    else:
        place = r.randint(0, len(text))
        parts["collection.json"] = text[:place] + sign * LONG + text[place:]
    return zipped(parts)


@target
def sparse_shapes(r: random.Random) -> None:
    """Many topics, runs, aspects or levels, one of which is long: what is held stays near what the limits allow."""
    if r.random() < 0.2:
        _open(_odd_sizes(r))
        return
    size = [r.choice((1, 1, 3, 30, 300, 3_000)) for _ in range(3)]
    topics, wide, long = size if r.random() < 0.9 else (20_000, r.choice((1, 3_000)), r.choice((1, 1_000)))
    aspects = r.choice((1, 1, 1, 2, 3, 60, 100))
    grade = r.choice((lambda d: "1", lambda d: str(d % 5), str, lambda d: f"{d}e-3"))
    aspects = aspects if wide * aspects < 30_000 else 1
    lines = [f"{t} 0 d0 {' '.join([grade(t)] * aspects)}" for t in range(topics)]
    lines += [f"0 0 d{d} {' '.join([grade(d)] * aspects)}" for d in range(1, wide)]
    runs = []
    for s in range(r.choice((1, 2, 20, 60)) if max(topics, long) < 3_000 else r.choice((1, 5))):
        listed = [f"{t} Q0 d0 1 1 x" for t in r.sample(range(topics), min(topics, 50))]
        listed += [f"{topics - 1} Q0 d{d} {d + 1} {-d} x" for d in range(1, long)]
        runs.append((f"s{s}", "\n".join(listed).encode()))
    qrels = "\n".join(lines).encode()
    documents = r.choice(("none", "judged", "all", 10, 100))
    found = load_collection(("q", qrels), runs, limits=LIMITS, documents=documents, depth=r.choice((10, 1_000, 10**6)))
    names = r.sample(("AP", "nDCG@10", "Bpref", "RBP(p=0.8)", "ERR@20", "SBTO@5", "RBTO@5", "Rprec", "GAP(g=[1])"), 2)
    score(found, names if aspects == 1 else [*names[:1], r.choice(("CAM(nDCG@10)", "TOMA(nDCG@10)"))])


def _odd_sizes(r: random.Random) -> bytes:
    """A bundle whose header promises other sizes than its arrays have."""
    parts = members(bundle())
    header = json.loads(parts["collection.json"])
    header |= {"version": 2, "judge": header["aspects"][0], "judge_width": header["judged"]}
    for _ in range(r.randint(1, 2)):
        header[r.choice(("depth", "judged", "judge_width", "version"))] = r.choice((1, 2, 1_000, 2**20, 2**31 - 1))
    if r.random() < 0.3:
        header["documents"] = {
            "ranks": r.choice((0, 1, 7, 2**31 - 1)),
            "identifiers": r.choice((0, 2**31 - 1)),
            "below": True,
        }
        for name in ("identifier_ends", "identifiers", "judged_documents", "listed_documents", "listed_scores"):
            parts[f"{name}.bin"] = b""
        parts["grades_below.bin"] = b""
    parts["collection.json"] = json.dumps(header).encode()
    return zipped(parts)
