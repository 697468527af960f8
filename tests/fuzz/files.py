"""Qrels, runs, score matrices, bundles and archives that somebody broke."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import tarfile
import zipfile
from functools import cache

from irviz.collection import trec
from irviz.collection.bundle import bundled_views, open_bundle
from irviz.collection.codes import TIE_RULES
from irviz.collection.load import load_collection
from irviz.collection.matrices import read_matrices
from irviz.collection.model import Collection
from irviz.collection.recognise import recognise
from irviz.collection.saving import save
from irviz.collection.sources import Limits
from irviz.collection.text import clean
from irviz.stats.scores import score
from tests import zips
from tests.fuzz.engine import target
from tests.fuzz.mutate import TOKENS, bytes_changed, fields_changed

QRELS = b"".join(
    b"%d 0 d%d %d\n" % (topic, doc, (topic * doc) % 4 - 1) for topic in (401, 402, 403) for doc in range(8)
)
ASPECTS = b"".join(b"%d 0 d%d %d %d\n" % (topic, doc, doc % 3, doc % 2) for topic in (401, 402) for doc in range(6))
MATRIX = b"topic,bm25,dense,splade\n401,0.5,0.25,1\n402,0,0.125,0.75\n403,1,0,0.5\n"
LIMITS = Limits(total_bytes=8 << 20, file_bytes=4 << 20)


def run_text(seed: int) -> bytes:
    lines = []
    for topic in (401, 402, 403):
        lines += [b"%d Q0 d%d %d %d.5 bm25" % (topic, (rank * seed) % 11, rank, 20 - rank) for rank in range(1, 8)]
    return b"\n".join(lines) + b"\n"


RUNS = [(f"run{seed}.txt", run_text(seed)) for seed in (1, 2, 3)]


@cache
def whole() -> Collection:
    """A small collection without fault."""
    return load_collection(("qrels", QRELS), RUNS, name="whole")


@cache
def bundle() -> bytes:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        view = json.dumps({"schema": 1, "page": "scores", "values": {}})
        return save(whole(), Path(folder) / "x.irviz", [view]).read_bytes()


def mutated(data: bytes, r: random.Random) -> bytes:
    return fields_changed(data, r) if r.random() < 0.7 else bytes_changed(data, r)


@target
def broken_qrels(r: random.Random) -> None:
    data = mutated(r.choice((QRELS, ASPECTS)), r)
    text = clean("q", data)
    fast = trec._columns(text, trec._QRELS_TEXTS, len(text.fields(text.first_line())))
    if fast is not None:
        exact = trec._exact_columns(text, trec._QRELS_TEXTS, trec._GRADE, trec._fields_of_qrels)
        assert all(fast[i].tolist() == exact[i].tolist() for i in exact)
    load_collection(("q", data), RUNS, ties=r.choice(list(TIE_RULES)), depth=r.choice((1, 3, 1000)))


@target
def broken_runs(r: random.Random) -> None:
    data = mutated(run_text(r.randint(1, 9)), r)
    text = clean("r", data)
    fast = trec._columns(text, trec._RUN_TEXTS, 6)
    if fast is not None:
        exact = trec._exact_columns(text, trec._RUN_TEXTS, trec._SCORE, trec._fields_of_run)
        assert all(fast[i].tolist() == exact[i].tolist() for i in exact)
    ties = r.choice(list(TIE_RULES))
    opened = load_collection(("q", QRELS), [*RUNS, ("r", data)], ties=ties, depth=r.choice((1, 3, 1000)))
    score(opened, ["AP", "nDCG@5", "Bpref", "P@3"])


@target
def broken_matrices(r: random.Random) -> None:
    files = {"AP": ("ap.csv", MATRIX.replace(b",", b" ")), "RR": ("rr.csv", MATRIX.replace(b",", b" "))}
    changed = {name: (file, mutated(data, r).replace(b" ", b",")) for name, (file, data) in files.items()}
    read_matrices(changed if r.random() < 0.3 else {"AP": changed["AP"]})


@target
def broken_bundles(r: random.Random) -> None:
    data = bytes_changed(bundle(), r) if r.random() < 0.5 else _other_header(r)
    opened = open_bundle(("x.irviz", data))
    bundled_views(("x.irviz", data))
    assert opened.fingerprint
    score(opened, ["AP", "nDCG@5"])


def _other_header(r: random.Random) -> bytes:
    """A bundle whose members are whole and whose header says something else."""
    parts = zips.members(bundle())
    member = r.choice(["collection.json"] * 4 + ["views.json"])
    described = json.loads(parts[member])
    for _ in range(r.randint(1, 3)):
        described = json_changed(described, r)
    return zips.zipped(parts | {member: json.dumps(described).encode()})


ODD = (
    *(None, True, False, 0, 1, -1, 2**31, 2**63, 10**400, 0.5, 1e308, float("nan"), float("inf"), "", "x", "\ud800"),
    *("a" * 5_000, [], {}, [[]], [0], [0, 1], ["x"], ["x", "x"], [None], {"a": 1}, [[0, 1e308]], "trec_eval", "rank"),
)


def json_changed(value: object, r: random.Random) -> object:
    """A JSON value with one of its parts replaced, dropped or doubled."""
    if isinstance(value, dict) and value and r.random() < 0.95:
        key = r.choice(list(value))
        kind = r.random()
        if kind < 0.1:
            return {name: part for name, part in value.items() if name != key}
        if kind < 0.15:
            return {**value, r.choice(("\ud800", "x", "")): value[key]}
        return {**value, key: json_changed(value[key], r) if kind < 0.5 else r.choice(ODD)}
    if isinstance(value, list) and value and r.random() < 0.8:
        place = r.randrange(len(value))
        kind = r.random()
        if kind < 0.2:
            return value[:place] + value[place + 1 :]
        if kind < 0.3:
            return [*value, value[place]]
        return [*value[:place], json_changed(value[place], r), *value[place + 1 :]]
    return r.choice(ODD)


@target
def broken_archives(r: random.Random) -> None:
    data = packed(r, layers=r.choice((0, 1, 1, 1, 2, 3)))
    if r.random() < 0.7:
        data = bytes_changed(data, r)
    for found in recognise([(r.choice(("x.zip", "x", "x.tar.gz", "x.irviz", "\udcff.gz")), data)], LIMITS):
        found.name.encode()
        found.file.encode()
    load_collection(("q", QRELS), ("x", data), limits=LIMITS)


def packed(r: random.Random, layers: int) -> bytes:
    """Runs under some layers of packing, honest or not."""
    if not layers:
        data = r.choice((run_text(1), QRELS, b"", b"\0" * 100, b"0" * 30_000, bundle()))
        return r.choice(_PACKERS)(data) if r.random() < 0.5 else data
    members = {name_of(r): packed(r, layers - 1) for _ in range(r.randint(0, 4))}
    return zipped(members, r) if r.random() < 0.5 else tarred(members, r)


def name_of(r: random.Random) -> str:
    plain = [*"a.run b.run sub/c.run ../x /etc/y C:\\z .hidden __MACOSX/._a d/ é.gz q.csv".split(), ""]
    odd = r.choice(TOKENS).decode("utf-8", "surrogateescape").replace("\0", "")
    return r.choice((*plain, *plain, odd, odd + ".gz"))


def zipped(members: dict[str, bytes], r: random.Random) -> bytes:
    named = {(name or "x").encode("utf-8", "replace").decode(): data for name, data in members.items()}
    return zips.zipped(named, r.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)))


def tarred(members: dict[str, bytes], r: random.Random) -> bytes:
    out = io.BytesIO()
    form = r.choice((tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT))
    with tarfile.open(fileobj=out, mode=r.choice(("w", "w:gz", "w:xz")), format=form) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name[:90])
            info.size = len(data)
            info.type = r.choice((tarfile.REGTYPE,) * 8 + (tarfile.SYMTYPE, tarfile.DIRTYPE, tarfile.LNKTYPE, b"S"))
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


_PACKERS = (gzip.compress, bz2.compress, lzma.compress)
