"""One collection, whichever way it comes: frames, TREC files, bundles, any order of lines."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from irviz.collection import trec
from irviz.collection.bundle import open_bundle
from irviz.collection.codes import BEYOND, TIE_RULES
from irviz.collection.frames import collection_from_frames
from irviz.collection.load import load_collection
from irviz.collection.model import Collection
from irviz.collection.text import clean

identifiers = st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1, max_size=12).filter(
    lambda text: not text.startswith("#") and not text.encode().startswith(b"\xef\xbb\xbf") and len(text.split()) == 1
)
topics = st.sampled_from(["1", "2", "10", "t1", "07", "7"])
scores = st.one_of(
    st.floats(-1e6, 1e6), st.integers(-3, 3).map(float), st.sampled_from([1.0, 1.00000001, 1e-320, 1e300])
)
grades = st.one_of(st.integers(-2, 4).map(float), st.sampled_from([0.5, 33.25, 100.0]))
pairs = st.tuples(topics, identifiers)
judgments = st.dictionaries(pairs, st.tuples(grades, grades), min_size=1, max_size=12)
lists = st.dictionaries(pairs, scores, max_size=12)


@st.composite
def collections_in_lines(draw: Callable) -> tuple[list[str], list[list[str]], pd.DataFrame, dict[str, pd.DataFrame]]:
    """The same judgments and runs as TREC lines and as frames; runs retrieve judged documents too."""
    judged = draw(judgments)
    by_topic: dict[str, list[float]] = {}
    for (topic, _), (grade, _) in judged.items():
        by_topic.setdefault(topic, []).append(grade)
    # grades that count up from 0 or 1 in some order of the lines are refused there, as ranks of a run without tags
    counted = (
        len(some) > 2 and min(some) in (0, 1) and np.all(np.diff(sorted(some)) == 1) for some in by_topic.values()
    )
    assume(not any(counted))
    some = list(judged)
    runs = []
    for _ in range(draw(st.integers(1, 3))):
        run = draw(lists) | draw(st.dictionaries(st.sampled_from(some), scores, min_size=1, max_size=10))
        runs.append(run)
    qrels = pd.DataFrame([(t, d, *g) for (t, d), g in judged.items()], columns=["qid", "docno", "label", "aspect2"])
    frames = {
        f"s{i}": pd.DataFrame([(t, d, s) for (t, d), s in run.items()], columns=["qid", "docno", "score"])
        for i, run in enumerate(runs)
    }
    lines = [f"{t} 0 {d} {one!r} {two!r}\n" for (t, d), (one, two) in judged.items()]
    listed = [[f"{t} Q0 {d} {i} {s!r} tag\n" for i, ((t, d), s) in enumerate(run.items())] for run in runs]
    return lines, listed, qrels, frames


def from_lines(qrels: list[str], listed: list[list[str]], **options: object) -> Collection:
    files = [(f"s{i}", "".join(lines).encode()) for i, lines in enumerate(listed)]
    return load_collection(("q.txt", "".join(qrels).encode()), files, **options)


@settings(max_examples=30, deadline=None)
@given(collections_in_lines(), st.sampled_from(sorted(set(TIE_RULES) - {"rank"})), st.integers(1, 12))
def test_frames_and_files_are_one_collection(made, ties: str, depth: int) -> None:
    qrels, listed, qrels_frame, frames = made
    one = from_lines(qrels, listed, ties=ties, depth=depth)
    two = collection_from_frames(qrels_frame, frames, ties=ties, depth=depth)
    assert one.fingerprint == two.fingerprint
    assert one.depth <= depth
    # A list ends once: nothing follows its end.
    assert not ((one.ranking[:, :, :-1] == BEYOND) & (one.ranking[:, :, 1:] != BEYOND)).any()


@settings(max_examples=25, deadline=None)
@given(collections_in_lines(), st.randoms(use_true_random=False))
def test_the_order_of_lines_changes_nothing(made, chance: random.Random) -> None:
    qrels, listed, _, _ = made
    one = from_lines(qrels, listed)
    chance.shuffle(qrels)
    for lines in listed:
        chance.shuffle(lines)
    assert from_lines(qrels, listed).fingerprint == one.fingerprint


@settings(max_examples=25, deadline=None)
@given(collections_in_lines())
def test_saving_and_opening_changes_nothing(tmp_path_factory: pytest.TempPathFactory, made) -> None:
    qrels, listed, _, _ = made
    one = from_lines(qrels, listed)
    two = open_bundle(one.save(tmp_path_factory.mktemp("bundle") / "c.irviz"))
    assert (one.fingerprint, one.ties, one.name) == (two.fingerprint, two.ties, two.name)
    kept = [replace(finding, message=finding.unnamed or finding.message, unnamed=None) for finding in one.findings]
    assert kept == list(two.findings)
    np.testing.assert_array_equal(one.ranking, two.ranking)


@settings(max_examples=30, deadline=None)
@given(collections_in_lines(), st.sampled_from(["trec_eval", "trec_eval10", "trec_eval_ascending"]))
def test_order_is_what_python_sorts(made, ties: str) -> None:
    """The tie rules, once more in plain Python."""
    qrels, listed, qrels_frame, frames = made
    c = from_lines(qrels, listed, ties=ties)
    judged = {t: sorted(d.encode() for d in f["docno"]) for t, f in qrels_frame.groupby("qid")}
    for s, system in enumerate(c.systems):
        for t, topic in enumerate(c.topics):
            frame = frames[system][frames[system]["qid"] == topic]
            rows = [(x if ties == "trec_eval10" else _single(x), d.encode()) for d, x in _scored(frame)]
            rows.sort(key=lambda row: row[1], reverse=ties != "trec_eval_ascending")
            rows.sort(key=lambda row: row[0], reverse=True)
            expected = [judged[topic].index(d) if d in judged[topic] else -1 for _, d in rows]
            found = c.ranking[t, s][c.ranking[t, s] != BEYOND].tolist()
            assert found == expected


def _single(score: float) -> float:
    with np.errstate(over="ignore", under="ignore"):
        return float(np.float32(score))


def _scored(frame: pd.DataFrame) -> list[tuple[str, float]]:
    return list(zip(frame["docno"].tolist(), frame["score"].tolist(), strict=True))


@settings(max_examples=200, deadline=None)
@given(st.text("0123456789+-.eE_naifxNI ", min_size=1, max_size=10), st.text("0123456789-+.AF", min_size=1, max_size=5))
def test_fast_and_exact_read_the_same_numbers(score: str, rank: str) -> None:
    text = clean("x.run", f"1 Q0 a {rank} {score} x\n".encode())
    fast = trec._columns(text, trec._RUN_TEXTS, 6)
    if fast is not None:
        exact = trec._exact_columns(text, trec._RUN_TEXTS, trec._SCORE, trec._fields_of_run)
        assert all(fast[i].tolist() == exact[i].tolist() for i in exact)
